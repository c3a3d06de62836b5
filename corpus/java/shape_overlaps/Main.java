import java.util.List;
import shapes.Box;
import shapes.Disc;
import shapes.Group;
import shapes.Shape;

/** Tells which shapes on a plan share at least a point. */
public class Main {

    public static void main(String[] args) {
        Shape table = new Box("table", 0, 0, 4, 2);
        Shape lamp = new Disc("lamp", 5, 1, 1);
        Shape rug = new Disc("rug", 6, 4, 2);
        Shape shelf = new Box("shelf", 8, 0, 9, 3);
        Shape corner = new Group("corner", rug, shelf);
        List<Shape> plan = List.of(table, lamp, rug, shelf, corner);
        for (int i = 0; i < plan.size(); i++) {
            for (int j = i + 1; j < plan.size(); j++) {
                if (plan.get(i).meets(plan.get(j))) {
                    System.out.println(plan.get(i) + " meets " + plan.get(j));
                }
            }
        }
        for (Shape shape : plan) {
            System.out.printf("%s %.2f%n", shape, shape.area());
        }
    }
}
