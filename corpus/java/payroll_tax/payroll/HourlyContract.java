package payroll;

import java.math.BigDecimal;

public final class HourlyContract extends Contract {
    private static final int REGULAR_HOURS = 160;

    private final BigDecimal wage;
    private final int hours;

    public HourlyContract(String name, String wage, int hours) {
        super(name);
        this.wage = new BigDecimal(wage);
        this.hours = hours;
    }

    @Override
    public BigDecimal gross() {
        BigDecimal regular = wage.multiply(BigDecimal.valueOf(Math.min(hours, REGULAR_HOURS)));
        return cents(hours > REGULAR_HOURS ? regular.add(overtime()) : regular);
    }

    private BigDecimal overtime() {
        return wage.multiply(new BigDecimal("1.5")).multiply(BigDecimal.valueOf(hours - REGULAR_HOURS));
    }
}
