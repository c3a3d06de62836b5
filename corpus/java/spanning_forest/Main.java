import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Plans the cheapest cables between villages, and counts islands of a map with the same helper. */
public class Main {

    /** Disjoint groups of the numbers from 0 on. */
    static final class Groups {
        private final int[] parent;
        private final int[] size;
        private int count;

        Groups(int n) {
            parent = IntStream.range(0, n).toArray();
            size = new int[n];
            Arrays.fill(size, 1);
            count = n;
        }

        int find(int item) {
            if (parent[item] != item) {
                parent[item] = find(parent[item]);
            }
            return parent[item];
        }

        boolean union(int a, int b) {
            int large = find(a);
            int small = find(b);
            if (large == small) {
                return false;
            }
            if (size[large] < size[small]) {
                int swap = large;
                large = small;
                small = swap;
            }
            parent[small] = large;
            size[large] += size[small];
            count--;
            return true;
        }

        int sizeOf(int item) {
            return size[find(item)];
        }
    }

    record Cable(String from, String to, int cost) {
        Cable {
            if (cost < 0) {
                throw new IllegalArgumentException("negative cost " + cost);
            }
        }

        static Cable parse(String text) {
            String[] parts = text.split("[-:]");
            return new Cable(parts[0], parts[1], Integer.parseInt(parts[2]));
        }

        String ends() {
            return from + "-" + to;
        }
    }

    static List<Cable> plan(List<String> villages, List<Cable> offers) {
        Groups groups = new Groups(villages.size());
        return offers.stream()
            .sorted(Comparator.comparingInt(Cable::cost).thenComparing(Cable::ends))
            .filter(cable -> groups.union(index(villages, cable.from()), index(villages, cable.to())))
            .toList();
    }

    private static int index(List<String> villages, String name) {
        int index = villages.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("no village " + name);
        }
        return index;
    }

    static boolean connected(List<String> villages, List<Cable> cables) {
        return cables.size() == villages.size() - 1;
    }

    /** Joins land cells that touch at a side; gives the number of islands and the largest size. */
    static int[] islands(String... rows) {
        int width = rows[0].length();
        Groups groups = new Groups(rows.length * width);
        int water = 0;
        for (int y = 0; y < rows.length; y++) {
            for (int x = 0; x < width; x++) {
                if (rows[y].charAt(x) != '#') {
                    water++;
                    continue;
                }
                if (x > 0 && rows[y].charAt(x - 1) == '#') {
                    groups.union(y * width + x, y * width + x - 1);
                }
                if (y > 0 && rows[y - 1].charAt(x) == '#') {
                    groups.union(y * width + x, (y - 1) * width + x);
                }
            }
        }
        int largest = 0;
        for (int cell = 0; cell < rows.length * width; cell++) {
            if (rows[cell / width].charAt(cell % width) == '#') {
                largest = Math.max(largest, groups.sizeOf(cell));
            }
        }
        return new int[] {groups.count - water, largest};
    }

    public static void main(String[] args) {
        List<String> villages = List.of("Arn", "Bex", "Col", "Dun", "Eze");
        String prices = "Arn-Bex:7 Bex-Col:3 Arn-Col:3 Col-Dun:9 Bex-Dun:8 Dun-Eze:4";
        List<Cable> offers = Arrays.stream(prices.split(" ")).map(Cable::parse).toList();
        List<Cable> cables = plan(villages, offers);
        cables.forEach(cable -> System.out.println(cable.ends() + " for " + cable.cost()));
        System.out.println("total " + cables.stream().mapToInt(Cable::cost).sum());
        System.out.println(Arrays.toString(islands("##..#", "#...#", "..#..", "###.#")));
    }
}
