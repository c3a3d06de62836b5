package garage;

/** Prices in cents for minutes. */
public record Tariff(int free, int perHour, int perDay) {
    private static final int DAY = 24 * 60;

    public Tariff {
        if (perHour * 24 < perDay) {
            throw new IllegalArgumentException("a day costs more than its hours");
        }
    }

    int price(int minutes, Size size) {
        if (minutes <= free) {
            return 0;
        }
        int days = minutes / DAY;
        int startedHours = (minutes % DAY + 59) / 60;
        int rest = Math.min(perDay, startedHours * perHour);
        return days * perDay + rest + size.surcharge();
    }
}
