import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Books a meeting room by half-open spans of minutes since midnight. */
public class Main {

    record Span(int from, int to) {
        Span {
            if (from >= to) {
                throw new IllegalArgumentException("empty span " + clock(from) + "-" + clock(to));
            }
        }

        static Span of(String text) {
            return new Span(minutes(text.substring(0, 5)), minutes(text.substring(6)));
        }

        private static int minutes(String clock) {
            return 60 * Integer.parseInt(clock.substring(0, 2)) + Integer.parseInt(clock.substring(3));
        }

        static String clock(int minutes) {
            return String.format("%02d:%02d", minutes / 60, minutes % 60);
        }

        boolean overlaps(Span other) {
            return from < other.to && other.from < to;
        }

        int length() {
            return to - from;
        }

        @Override
        public String toString() {
            return clock(from) + "-" + clock(to);
        }
    }

    record Booking(Span span, String title) {
        @Override
        public String toString() {
            return span + " " + title;
        }
    }

    static class Room {
        private static final int OPENS = 8 * 60;
        private static final int CLOSES = 18 * 60;

        private final TreeMap<Integer, Booking> byStart = new TreeMap<>();

        /** The first booking in the way of a span, or null. */
        Booking conflict(Span span) {
            Map.Entry<Integer, Booking> before = byStart.floorEntry(span.from());
            if (before != null && before.getValue().span().overlaps(span)) {
                return before.getValue();
            }
            Map.Entry<Integer, Booking> after = byStart.ceilingEntry(span.from());
            return after != null && after.getValue().span().overlaps(span) ? after.getValue() : null;
        }

        String book(String when, String title) {
            Span span = Span.of(when);
            if (span.from() < OPENS || span.to() > CLOSES) {
                return title + ": closed";
            }
            Booking other = conflict(span);
            if (other != null) {
                return title + ": taken by " + other;
            }
            byStart.put(span.from(), new Booking(span, title));
            return title + ": booked";
        }

        boolean cancel(String title) {
            return byStart.values().removeIf(booking -> booking.title().equals(title));
        }

        List<Span> gaps(int least) {
            List<Span> gaps = new ArrayList<>();
            int free = OPENS;
            for (Booking booking : byStart.values()) {
                addGap(gaps, free, booking.span().from(), least);
                free = booking.span().to();
            }
            addGap(gaps, free, CLOSES, least);
            return gaps;
        }

        private static void addGap(List<Span> gaps, int from, int to, int least) {
            if (to > from && to - from >= least) {
                gaps.add(new Span(from, to));
            }
        }

        /** Books the earliest span of a length, or nothing if the day is full. */
        String bookAny(int minutes, String title) {
            List<Span> gaps = gaps(minutes);
            if (gaps.isEmpty()) {
                return title + ": no room";
            }
            int from = gaps.get(0).from();
            return book(new Span(from, from + minutes).toString(), title);
        }

        int load() {
            int used = byStart.values().stream().mapToInt(booking -> booking.span().length()).sum();
            return 100 * used / (CLOSES - OPENS);
        }
    }

    public static void main(String[] args) {
        Room room = new Room();
        System.out.println(room.book("09:00-10:30", "review"));
        System.out.println(room.book("10:30-11:00", "standup"));
        System.out.println(room.book("08:30-09:01", "early"));
        System.out.println(room.book("12:00-17:50", "workshop"));
        System.out.println(room.book("17:45-18:15", "late"));
        System.out.println(room.gaps(30) + " load " + room.load());
        System.out.println(room.bookAny(60, "lunch") + ", " + room.bookAny(90, "party"));
        System.out.println(room.byStart.values());
    }
}
