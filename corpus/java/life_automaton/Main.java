import java.util.Arrays;
import java.util.function.BiPredicate;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Main {

    /** A rule such as B3/S23: what makes a cell be born and what lets it survive. */
    record Rule(IntPredicate born, IntPredicate survives) {

        static Rule parse(String text) {
            String[] parts = text.split("/");
            return new Rule(among(parts[0], 'B'), among(parts[1], 'S'));
        }

        private static IntPredicate among(String part, char letter) {
            if (part.isEmpty() || part.charAt(0) != letter) {
                throw new IllegalArgumentException("expected " + letter + " in " + part);
            }
            boolean[] wanted = new boolean[9];
            part.substring(1).chars().forEach(digit -> wanted[digit - '0'] = true);
            return neighbours -> wanted[neighbours];
        }

        boolean next(boolean alive, int neighbours) {
            return (alive ? survives : born).test(neighbours);
        }
    }

    /** A world whose borders are joined, left with right and top with bottom. */
    record World(int width, int height, boolean[] cells) {

        static World parse(String... rows) {
            int width = rows[0].length();
            return fill(width, rows.length, (x, y) -> rows[y].charAt(x) == 'o');
        }

        static World fill(int width, int height, BiPredicate<Integer, Integer> alive) {
            boolean[] cells = new boolean[width * height];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = alive.test(i % width, i / width);
            }
            return new World(width, height, cells);
        }

        boolean at(int x, int y) {
            return cells[Math.floorMod(y, height) * width + Math.floorMod(x, width)];
        }

        int neighbours(int x, int y) {
            return (int) IntStream.range(0, 9)
                .filter(i -> i != 4)
                .filter(i -> at(x + i % 3 - 1, y + i / 3 - 1))
                .count();
        }

        World step(Rule rule) {
            return fill(width, height, (x, y) -> rule.next(at(x, y), neighbours(x, y)));
        }

        int population() {
            return (int) IntStream.range(0, cells.length).filter(i -> cells[i]).count();
        }

        World shifted(int dx, int dy) {
            return fill(width, height, (x, y) -> at(x - dx, y - dy));
        }

        boolean same(World other) {
            return Arrays.equals(cells, other.cells);
        }

        String draw() {
            return IntStream.range(0, height).mapToObj(this::row).collect(Collectors.joining("/"));
        }

        private String row(int y) {
            StringBuilder row = new StringBuilder();
            for (int x = 0; x < width; x++) {
                row.append(at(x, y) ? 'o' : '.');
            }
            return row.toString();
        }
    }

    /** The number of steps after which a world looks as at the start, or -1 if it takes more. */
    static int period(World start, Rule rule, int most) {
        World world = start;
        for (int step = 1; step <= most; step++) {
            world = world.step(rule);
            if (world.same(start)) {
                return step;
            }
        }
        return -1;
    }

    public static void main(String[] args) {
        Rule life = Rule.parse("B3/S23");
        World blinker = World.parse(".....", "..o..", "..o..", "..o..", ".....");
        System.out.println(blinker.step(life).draw() + " period " + period(blinker, life, 5));

        World glider = World.parse(".o....", "..o...", "ooo...", "......", "......", "......");
        World later = glider;
        for (int i = 0; i < 4; i++) {
            later = later.step(life);
        }
        System.out.println("moved: " + later.same(glider.shifted(1, 1)));
        System.out.println("home after " + period(glider, life, 30));
        World seeds = World.parse("......", "..oo..", "......", "......").step(Rule.parse("B2/S"));
        System.out.println(seeds.draw());
    }
}
