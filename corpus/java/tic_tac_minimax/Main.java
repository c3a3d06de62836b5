import java.util.Arrays;

/** Plays noughts and crosses without mistakes, by looking at every continuation. */
public class Main {

    static final int WIN = 10;

    static final int[][] LINES = {
        {0, 1, 2}, {3, 4, 5}, {6, 7, 8},
        {0, 3, 6}, {1, 4, 7}, {2, 5, 8},
        {0, 4, 8}, {2, 4, 6},
    };

    private final char[] cells = new char[9];
    private int examined;

    Main(String position) {
        if (position.length() != 9) {
            throw new IllegalArgumentException("a position has 9 cells");
        }
        for (int i = 0; i < 9; i++) {
            cells[i] = position.charAt(i);
        }
    }

    /** The player with three in a line, or a dot. */
    char winner() {
        for (int[] line : LINES) {
            char first = cells[line[0]];
            if (first != '.' && first == cells[line[1]] && first == cells[line[2]]) {
                return first;
            }
        }
        return '.';
    }

    boolean full() {
        for (char cell : cells) {
            if (cell == '.') {
                return false;
            }
        }
        return true;
    }

    /** The best cell for X, which is to move. */
    int chooseForX() {
        int best = Integer.MIN_VALUE;
        int chosen = -1;
        for (int cell = 0; cell < 9; cell++) {
            if (cells[cell] != '.') {
                continue;
            }
            cells[cell] = 'X';
            int value = worstForX(1);
            cells[cell] = '.';
            if (value > best) {
                best = value;
                chosen = cell;
            }
        }
        return chosen;
    }

    private int worstForX(int depth) {
        examined++;
        if (winner() == 'X') {
            return WIN - depth;
        }
        if (full()) {
            return 0;
        }
        int worst = Integer.MAX_VALUE;
        for (int cell = 0; cell < 9; cell++) {
            if (cells[cell] == '.') {
                cells[cell] = 'O';
                worst = Math.min(worst, bestForX(depth + 1));
                cells[cell] = '.';
            }
        }
        return worst;
    }

    private int bestForX(int depth) {
        examined++;
        if (winner() == 'O') {
            return depth - WIN;
        }
        if (full()) {
            return 0;
        }
        int best = Integer.MIN_VALUE;
        for (int cell = 0; cell < 9; cell++) {
            if (cells[cell] == '.') {
                cells[cell] = 'X';
                best = Math.max(best, worstForX(depth + 1));
                cells[cell] = '.';
            }
        }
        return best;
    }

    void play(int cell, char player) {
        if (cells[cell] != '.') {
            throw new IllegalStateException("cell " + cell + " is taken");
        }
        cells[cell] = player;
    }

    /** X begins, so O is to move whenever X has one cell more. */
    char toMove() {
        int lead = 0;
        for (char cell : cells) {
            lead += cell == 'X' ? 1 : cell == 'O' ? -1 : 0;
        }
        return lead > 0 ? 'O' : 'X';
    }

    String draw() {
        StringBuilder board = new StringBuilder();
        for (int row = 0; row < 3; row++) {
            board.append(new String(Arrays.copyOfRange(cells, 3 * row, 3 * row + 3)));
            board.append(row < 2 ? "/" : "");
        }
        return board.toString();
    }

    static void solve(String position) {
        Main game = new Main(position);
        int cell = game.chooseForX();
        game.play(cell, 'X');
        String end = game.winner() == 'X' ? "wins" : game.full() ? "draws" : "goes on";
        System.out.println(cell + " " + game.draw() + " " + end + " after " + game.examined);
    }

    public static void main(String[] args) {
        solve("XX.OO....");
        solve("OO..X....");
        solve("X..OO...X");
        solve("OXOXXOXO.");
    }
}
