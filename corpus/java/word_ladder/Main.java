import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Main {

    private final Set<String> words;

    Main(Collection<String> words) {
        this.words = words.stream().map(Main::normal).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String normal(String word) {
        String text = word.trim().toLowerCase();
        if (!text.matches("[a-z]+")) {
            throw new IllegalArgumentException("no word: " + word);
        }
        return text;
    }

    /** All known words one step away, in alphabetical order. */
    List<String> neighbours(String word) {
        return Stream.of(changed(word), shortened(word), lengthened(word))
            .flatMap(candidates -> candidates)
            .filter(words::contains)
            .filter(candidate -> !candidate.equals(word))
            .distinct()
            .sorted()
            .toList();
    }

    private static IntStream letters() {
        return IntStream.rangeClosed('a', 'z');
    }

    private static Stream<String> changed(String word) {
        return IntStream.range(0, word.length()).boxed().flatMap(
            place -> letters().mapToObj(letter -> splice(word, place, (char) letter, place + 1)));
    }

    private static Stream<String> lengthened(String word) {
        return IntStream.rangeClosed(0, word.length()).boxed().flatMap(
            place -> letters().mapToObj(letter -> splice(word, place, (char) letter, place)));
    }

    private static Stream<String> shortened(String word) {
        return IntStream.range(0, word.length())
            .mapToObj(place -> word.substring(0, place) + word.substring(place + 1));
    }

    private static String splice(String word, int end, char letter, int rest) {
        return word.substring(0, end) + letter + word.substring(rest);
    }

    /** The shortest ladder from one word to another, or an empty list. */
    List<String> ladder(String from, String to) {
        Map<String, String> reachedFrom = new HashMap<>();
        Deque<String> queue = new ArrayDeque<>(List.of(from));
        reachedFrom.put(from, from);
        while (!queue.isEmpty()) {
            String word = queue.remove();
            if (word.equals(to)) {
                return climb(reachedFrom, to);
            }
            for (String next : neighbours(word)) {
                if (reachedFrom.putIfAbsent(next, word) == null) {
                    queue.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<String> climb(Map<String, String> reachedFrom, String last) {
        List<String> ladder = new ArrayList<>();
        String word = last;
        while (true) {
            ladder.add(word);
            String before = reachedFrom.get(word);
            if (before.equals(word)) {
                Collections.reverse(ladder);
                return ladder;
            }
            word = before;
        }
    }

    /** The number of steps to the farthest word that can be reached. */
    int reach(String from) {
        return words.stream().mapToInt(word -> ladder(from, word).size() - 1).max().orElse(-1);
    }

    List<String> loners() {
        return words.stream().filter(word -> neighbours(word).isEmpty()).toList();
    }

    public static void main(String[] args) {
        Main game = new Main(List.of(
            "cold", "cord", "card", "ward", "warm", "worm", "word", "Ward", "wad", "cod", "xylem", "war"));
        System.out.println(game.neighbours("ward"));
        System.out.println(game.ladder("cold", "warm"));
        System.out.println(game.ladder("cod", "wad"));
        System.out.println(game.ladder("cold", "xylem") + " " + game.ladder("word", "word"));
        System.out.println(game.loners());
    }
}
