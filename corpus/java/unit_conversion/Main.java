import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

public class Main {

    enum Quantity {
        LENGTH, WEIGHT, TEMPERATURE;

        Unit base() {
            return switch (this) {
                case LENGTH -> Unit.METRE;
                case WEIGHT -> Unit.GRAM;
                case TEMPERATURE -> Unit.KELVIN;
            };
        }
    }

    enum Unit {
        METRE("m", Quantity.LENGTH, 1),
        MILE("mi", Quantity.LENGTH, 1609.344),
        INCH("in", Quantity.LENGTH, 0.0254),
        GRAM("g", Quantity.WEIGHT, 1),
        POUND("lb", Quantity.WEIGHT, 453.59237),
        KELVIN("K", Quantity.TEMPERATURE, 1),
        CELSIUS("C", Quantity.TEMPERATURE, 1) {
            @Override
            double toBase(double value) {
                return value + 273.15;
            }

            @Override
            double fromBase(double value) {
                return value - 273.15;
            }
        },
        FAHRENHEIT("F", Quantity.TEMPERATURE, 5.0 / 9) {
            @Override
            double toBase(double value) {
                return super.toBase(value + 459.67);
            }

            @Override
            double fromBase(double value) {
                return super.fromBase(value) - 459.67;
            }
        };

        private static final Map<String, Unit> BY_SYMBOL = new HashMap<>();

        static {
            for (Unit unit : values()) {
                BY_SYMBOL.put(unit.key(), unit);
            }
        }

        final String symbol;
        final Quantity quantity;
        private final double factor;

        Unit(String symbol, Quantity quantity, double factor) {
            this.symbol = symbol;
            this.quantity = quantity;
            this.factor = factor;
        }

        private String key() {
            return symbol.toLowerCase(Locale.ROOT);
        }

        double toBase(double value) {
            return value * factor;
        }

        double fromBase(double value) {
            return value / factor;
        }

        static Unit of(String symbol) {
            Unit unit = BY_SYMBOL.get(symbol.toLowerCase(Locale.ROOT));
            if (unit == null) {
                throw new IllegalArgumentException("unknown unit " + symbol);
            }
            return unit;
        }
    }

    record Measure(double value, Unit unit) {

        static Measure parse(String text) {
            int split = text.lastIndexOf(' ');
            if (split < 0) {
                throw new IllegalArgumentException("no unit in " + text);
            }
            double value = Double.parseDouble(text.substring(0, split));
            return new Measure(value, Unit.of(text.substring(split + 1)));
        }

        Measure in(Unit target) {
            if (target.quantity != unit.quantity) {
                throw new IllegalArgumentException(unit.quantity + " is no " + target.quantity);
            }
            return new Measure(target.fromBase(unit.toBase(value)), target);
        }

        Measure plain() {
            return in(unit.quantity.base());
        }

        String show() {
            return String.format(Locale.ROOT, "%.2f %s", value, unit.symbol);
        }
    }

    static void convert(String text, String target) {
        try {
            Measure measure = Measure.parse(text);
            System.out.println(measure.show() + " = " + measure.in(Unit.of(target)).show());
        } catch (IllegalArgumentException refused) {
            System.out.println(refused.getMessage());
        }
    }

    public static void main(String[] args) {
        convert("26.2 mi", "m");
        convert("1 LB", "g");
        convert("100 C", "F");
        convert("0 K", "c");
        convert("3 in", "lb");
        convert("5 furlong", "m");
    }
}
