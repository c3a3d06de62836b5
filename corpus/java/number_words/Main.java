import java.util.StringJoiner;

/** Spells numbers, amounts and times of day in English. */
public final class Main {

    private static final String[] SMALL = {
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
        "nineteen",
    };
    private static final String[] TENS = {
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    };
    private static final String[] GROUPS = {"", " thousand", " million", " billion"};

    private Main() {
    }

    static String spell(long number) {
        if (number < 0) {
            return "minus " + spell(-number);
        }
        if (number < 1000) {
            return spell((int) number);
        }
        StringJoiner parts = new StringJoiner(" ");
        long unit = 1_000_000_000L;
        for (int group = GROUPS.length - 1; group >= 0; group--) {
            int count = (int) (number / unit % 1000);
            if (count > 0) {
                boolean small = group == 0 && count < 100;
                parts.add((small ? "and " : "") + spell(count) + GROUPS[group]);
            }
            unit /= 1000;
        }
        return parts.toString();
    }

    /** A number below one thousand. */
    static String spell(int number) {
        if (number < SMALL.length) {
            return SMALL[number];
        }
        if (number < 100) {
            String tens = TENS[number / 10];
            return number % 10 == 0 ? tens : tens + "-" + SMALL[number % 10];
        }
        String hundreds = SMALL[number / 100] + " hundred";
        return number % 100 == 0 ? hundreds : hundreds + " and " + spell(number % 100);
    }

    static String spell(double number) {
        long rounded = Math.round(number * 100);
        long whole = rounded / 100;
        long hundredths = rounded % 100;
        if (hundredths == 0) {
            return spell(whole);
        }
        String digits = SMALL[(int) hundredths / 10];
        if (hundredths % 10 != 0) {
            digits += " " + SMALL[(int) hundredths % 10];
        }
        return spell(whole) + " point " + digits;
    }

    static String spell(String amount) {
        String[] parts = amount.split("\\.");
        StringJoiner words = new StringJoiner(" and ");
        words.add(count(Integer.parseInt(parts[0]), "pound", "pounds"));
        if (parts.length > 1 && !parts[1].equals("00")) {
            words.add(count(Integer.parseInt(parts[1]), "penny", "pence"));
        }
        return words.toString();
    }

    private static String count(int number, String one, String many) {
        return spell((long) number) + " " + (number == 1 ? one : many);
    }

    static String spell(int hour, int minute) {
        if (minute == 0) {
            return spell(twelve(hour)) + " o'clock";
        }
        return minute <= 30
            ? distance(minute) + " past " + spell(twelve(hour))
            : distance(60 - minute) + " to " + spell(twelve(hour + 1));
    }

    private static String distance(int minutes) {
        return switch (minutes) {
            case 15 -> "quarter";
            case 30 -> "half";
            default -> spell(minutes);
        };
    }

    private static int twelve(int hour) {
        return hour % 12 == 0 ? 12 : hour % 12;
    }

    /** The year is read in two pairs of digits, as in nineteen eighty-four. */
    static String year(int year) {
        if (year % 1000 < 10) {
            return spell((long) year);
        }
        String century = spell(year / 100);
        int rest = year % 100;
        if (rest == 0) {
            return century + " hundred";
        }
        return century + (rest < 10 ? " oh " : " ") + spell(rest);
    }

    static String ordinal(int number) {
        int lastTwo = number % 100;
        if (lastTwo >= 11 && lastTwo <= 13) {
            return number + "th";
        }
        return number + switch (number % 10) {
            case 1 -> "st";
            case 2 -> "nd";
            case 3 -> "rd";
            default -> "th";
        };
    }

    public static void main(String[] args) {
        System.out.println(spell(1_000_042L));
        System.out.println(spell(2_100_319_007L));
        System.out.println(spell(640));
        System.out.println(spell(12.5) + ", " + spell(3.07));
        System.out.println(spell("1.30") + "; " + spell("250.01"));
        System.out.println(spell(12, 45) + ", " + spell(23, 30) + ", " + spell(0, 5));
        System.out.println(ordinal(112) + " " + ordinal(22) + " " + ordinal(101));
    }
}
