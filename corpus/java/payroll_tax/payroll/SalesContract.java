package payroll;

import java.math.BigDecimal;

public final class SalesContract extends Contract {
    private static final BigDecimal THRESHOLD = new BigDecimal("10000");

    private final BigDecimal base;
    private final BigDecimal sales;

    public SalesContract(String name, String base, String sales) {
        super(name);
        this.base = new BigDecimal(base);
        this.sales = new BigDecimal(sales);
    }

    @Override
    public BigDecimal gross() {
        return cents(base.add(commission()));
    }

    @Override
    protected BigDecimal allowance() {
        return sales.compareTo(THRESHOLD) >= 0 ? new BigDecimal("250") : super.allowance();
    }

    private BigDecimal commission() {
        return sales.subtract(THRESHOLD).max(BigDecimal.ZERO).multiply(new BigDecimal("0.05"));
    }
}
