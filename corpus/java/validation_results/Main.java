import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** Checks a registration and gives either a value or all reasons against it. */
public class Main {

    sealed interface Result<T> {

        static <T> Result<T> of(T value) {
            return new Valid<>(value);
        }

        static <T> Result<T> fail(String reason) {
            return new Invalid<>(List.of(reason));
        }

        <R> R fold(Function<? super T, ? extends R> onValue, Function<List<String>, ? extends R> onReasons);

        default <R> Result<R> then(Function<? super T, Result<R>> next) {
            return fold(next, Invalid::new);
        }

        default <R> Result<R> map(Function<? super T, ? extends R> function) {
            return then(value -> of(function.apply(value)));
        }

        default Result<T> check(Predicate<? super T> test, String reason) {
            return then(value -> test.test(value) ? this : fail(reason));
        }

        default List<String> reasons() {
            return fold(value -> List.of(), reasons -> reasons);
        }

        /** Joins two results; the reasons of both are kept, this one's first. */
        default <B, R> Result<R> and(Result<B> other, BiFunction<? super T, ? super B, R> join) {
            if (this instanceof Valid<T> valid) {
                return other.map(second -> join.apply(valid.value(), second));
            }
            List<String> all = new ArrayList<>(reasons());
            all.addAll(other.reasons());
            return new Invalid<>(all);
        }

        default T orElse(T substitute) {
            return fold(value -> value, reasons -> substitute);
        }
    }

    record Valid<T>(T value) implements Result<T> {
        @Override
        public <R> R fold(
                Function<? super T, ? extends R> onValue, Function<List<String>, ? extends R> onReasons) {
            return onValue.apply(value);
        }
    }

    record Invalid<T>(List<String> reasons) implements Result<T> {
        @Override
        public <R> R fold(
                Function<? super T, ? extends R> onValue, Function<List<String>, ? extends R> onReasons) {
            return onReasons.apply(reasons);
        }
    }

    record Runner(String name, int age, double distance) {
        String bib() {
            return name.substring(0, Math.min(3, name.length())).toUpperCase() + age;
        }
    }

    static Result<String> field(Map<String, String> form, String key) {
        String text = form.getOrDefault(key, "").trim();
        return Result.of(text).check(value -> !value.isEmpty(), key + " is missing");
    }

    static Result<Integer> whole(String text) {
        try {
            return Result.of(Integer.parseInt(text));
        } catch (NumberFormatException malformed) {
            return Result.fail(text + " is no number");
        }
    }

    static Result<Double> distance(String text) {
        return switch (text) {
            case "5k", "10k" -> whole(text.replace("k", "")).map(Integer::doubleValue);
            case "half" -> Result.of(21.1);
            case "full" -> Result.of(42.2);
            default -> Result.fail("no such race: " + text);
        };
    }

    static boolean oldEnough(Runner runner) {
        return runner.distance() <= 10 ? runner.age() >= 12 : runner.age() >= 18;
    }

    static Result<Runner> register(Map<String, String> form) {
        Result<String> name = field(form, "name").check(text -> text.length() <= 20, "name is too long");
        Result<Integer> age = field(form, "age").then(Main::whole).check(n -> n > 0, "age is not positive");
        Result<Double> race = field(form, "race").then(Main::distance);
        return name
            .and(age, (n, a) -> new Runner(n, a, 0))
            .and(race, (runner, km) -> new Runner(runner.name(), runner.age(), km))
            .check(Main::oldEnough, "too young for this race");
    }

    static void show(Map<String, String> form) {
        String answer = register(form).map(Runner::bib).fold(bib -> "bib " + bib, List::toString);
        System.out.println(answer);
    }

    public static void main(String[] args) {
        show(Map.of("name", " Ines ", "age", "31", "race", "half"));
        show(Map.of("name", "Bo", "age", "12", "race", "10k"));
        show(Map.of("name", "Tom", "age", "17", "race", "full"));
        show(Map.of("name", "  ", "age", "abc", "race", "ultra"));
        show(Map.of("name", "Zoe", "age", "-4"));
    }
}
