import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Loads parcels into equal vans by several simple strategies. */
public class Main {

    record Parcel(String label, int volume) {
        Parcel {
            if (volume < 1) {
                throw new IllegalArgumentException(label + " has no volume");
            }
        }

        static Parcel[] batch(String prefix, int... volumes) {
            Parcel[] parcels = new Parcel[volumes.length];
            Arrays.setAll(parcels, i -> new Parcel(prefix + (i + 1), volumes[i]));
            return parcels;
        }
    }

    static final class Van {
        static final int CAPACITY = 100;

        private final List<Parcel> load = new ArrayList<>();
        private final int number;

        Van(int number) {
            this.number = number;
        }

        int room() {
            return CAPACITY - load.stream().mapToInt(Parcel::volume).sum();
        }

        boolean fits(Parcel parcel) {
            return parcel.volume() <= room();
        }

        void add(Parcel parcel) {
            load.add(parcel);
        }
    }

    /** Chooses one of the vans into which a parcel fits. */
    @FunctionalInterface
    interface Choice {
        Optional<Van> among(Stream<Van> fitting);
    }

    enum Strategy {
        NEXT_FIT(Strategy::newest, false),
        FIRST_FIT(Stream::findFirst, false),
        BEST_FIT(vans -> vans.min(Comparator.comparingInt(Van::room)), false),
        FIRST_FIT_DECREASING(Stream::findFirst, true),
        WORST_FIT(Strategy::roomiest, false);

        private final Choice choice;
        private final boolean sorts;

        Strategy(Choice choice, boolean sorts) {
            this.choice = choice;
            this.sorts = sorts;
        }

        private static Optional<Van> newest(Stream<Van> vans) {
            return vans.max(Comparator.comparingInt(van -> van.number));
        }

        private static Optional<Van> roomiest(Stream<Van> vans) {
            return vans.max(Comparator.comparingInt(Van::room));
        }

        List<Van> pack(Parcel... parcels) {
            Parcel[] order = parcels.clone();
            if (sorts) {
                Arrays.sort(order, Comparator.comparingInt(Parcel::volume).reversed());
            }
            List<Van> vans = new ArrayList<>();
            for (Parcel parcel : order) {
                if (parcel.volume() > Van.CAPACITY) {
                    throw new IllegalArgumentException(parcel.label() + " fits into no van");
                }
                // A closed van takes nothing more: with next fit only the newest one is open.
                int closed = this == NEXT_FIT ? Math.max(0, vans.size() - 1) : 0;
                Stream<Van> fitting = vans.stream().skip(closed).filter(van -> van.fits(parcel));
                choice.among(fitting).orElseGet(() -> hire(vans)).add(parcel);
            }
            return vans;
        }

        private static Van hire(List<Van> vans) {
            Van van = new Van(vans.size() + 1);
            vans.add(van);
            return van;
        }
    }

    static int lowerBound(Parcel... parcels) {
        int total = Arrays.stream(parcels).mapToInt(Parcel::volume).sum();
        return (total + Van.CAPACITY - 1) / Van.CAPACITY;
    }

    static String describe(Van van) {
        StringBuilder text = new StringBuilder();
        van.load.forEach(parcel -> text.append(parcel.label()).append(' '));
        return text + "(" + van.room() + ")";
    }

    public static void main(String[] args) {
        Parcel[] parcels = Parcel.batch("p", 50, 70, 30, 20, 80, 40, 10);
        System.out.println("at least " + lowerBound(parcels));
        for (Strategy strategy : Strategy.values()) {
            if (strategy != Strategy.WORST_FIT) {
                List<String> vans = strategy.pack(parcels).stream().map(Main::describe).toList();
                System.out.println(strategy + " " + vans.size() + ": " + String.join("; ", vans));
            }
        }
        try {
            Strategy.FIRST_FIT.pack(Parcel.batch("crate", 100, 101));
        } catch (IllegalArgumentException tooLarge) {
            System.out.println(tooLarge.getMessage());
        }
    }
}
