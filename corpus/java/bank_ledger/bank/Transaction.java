package bank;

/** What a customer can ask for. Amounts are cents and more than zero. */
public sealed interface Transaction {
    long amount();

    record Deposit(String account, long amount) implements Transaction {}

    record Withdrawal(String account, long amount) implements Transaction {}

    record Transfer(String from, String to, long amount) implements Transaction {}

    record Fee(String account, long amount) implements Transaction {}
}
