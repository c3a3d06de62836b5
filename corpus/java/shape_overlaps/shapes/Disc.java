package shapes;

public final class Disc extends Shape {
    final double x;
    final double y;
    final double radius;

    public Disc(String name, double x, double y, double radius) {
        super(name);
        if (radius < 0) {
            throw new IllegalArgumentException("radius of " + name + " is negative");
        }
        this.x = x;
        this.y = y;
        this.radius = radius;
    }

    boolean covers(double px, double py) {
        return square(px - x) + square(py - y) <= square(radius);
    }

    @Override
    public double area() {
        return Math.PI * square(radius);
    }

    @Override
    public boolean meets(Shape other) {
        return other.meetsDisc(this);
    }

    @Override
    boolean meetsBox(Box box) {
        return box.meetsDisc(this);
    }

    @Override
    boolean meetsDisc(Disc disc) {
        return square(x - disc.x) + square(y - disc.y) <= square(radius + disc.radius);
    }
}
