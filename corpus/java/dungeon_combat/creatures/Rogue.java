package creatures;

public class Rogue extends Fighter {
    public Rogue(String name, Dice dice) {
        super(name, 15, 1, dice);
    }

    @Override
    protected int blows() {
        return super.blows() + 1;
    }

    @Override
    protected int strength(int roll) {
        return roll == 6 ? 2 * super.strength(roll) : super.strength(roll);
    }
}
