package payroll;

import java.math.BigDecimal;
import java.math.RoundingMode;

public abstract class Contract {
    private final String name;

    protected Contract(String name) {
        this.name = name;
    }

    public abstract BigDecimal gross();

    /** What is subtracted from the gross pay before tax. */
    protected BigDecimal allowance() {
        return BigDecimal.ZERO;
    }

    public final String slip(TaxTable taxes) {
        BigDecimal taxed = gross().subtract(allowance()).max(BigDecimal.ZERO);
        BigDecimal tax = taxes.tax(taxed);
        return name + ": gross " + gross() + ", tax " + tax + ", net " + gross().subtract(tax);
    }

    protected static BigDecimal cents(BigDecimal amount) {
        return amount.setScale(2, RoundingMode.HALF_UP);
    }
}
