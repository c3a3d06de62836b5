import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Square matrices over any numbers that can be added and multiplied. */
public class Main {

    interface Ring<E> {
        E zero();

        E one();

        E add(E a, E b);

        E multiply(E a, E b);

        /** By repeated squaring. */
        default E power(E base, int exponent) {
            if (exponent < 0) {
                throw new ArithmeticException("negative exponent " + exponent);
            }
            E result = one();
            E square = base;
            for (int rest = exponent; rest > 0; rest /= 2) {
                if (rest % 2 == 1) {
                    result = multiply(result, square);
                }
                square = multiply(square, square);
            }
            return result;
        }

        default E sum(Iterable<? extends E> parts) {
            E total = zero();
            for (E part : parts) {
                total = add(total, part);
            }
            return total;
        }
    }

    static Ring<Long> modulo(long modulus) {
        return new Ring<>() {
            public Long zero() {
                return 0L;
            }

            public Long one() {
                return 1 % modulus;
            }

            public Long add(Long a, Long b) {
                return reduce(a + b);
            }

            public Long multiply(Long a, Long b) {
                return reduce(a * b);
            }

            private long reduce(long value) {
                return Math.floorMod(value, modulus);
            }
        };
    }

    /** Distances: "adding" takes the shorter one, "multiplying" goes one after the other. */
    static final Ring<Integer> DISTANCES = new Ring<>() {
        private static final int FAR = 1_000_000;

        public Integer zero() {
            return FAR;
        }

        public Integer one() {
            return 0;
        }

        public Integer add(Integer a, Integer b) {
            return Math.min(a, b);
        }

        public Integer multiply(Integer a, Integer b) {
            return Math.min(FAR, a + b);
        }
    };

    record Matrices<E>(Ring<E> scalars, int size) implements Ring<List<E>> {
        interface Cell<E> {
            E at(int row, int column);
        }

        private List<E> fill(Cell<E> cell) {
            List<E> entries = new ArrayList<>(size * size);
            for (int i = 0; i < size * size; i++) {
                entries.add(cell.at(i / size, i % size));
            }
            return entries;
        }

        public List<E> zero() {
            return fill((row, column) -> scalars.zero());
        }

        public List<E> one() {
            return fill((row, column) -> row == column ? scalars.one() : scalars.zero());
        }

        public List<E> add(List<E> a, List<E> b) {
            return fill((r, c) -> scalars.add(a.get(r * size + c), b.get(r * size + c)));
        }

        public List<E> multiply(List<E> a, List<E> b) {
            return fill((row, column) -> {
                List<E> products = new ArrayList<>();
                for (int k = 0; k < size; k++) {
                    products.add(scalars.multiply(a.get(row * size + k), b.get(k * size + column)));
                }
                return scalars.sum(products);
            });
        }

        String draw(List<E> matrix) {
            StringJoiner rows = new StringJoiner("; ");
            for (int row = 0; row < size; row++) {
                rows.add(matrix.subList(row * size, (row + 1) * size).toString());
            }
            return rows.toString();
        }
    }

    public static void main(String[] args) {
        Matrices<Long> small = new Matrices<>(modulo(1000), 2);
        List<Long> fibonacci = small.power(List.of(1L, 1L, 1L, 0L), 30);
        System.out.println(small.draw(fibonacci));
        Matrices<Integer> roads = new Matrices<>(DISTANCES, 3);
        int none = DISTANCES.zero();
        List<Integer> map = List.of(0, 4, none, none, 0, 1, 7, none, 0);
        System.out.println(roads.draw(roads.power(map, 2)));
        System.out.println(modulo(7).power(3L, 6) + " " + roads.draw(roads.power(map, 0)));
    }
}
