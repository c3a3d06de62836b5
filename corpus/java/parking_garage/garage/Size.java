package garage;

/** Sizes of vehicles and places, from small to large. */
public enum Size {
    SMALL, MEDIUM, LARGE;

    boolean takes(Size vehicle) {
        return vehicle.compareTo(this) <= 0;
    }

    int surcharge() {
        return this == LARGE ? 200 : 0;
    }
}
