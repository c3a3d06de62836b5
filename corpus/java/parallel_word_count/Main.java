import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts words of a text in several threads and joins their counts in a fixed order. */
public class Main {

    /** The first failure of any worker, by the order of the parts. */
    static class CountingFailed extends Exception {
        CountingFailed(int part, Throwable cause) {
            super("part " + part + ": " + cause.getMessage(), cause);
        }
    }

    static class Worker extends Thread {
        private final List<String> lines;
        private final Map<String, Integer> counts = new TreeMap<>();
        private int longest;
        private RuntimeException failure;

        Worker(List<String> lines) {
            this.lines = lines;
        }

        @Override
        public void run() {
            try {
                lines.forEach(this::read);
            } catch (RuntimeException problem) {
                failure = problem;
            }
        }

        private void read(String line) {
            for (String word : line.split("\\W+")) {
                if (!word.isEmpty()) {
                    count(word);
                }
            }
        }

        private void count(String word) {
            if (word.length() > 20) {
                throw new IllegalStateException("suspicious word of " + word.length() + " letters");
            }
            counts.merge(word.toLowerCase(), 1, Integer::sum);
            longest = Math.max(longest, word.length());
        }
    }

    private final Map<String, Integer> totals = new TreeMap<>();
    private int longest;

    void count(List<String> lines, int threads) throws CountingFailed, InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (List<String> part : split(lines, threads)) {
            Worker worker = new Worker(part);
            workers.add(worker);
            worker.start();
        }
        for (Worker worker : workers) {
            worker.join();
        }
        for (int i = 0; i < workers.size(); i++) {
            if (workers.get(i).failure != null) {
                throw new CountingFailed(i + 1, workers.get(i).failure);
            }
        }
        workers.forEach(this::collect);
    }

    /** Parts of equal size; the first parts take one line more if it does not come out even. */
    static List<List<String>> split(List<String> lines, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("no parts");
        }
        List<List<String>> result = new ArrayList<>();
        int from = 0;
        for (int part = 0; part < parts; part++) {
            int size = lines.size() / parts + (part < lines.size() % parts ? 1 : 0);
            result.add(lines.subList(from, from + size));
            from += size;
        }
        return result;
    }

    private void collect(Worker worker) {
        worker.counts.forEach((word, count) -> totals.merge(word, count, Integer::sum));
        longest = Math.max(longest, worker.longest);
    }

    List<String> top(int most) {
        return totals.keySet().stream()
            .sorted((a, b) -> compare(a, b))
            .limit(most)
            .map(word -> word + "=" + totals.get(word))
            .toList();
    }

    private int compare(String one, String other) {
        int byCount = totals.get(other) - totals.get(one);
        return byCount != 0 ? byCount : one.compareTo(other);
    }

    int occurrences(String word) {
        return totals.getOrDefault(word.toLowerCase(), 0);
    }

    public static void main(String[] args) throws InterruptedException {
        List<String> rhyme = List.of(
            "The north wind and the sun", "argued who was stronger.", "The wind blew, and blew;",
            "the sun shone.", "So the sun won!");
        Main counter = new Main();
        try {
            counter.count(rhyme, 3);
            System.out.println(counter.top(4) + ", longest " + counter.longest);
            counter.count(List.of("fine", "x".repeat(21), "y".repeat(30)), 3);
        } catch (CountingFailed failed) {
            System.out.println(failed.getMessage());
        }
        System.out.println(counter.totals.size() + " words");
        System.out.println(split(rhyme, 2).get(0).size() + " and " + split(rhyme, 2).get(1).size());
    }
}
