import java.util.Locale;
import java.util.Map;
import mail.Filter;
import mail.Scope;
import mail.Template;

public class Main {

    private static final Filter MONEY = new Filter() {
        @Override
        public String apply(String value) {
            long cents = Long.parseLong(value);
            return String.format(Locale.ROOT, "%d.%02d EUR", cents / 100, cents % 100);
        }
    };

    static String initial(String value) {
        return value.isEmpty() ? "" : value.charAt(0) + ".";
    }

    public static void main(String[] args) {
        Map<String, Filter> filters = Map.of(
            "money", MONEY,
            "upper", String::toUpperCase,
            "initial", Main::initial,
            "quoted", Filter.wrap("'").after(String::trim));
        Template letter = new Template(
            "Dear {title}{name|upper}, {?late}you owe {sum|money} for {item|quoted}{/}{?paid}thanks{/}!",
            filters);
        Scope shared = Scope.of(Map.of("title", "Dr ", "item", " a lamp "));
        Scope debtor = shared.with("late", "yes").with("sum", "4205");
        System.out.println(letter.render(debtor.with("name", "Moss")));
        System.out.println(letter.render(shared.with("name", "Ivy").with("late", "").with("title", "")));
        System.out.println(new Template("{first|upper} {last} {{x}", filters)
            .render(shared.with("first", "bea")));
        try {
            new Template("{name|shout}", filters).render(shared.with("name", "Al"));
        } catch (IllegalArgumentException mistake) {
            System.out.println(mistake.getMessage());
        }
    }
}
