package creatures;

abstract class Fighter extends Creature {
    private final int weapon;

    Fighter(String name, int health, int weapon, Dice dice) {
        super(name, health, dice);
        this.weapon = weapon;
    }

    @Override
    protected int strength(int roll) {
        return roll == 1 ? 0 : weapon + roll;
    }
}
