package creatures;

public class Dragon extends Creature {
    public Dragon(String name, Dice dice) {
        super(name, 25, dice);
    }

    @Override
    protected int strength(int roll) {
        return 2 * roll;
    }

    @Override
    protected void onWound() {
        if (health() < 10) {
            heal(dice.roll());
        }
    }

    @Override
    protected int soften(int damage) {
        return damage / 2;
    }
}
