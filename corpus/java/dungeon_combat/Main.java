import creatures.Creature;
import creatures.Dice;
import creatures.Dragon;
import creatures.Knight;
import creatures.Rogue;
import java.util.List;

public class Main {

    static Creature fight(Creature one, Creature other) {
        for (int round = 1; round <= 20; round++) {
            Creature attacker = round % 2 == 1 ? one : other;
            Creature target = attacker == one ? other : one;
            System.out.println(attacker.attack(target));
            if (target.isDown()) {
                return attacker;
            }
        }
        return null;
    }

    public static void main(String[] args) {
        Dice dice = new Dice(List.of(4, 6, 2, 5, 3, 1));
        Creature winner = fight(new Knight("Bran", dice), new Rogue("Nim", dice));
        System.out.println(winner == null ? "a draw" : winner + " wins");
        winner = fight(new Dragon("Smolder", dice), winner);
        System.out.println(winner == null ? "a draw" : winner + " wins");
    }
}
