import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sequences without end whose tails are computed when they are first needed, and only once. */
public class Main {

    static int computed;

    static final class Lazy<T> implements Supplier<T> {
        private Supplier<? extends T> source;
        private T value;

        Lazy(Supplier<? extends T> source) {
            this.source = source;
        }

        @Override
        public T get() {
            if (source != null) {
                computed++;
                value = source.get();
                source = null;
            }
            return value;
        }
    }

    interface Seq<T> {
        boolean isEmpty();

        T head();

        Seq<T> tail();

        static <T> Seq<T> empty() {
            return new Seq<>() {
                @Override
                public boolean isEmpty() {
                    return true;
                }

                @Override
                public T head() {
                    throw new NoSuchElementException("head of an empty sequence");
                }

                @Override
                public Seq<T> tail() {
                    throw new NoSuchElementException("tail of an empty sequence");
                }
            };
        }

        static <T> Seq<T> cons(T head, Supplier<Seq<T>> tail) {
            return new Cell<>(head, new Lazy<>(tail));
        }

        static <T> Seq<T> iterate(T start, Function<T, T> next) {
            return cons(start, () -> iterate(next.apply(start), next));
        }

        default <R> Seq<R> map(Function<? super T, R> function) {
            return isEmpty() ? empty() : cons(function.apply(head()), () -> tail().map(function));
        }

        default Seq<T> filter(Predicate<? super T> test) {
            Seq<T> rest = this;
            while (!rest.isEmpty() && !test.test(rest.head())) {
                rest = rest.tail();
            }
            Seq<T> kept = rest;
            return kept.isEmpty() ? kept : cons(kept.head(), () -> kept.tail().filter(test));
        }

        default Seq<T> takeWhile(Predicate<? super T> test) {
            boolean stop = isEmpty() || !test.test(head());
            return stop ? empty() : cons(head(), () -> tail().takeWhile(test));
        }

        default <B, R> Seq<R> zip(Seq<B> other, BiFunction<? super T, ? super B, R> join) {
            if (isEmpty() || other.isEmpty()) {
                return empty();
            }
            return cons(join.apply(head(), other.head()), () -> tail().zip(other.tail(), join));
        }

        default List<T> take(int most) {
            List<T> items = new ArrayList<>();
            Seq<T> rest = this;
            while (items.size() < most && !rest.isEmpty()) {
                items.add(rest.head());
                rest = items.size() < most ? rest.tail() : rest;
            }
            return items;
        }
    }

    record Cell<T>(T head, Lazy<Seq<T>> rest) implements Seq<T> {
        @Override
        public boolean isEmpty() {
            return false;
        }

        @Override
        public Seq<T> tail() {
            return rest.get();
        }
    }

    static Seq<Integer> sieve(Seq<Integer> candidates) {
        int prime = candidates.head();
        return Seq.cons(prime, () -> sieve(candidates.tail().filter(n -> n % prime != 0)));
    }

    static int collatz(int n) {
        return n % 2 == 0 ? n / 2 : 3 * n + 1;
    }

    public static void main(String[] args) {
        Seq<Integer> naturals = Seq.iterate(1, n -> n + 1);
        System.out.println(naturals.take(4) + " computed " + computed);
        System.out.println(naturals.take(3) + " computed " + computed);
        System.out.println(sieve(naturals.tail()).take(8));
        System.out.println(Seq.iterate(6, Main::collatz).takeWhile(n -> n != 1).take(50));
        Seq<Integer> squares = naturals.map(n -> n * n);
        System.out.println(squares.zip(squares.tail(), (a, b) -> b - a).take(5));
        System.out.println(Seq.<String>empty().take(2));
    }
}
