import java.util.Arrays;

/** Solves small sudoku puzzles, 4 by 4, with one bit for each candidate. */
public class Main {

    private static final int SIZE = 4;
    private static final int ALL = (1 << SIZE) - 1;

    private final int[] candidates = new int[SIZE * SIZE];
    private final boolean[] placed = new boolean[SIZE * SIZE];
    private int guesses;

    Main() {
        Arrays.fill(candidates, ALL);
    }

    private Main(Main other) {
        System.arraycopy(other.candidates, 0, candidates, 0, candidates.length);
        System.arraycopy(other.placed, 0, placed, 0, placed.length);
        guesses = other.guesses;
    }

    /** Reads digits and dots row by row; gives null if the digits contradict each other. */
    static Main read(String givens) {
        Main grid = new Main();
        for (int cell = 0; cell < SIZE * SIZE; cell++) {
            char given = givens.charAt(cell);
            if (given != '.' && !grid.place(cell, 1 << (given - '1'))) {
                return null;
            }
        }
        return grid;
    }

    private boolean place(int cell, int bit) {
        if ((candidates[cell] & bit) == 0) {
            return false;
        }
        if (placed[cell]) {
            return true;
        }
        candidates[cell] = bit;
        placed[cell] = true;
        for (int other = 0; other < SIZE * SIZE; other++) {
            if (other != cell && sees(cell, other) && !exclude(other, bit)) {
                return false;
            }
        }
        return true;
    }

    private boolean exclude(int cell, int bit) {
        if ((candidates[cell] & bit) == 0) {
            return true;
        }
        candidates[cell] &= ~bit;
        return switch (Integer.bitCount(candidates[cell])) {
            case 0 -> false;
            case 1 -> place(cell, candidates[cell]);
            default -> true;
        };
    }

    private static boolean sees(int a, int b) {
        int rowA = a / SIZE;
        int rowB = b / SIZE;
        int columnA = a % SIZE;
        int columnB = b % SIZE;
        boolean sameBox = rowA / 2 == rowB / 2 && columnA / 2 == columnB / 2;
        return rowA == rowB || columnA == columnB || sameBox;
    }

    /** The solved grid, or null. */
    Main solve() {
        int cell = narrowest();
        if (cell < 0) {
            return this;
        }
        for (int bit = 1; bit <= ALL; bit <<= 1) {
            if ((candidates[cell] & bit) == 0) {
                continue;
            }
            guesses++;
            Main copy = new Main(this);
            Main solved = copy.place(cell, bit) ? copy.solve() : null;
            if (solved != null) {
                return solved;
            }
            guesses = copy.guesses;
        }
        return null;
    }

    private int narrowest() {
        int best = -1;
        int fewest = SIZE + 1;
        for (int cell = 0; cell < SIZE * SIZE; cell++) {
            int count = Integer.bitCount(candidates[cell]);
            if (!placed[cell] && count < fewest) {
                best = cell;
                fewest = count;
            }
        }
        return best;
    }

    boolean solved() {
        return narrowest() < 0;
    }

    String draw() {
        StringBuilder text = new StringBuilder();
        for (int cell = 0; cell < SIZE * SIZE; cell++) {
            if (cell > 0 && cell % SIZE == 0) {
                text.append('/');
            }
            text.append(placed[cell] ? 1 + Integer.numberOfTrailingZeros(candidates[cell]) : ".");
        }
        return text.toString();
    }

    static void report(String givens) {
        Main grid = read(givens);
        if (grid == null) {
            System.out.println("contradiction");
            return;
        }
        Main solved = grid.solve();
        String end = solved == null ? "no solution" : solved.draw() + ", " + solved.guesses + " guesses";
        System.out.println(grid.draw() + " -> " + end);
    }

    public static void main(String[] args) {
        report("1.....2..3.....4");
        report("12..............");
        report("1..............1");
        report("11..............");
        report("12....3.........");
    }
}
