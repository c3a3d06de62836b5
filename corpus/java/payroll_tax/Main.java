import java.math.BigDecimal;
import java.util.List;
import payroll.Contract;
import payroll.HourlyContract;
import payroll.SalesContract;
import payroll.TaxTable;

public class Main {

    static TaxTable taxes() {
        return new TaxTable()
            .bracket("1000", "0")
            .bracket("2500", "0.15")
            .bracket("5000", "0.30")
            .above("0.42");
    }

    public static void main(String[] args) {
        TaxTable taxes = taxes();
        List<Contract> staff = List.of(
            new HourlyContract("Ola", "21.35", 168),
            new HourlyContract("Per", "15.00", 60),
            new SalesContract("Sia", "1800.00", "42000.00"),
            new SalesContract("Udo", "2500.00", "9999.99"));
        BigDecimal total = BigDecimal.ZERO;
        for (Contract contract : staff) {
            System.out.println(contract.slip(taxes));
            total = total.add(contract.gross());
        }
        System.out.println("gross of all " + total);
    }
}
