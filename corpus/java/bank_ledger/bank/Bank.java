package bank;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Bank {
    private static final long OVERDRAFT_FEE = 750;

    private final Map<String, Account> accounts = new LinkedHashMap<>();
    private final List<String> journal = new ArrayList<>();

    public Account open(String name, long overdraft) {
        Account account = new Account(name, overdraft);
        accounts.put(name, account);
        return account;
    }

    /** Books a transaction, or notes in the journal that it was refused. */
    public void post(Transaction transaction) {
        if (transaction.amount() <= 0) {
            throw new IllegalArgumentException("amount must be positive");
        }
        boolean booked = book(transaction);
        journal.add((booked ? "ok   " : "FAIL ") + describe(transaction));
    }

    private boolean book(Transaction transaction) {
        if (transaction instanceof Transaction.Deposit deposit) {
            find(deposit.account()).add(deposit.amount());
            return true;
        }
        if (transaction instanceof Transaction.Withdrawal withdrawal) {
            return take(find(withdrawal.account()), withdrawal.amount());
        }
        if (transaction instanceof Transaction.Transfer transfer) {
            Account target = find(transfer.to());
            if (!take(find(transfer.from()), transfer.amount())) {
                return false;
            }
            target.add(transfer.amount());
            return true;
        }
        Transaction.Fee fee = (Transaction.Fee) transaction;
        find(fee.account()).add(-fee.amount());
        return true;
    }

    private boolean take(Account account, long amount) {
        if (!account.covers(amount)) {
            return false;
        }
        boolean wasBelow = account.balance() < 0;
        account.add(-amount);
        if (account.balance() < 0 && !wasBelow) {
            post(new Transaction.Fee(account.name(), OVERDRAFT_FEE));
        }
        return true;
    }

    private Account find(String name) {
        Account account = accounts.get(name);
        if (account == null) {
            throw new IllegalArgumentException("no account " + name);
        }
        return account;
    }

    private static String describe(Transaction transaction) {
        String kind = transaction.getClass().getSimpleName().toLowerCase();
        return kind + " " + Account.cents(transaction.amount());
    }

    public List<String> statement() {
        return List.copyOf(journal);
    }

    public long total() {
        return accounts.values().stream().mapToLong(Account::balance).sum();
    }
}
