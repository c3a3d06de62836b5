import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts ranked ballots in rounds; the weakest candidate leaves after each round. */
public class Main {

    record Ballot(int copies, List<String> ranking) {

        static Ballot parse(String line) {
            String[] parts = line.split(":");
            List<String> ranking = List.of(parts[1].trim().split("\\s*>\\s*"));
            if (ranking.stream().distinct().count() < ranking.size()) {
                throw new IllegalArgumentException("a name stands twice in " + line);
            }
            return new Ballot(Integer.parseInt(parts[0].trim()), ranking);
        }

        /** The highest name that is still standing, or null for an exhausted ballot. */
        String choice(Set<String> standing) {
            return ranking.stream().filter(standing::contains).findFirst().orElse(null);
        }
    }

    private final List<Ballot> ballots;
    private final Set<String> standing = new LinkedHashSet<>();
    private Map<String, Integer> firstRound;

    Main(List<String> lines) {
        ballots = lines.stream().map(Ballot::parse).toList();
        ballots.forEach(ballot -> standing.addAll(ballot.ranking()));
    }

    private Map<String, Integer> count() {
        Map<String, Integer> votes = new TreeMap<>();
        standing.forEach(name -> votes.put(name, 0));
        ballots.stream()
            .filter(ballot -> ballot.choice(standing) != null)
            .forEach(ballot -> votes.merge(ballot.choice(standing), ballot.copies(), Integer::sum));
        return votes;
    }

    /** Ballots that no longer name anybody who is standing. */
    int exhausted() {
        return ballots.stream()
            .filter(ballot -> ballot.choice(standing) == null)
            .mapToInt(Ballot::copies)
            .sum();
    }

    private static boolean hasMajority(String name, Map<String, Integer> votes) {
        int active = votes.values().stream().mapToInt(Integer::intValue).sum();
        return 2 * votes.get(name) > active;
    }

    private String weakest(Map<String, Integer> votes) {
        Comparator<String> byVotes = Comparator.comparing(votes::get);
        return votes.keySet().stream()
            .min(byVotes.thenComparing(this::firstVotes).thenComparing(Comparator.reverseOrder()))
            .orElseThrow();
    }

    private int firstVotes(String name) {
        return firstRound.get(name);
    }

    private static String report(Map<String, Integer> votes) {
        return votes.entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    }

    String elect() {
        for (int round = 1; ; round++) {
            Map<String, Integer> votes = count();
            if (round == 1) {
                firstRound = votes;
            }
            System.out.println("round " + round + ": " + report(votes));
            for (String name : votes.keySet()) {
                if (hasMajority(name, votes) || standing.size() == 1) {
                    return name;
                }
            }
            String loser = weakest(votes);
            standing.remove(loser);
            System.out.println("  " + loser + " leaves");
        }
    }

    /** The candidate who would beat every other one in a duel, or "nobody". */
    String duelWinner() {
        for (String name : standing) {
            if (standing.stream().allMatch(other -> other.equals(name) || beats(name, other))) {
                return name;
            }
        }
        return "nobody";
    }

    private boolean beats(String one, String other) {
        Set<String> pair = Set.of(one, other);
        int margin = 0;
        for (Ballot ballot : ballots) {
            String choice = ballot.choice(pair);
            if (choice != null) {
                margin += choice.equals(one) ? ballot.copies() : -ballot.copies();
            }
        }
        return margin > 0;
    }

    public static void main(String[] args) {
        Main election = new Main(List.of(
            "8: Rosa > Vera > Ines", "5: Vera > Ines", "4: Ines > Vera > Rosa", "4: Tom > Ines", "1: Zoe"));
        System.out.println("duels: " + election.duelWinner());
        System.out.println("elected: " + election.elect());
    }
}
