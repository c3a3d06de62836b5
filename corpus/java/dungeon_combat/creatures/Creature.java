package creatures;

/** The frame of a fight; kinds of creatures fill in the steps. */
public abstract class Creature {
    private final String name;
    protected final Dice dice;
    private int health;

    protected Creature(String name, int health, Dice dice) {
        this.name = name;
        this.health = health;
        this.dice = dice;
    }

    public final String attack(Creature target) {
        int before = target.health;
        for (int blow = 0; blow < blows() && !target.isDown(); blow++) {
            target.suffer(strength(dice.roll()));
        }
        return this + " takes " + (before - target.health) + " from " + target;
    }

    protected int blows() {
        return 1;
    }

    protected abstract int strength(int roll);

    protected int soften(int damage) {
        return damage;
    }

    protected void onWound() {
    }

    private void suffer(int damage) {
        int rest = Math.max(0, soften(damage));
        health = Math.max(0, health - rest);
        if (rest > 0 && !isDown()) {
            onWound();
        }
    }

    protected final void heal(int points) {
        health += points;
    }

    protected final int health() {
        return health;
    }

    public final boolean isDown() {
        return health == 0;
    }

    @Override
    public String toString() {
        return name;
    }
}
