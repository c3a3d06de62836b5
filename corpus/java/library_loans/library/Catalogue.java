package library;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public final class Catalogue {

    public static final class Refused extends RuntimeException {
        Refused(String reason) {
            super(reason);
        }
    }

    private static final class Loan {
        final Reader reader;
        final String title;
        int due;

        Loan(Reader reader, String title, int due) {
            this.reader = reader;
            this.title = title;
            this.due = due;
        }
    }

    private final Map<String, Integer> onShelf = new HashMap<>();
    private final Map<String, Deque<Reader>> waiting = new HashMap<>();
    private final List<Loan> loans = new ArrayList<>();

    public void add(String title, int copies) {
        onShelf.merge(title, copies, Integer::sum);
        waiting.putIfAbsent(title, new ArrayDeque<>());
    }

    public void lend(Reader reader, String title, int day) {
        if (loans.stream().filter(loan -> loan.reader == reader).count() >= reader.most()) {
            throw new Refused("too many books");
        }
        Deque<Reader> queue = waiting.get(title);
        boolean hasTurn = queue.isEmpty() || queue.peek() == reader;
        if (onShelf.get(title) == 0 || !hasTurn) {
            throw new Refused(hasTurn ? "not here" : "reserved for " + queue.peek());
        }
        queue.remove(reader);
        onShelf.merge(title, -1, Integer::sum);
        loans.add(new Loan(reader, title, day + reader.days()));
    }

    public void reserve(Reader reader, String title) {
        if (!waiting.get(title).contains(reader)) {
            waiting.get(title).add(reader);
        }
    }

    public void renew(Reader reader, String title, int day) {
        Loan loan = find(reader, title);
        if (day > loan.due) {
            throw new Refused("overdue");
        }
        if (!waiting.get(title).isEmpty()) {
            throw new Refused("somebody is waiting");
        }
        loan.due = day + reader.days();
    }

    /** Gives the fine in cents. */
    public int giveBack(Reader reader, String title, int day) {
        Loan loan = find(reader, title);
        loans.remove(loan);
        onShelf.merge(title, 1, Integer::sum);
        return day > loan.due ? reader.fine(day - loan.due) : 0;
    }

    private Loan find(Reader reader, String title) {
        return loans.stream()
            .filter(loan -> loan.reader == reader && loan.title.equals(title))
            .findFirst()
            .orElseThrow(() -> new Refused(reader + " does not have " + title));
    }
}
