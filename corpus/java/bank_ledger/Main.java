import bank.Account;
import bank.Bank;
import bank.Transaction;

public class Main {

    public static void main(String[] args) {
        Bank bank = new Bank();
        Account rent = bank.open("rent", 0);
        Account wages = bank.open("wages", 5_000);

        bank.post(new Transaction.Deposit("wages", 120_000));
        bank.post(new Transaction.Transfer("wages", "rent", 80_000));
        bank.post(new Transaction.Withdrawal("wages", 47_500));
        bank.post(new Transaction.Withdrawal("rent", 90_000));
        bank.post(new Transaction.Transfer("wages", "rent", 3_000));

        for (String line : bank.statement()) {
            System.out.println(line);
        }
        System.out.println("rent " + rent.format() + ", wages " + wages.format());
        System.out.println("total " + Account.cents(bank.total()));
    }
}
