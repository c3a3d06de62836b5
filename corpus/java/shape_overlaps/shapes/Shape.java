package shapes;

/** A closed region of the plane. Whether two of them meet depends on the kinds of both. */
public abstract class Shape {
    private final String name;

    protected Shape(String name) {
        this.name = name;
    }

    public abstract double area();

    /** First dispatch, by this shape; the second one is by the other shape. */
    public abstract boolean meets(Shape other);

    abstract boolean meetsBox(Box box);

    abstract boolean meetsDisc(Disc disc);

    public boolean isLarger(Shape other) {
        return area() > other.area();
    }

    static double square(double length) {
        return length * length;
    }

    @Override
    public String toString() {
        return name;
    }
}
