package calendar;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds the feasts of a year by rules that are written in a small table. */
public class Main {

    private static final String RULES = """
        new year   | fixed 1 1
        memorial   | last 5 monday
        easter     | easter 0
        pentecost  | easter 49
        """;

    private static final List<String> WEEKDAYS =
        List.of("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday");
    private static final int[] BEFORE_MONTH = new int[13];

    static {
        int days = 0;
        for (int month = 1; month <= 12; month++) {
            BEFORE_MONTH[month] = days;
            days += monthLength(2023, month);
        }
    }

    record Date(int month, int day) implements Comparable<Date> {
        @Override
        public int compareTo(Date other) {
            int byMonth = Integer.compare(month, other.month);
            return byMonth != 0 ? byMonth : Integer.compare(day, other.day);
        }

        @Override
        public String toString() {
            return String.format("%02d-%02d", month, day);
        }
    }

    static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static int monthLength(int year, int month) {
        return switch (month) {
            case 4, 6, 9, 11 -> 30;
            case 2 -> isLeap(year) ? 29 : 28;
            default -> 31;
        };
    }

    static int dayOfYear(int year, Date date) {
        int leapDay = isLeap(year) && date.month() > 2 ? 1 : 0;
        return BEFORE_MONTH[date.month()] + leapDay + date.day();
    }

    static Date dateAt(int year, int dayOfYear) {
        int month = 12;
        while (dayOfYear(year, new Date(month, 1)) > dayOfYear) {
            month--;
        }
        return new Date(month, dayOfYear - dayOfYear(year, new Date(month, 1)) + 1);
    }

    /** 0 for Monday to 6 for Sunday; the first of January of the year 1 was a Monday. */
    static int weekday(int year, Date date) {
        int past = year - 1;
        return (past * 365 + past / 4 - past / 100 + past / 400 + dayOfYear(year, date) - 1) % 7;
    }

    static Date nth(int year, int month, int weekday, int n) {
        int first = weekday(year, new Date(month, 1));
        return new Date(month, 1 + Math.floorMod(weekday - first, 7) + 7 * (n - 1));
    }

    static Date last(int year, int month, int weekday) {
        int end = monthLength(year, month);
        int over = Math.floorMod(weekday(year, new Date(month, end)) - weekday, 7);
        return new Date(month, end - over);
    }

    static Date easter(int year) {
        int golden = year % 19;
        int century = year / 100;
        int moon = (century - century / 4 - (8 * century + 13) / 25 + 19 * golden + 15) % 30;
        moon -= moon / 28 * (1 - 29 / (moon + 1) * ((21 - golden) / 11));
        int sunday = (year + year / 4 + moon + 2 - century + century / 4) % 7;
        int offset = moon - sunday;
        int month = 3 + (offset + 40) / 44;
        return new Date(month, offset + 28 - 31 * (month / 4));
    }

    static Date apply(int year, String rule) {
        String[] words = rule.trim().split(" ");
        int number = Integer.parseInt(words[1]);
        return switch (words[0]) {
            case "fixed" -> new Date(number, Integer.parseInt(words[2]));
            case "nth" -> nth(year, number, WEEKDAYS.indexOf(words[2]), Integer.parseInt(words[3]));
            case "last" -> last(year, number, WEEKDAYS.indexOf(words[2]));
            case "easter" -> dateAt(year, dayOfYear(year, easter(year)) + number);
            default -> throw new IllegalArgumentException("unknown rule " + rule);
        };
    }

    public static void main(String[] args) {
        for (int year : new int[] {1900, 2024, 2025}) {
            Map<Date, String> feasts = new TreeMap<>();
            RULES.lines().forEach(line -> {
                String[] columns = line.split("\\|");
                feasts.put(apply(year, columns[1]), columns[0].trim());
            });
            System.out.println(year + " " + feasts);
        }
    }
}
