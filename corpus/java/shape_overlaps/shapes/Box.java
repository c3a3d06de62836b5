package shapes;

public final class Box extends Shape {
    final double left;
    final double bottom;
    final double right;
    final double top;

    public Box(String name, double left, double bottom, double right, double top) {
        super(name);
        if (left > right || bottom > top) {
            throw new IllegalArgumentException("corners of " + name + " are exchanged");
        }
        this.left = left;
        this.bottom = bottom;
        this.right = right;
        this.top = top;
    }

    @Override
    public double area() {
        return (right - left) * (top - bottom);
    }

    @Override
    public boolean meets(Shape other) {
        return other.meetsBox(this);
    }

    @Override
    boolean meetsBox(Box box) {
        return left <= box.right && box.left <= right && bottom <= box.top && box.bottom <= top;
    }

    @Override
    boolean meetsDisc(Disc disc) {
        double x = clamp(disc.x, left, right);
        double y = clamp(disc.y, bottom, top);
        return disc.covers(x, y);
    }

    private static double clamp(double value, double low, double high) {
        return Math.max(low, Math.min(high, value));
    }
}
