package creatures;

public class Knight extends Fighter {
    private int shield = 3;

    public Knight(String name, Dice dice) {
        super(name, 20, 4, dice);
    }

    @Override
    protected int soften(int damage) {
        return super.soften(damage) - shield;
    }

    /** Each wound dents the shield. */
    @Override
    protected void onWound() {
        super.onWound();
        shield = Math.max(0, shield - 1);
    }
}
