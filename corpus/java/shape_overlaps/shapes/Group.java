package shapes;

import java.util.List;

/** Several shapes that count as one. */
public final class Group extends Shape {
    private final List<Shape> parts;

    public Group(String name, Shape... parts) {
        super(name);
        this.parts = List.of(parts);
    }

    /** Parts that lie over each other count several times. */
    @Override
    public double area() {
        return parts.stream().mapToDouble(Shape::area).sum();
    }

    @Override
    public boolean meets(Shape other) {
        return parts.stream().anyMatch(part -> part.meets(other));
    }

    @Override
    boolean meetsBox(Box box) {
        return meets(box);
    }

    @Override
    boolean meetsDisc(Disc disc) {
        return meets(disc);
    }
}
