package creatures;

import java.util.List;

/** Rolls that are known beforehand; after the last one the first comes again. */
public final class Dice {
    private final List<Integer> rolls;
    private int used;

    public Dice(List<Integer> rolls) {
        this.rolls = List.copyOf(rolls);
    }

    int roll() {
        return rolls.get(used++ % rolls.size());
    }
}
