package garage;

final class Place {
    final String label;
    final Size size;
    private String plate;
    private Size vehicle;
    private int since;

    Place(String label, Size size) {
        this.label = label;
        this.size = size;
    }

    boolean free() {
        return plate == null;
    }

    boolean holds(String wanted) {
        return wanted.equals(plate);
    }

    void park(String newPlate, Size newVehicle, int minute) {
        plate = newPlate;
        vehicle = newVehicle;
        since = minute;
    }

    int clear(Tariff tariff, int minute) {
        plate = null;
        return tariff.price(minute - since, vehicle);
    }
}
