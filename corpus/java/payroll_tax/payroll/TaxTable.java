package payroll;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Rates that each apply to one slice of the income. */
public final class TaxTable {

    private record Bracket(BigDecimal upTo, BigDecimal rate) {
        BigDecimal tax(BigDecimal from, BigDecimal income) {
            BigDecimal slice = income.min(upTo).subtract(from);
            return slice.signum() > 0 ? slice.multiply(rate) : BigDecimal.ZERO;
        }
    }

    private final List<Bracket> brackets = new ArrayList<>();
    private BigDecimal topRate = BigDecimal.ZERO;

    public TaxTable bracket(String upTo, String rate) {
        BigDecimal limit = new BigDecimal(upTo);
        if (limit.compareTo(lastLimit()) <= 0) {
            throw new IllegalArgumentException("brackets must ascend: " + upTo);
        }
        brackets.add(new Bracket(limit, new BigDecimal(rate)));
        return this;
    }

    public TaxTable above(String rate) {
        topRate = new BigDecimal(rate);
        return this;
    }

    private BigDecimal lastLimit() {
        return brackets.isEmpty() ? BigDecimal.ZERO : brackets.get(brackets.size() - 1).upTo();
    }

    BigDecimal tax(BigDecimal income) {
        BigDecimal tax = BigDecimal.ZERO;
        BigDecimal from = BigDecimal.ZERO;
        for (Bracket bracket : brackets) {
            tax = tax.add(bracket.tax(from, income));
            from = bracket.upTo();
        }
        BigDecimal rest = income.subtract(from).max(BigDecimal.ZERO);
        return tax.add(rest.multiply(topRate)).setScale(2, RoundingMode.HALF_UP);
    }

    public BigDecimal rateAt(String income) {
        BigDecimal amount = new BigDecimal(income);
        return brackets.stream()
            .filter(bracket -> amount.compareTo(bracket.upTo()) <= 0)
            .map(Bracket::rate)
            .findFirst().orElse(topRate);
    }
}
