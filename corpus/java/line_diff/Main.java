import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Compares two texts line by line and writes the shortest script of changes. */
public class Main {

    sealed interface Edit permits Keep, Remove, Insert {}

    record Keep(String line) implements Edit {}

    record Remove(String line) implements Edit {}

    record Insert(String line) implements Edit {}

    /** longest[i][j] is the length of the longest common part of the tails from i and from j. */
    static int[][] measure(List<String> before, List<String> after) {
        int[][] longest = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                longest[i][j] = before.get(i).equals(after.get(j))
                    ? longest[i + 1][j + 1] + 1
                    : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        return longest;
    }

    static List<Edit> compare(List<String> before, List<String> after) {
        int[][] longest = measure(before, after);
        List<Edit> script = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < before.size() && j < after.size()) {
            if (before.get(i).equals(after.get(j))) {
                script.add(new Keep(before.get(i++)));
                j++;
            } else if (longest[i + 1][j] >= longest[i][j + 1]) {
                script.add(new Remove(before.get(i++)));
            } else {
                script.add(new Insert(after.get(j++)));
            }
        }
        for (; i < before.size(); i++) {
            script.add(new Remove(before.get(i)));
        }
        for (; j < after.size(); j++) {
            script.add(new Insert(after.get(j)));
        }
        return script;
    }

    static boolean changes(Edit edit) {
        return !(edit instanceof Keep);
    }

    static String show(Edit edit) {
        if (edit instanceof Keep keep) {
            return "  " + keep.line();
        }
        if (edit instanceof Remove remove) {
            return "- " + remove.line();
        }
        return "+ " + ((Insert) edit).line();
    }

    /** Leaves out unchanged lines that are farther than {@code margin} from any change. */
    static List<String> hunks(List<Edit> script, int margin) {
        List<String> shown = new ArrayList<>();
        boolean skipping = false;
        for (int at = 0; at < script.size(); at++) {
            int from = Math.max(0, at - margin);
            int to = Math.min(script.size(), at + margin + 1);
            if (script.subList(from, to).stream().anyMatch(Main::changes)) {
                shown.add(show(script.get(at)));
                skipping = false;
            } else if (!skipping) {
                shown.add("...");
                skipping = true;
            }
        }
        return shown;
    }

    static List<Edit> invert(List<Edit> script) {
        List<Edit> inverse = new ArrayList<>();
        for (Edit edit : script) {
            if (edit instanceof Remove remove) {
                inverse.add(new Insert(remove.line()));
            } else if (edit instanceof Insert insert) {
                inverse.add(new Remove(insert.line()));
            } else {
                inverse.add(edit);
            }
        }
        return inverse;
    }

    static double similarity(List<String> before, List<String> after) {
        int total = before.size() + after.size();
        return total == 0 ? 1 : 2.0 * measure(before, after)[0][0] / total;
    }

    public static void main(String[] args) {
        List<String> before = List.of("flour", "sugar", "salt", "eggs", "milk", "butter", "yeast");
        List<String> after = List.of("flour", "honey", "sugar", "eggs", "milk", "butter", "nuts");
        List<Edit> script = compare(before, after);
        hunks(script, 1).forEach(System.out::println);
        List<Edit> nothing = compare(after, after);
        System.out.println(hunks(nothing, 3) + " " + compare(List.of(), List.of("x")));
        System.out.printf("%.3f %.1f%n", similarity(before, after), similarity(List.of(), List.of()));
    }
}
