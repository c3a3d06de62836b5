package garage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

public final class Garage {
    private final List<Place> places = new ArrayList<>();
    private final List<String> journal = new ArrayList<>();
    private final Tariff tariff;
    private int levels;
    private int takings;
    private int turnedAway;

    public Garage(Tariff tariff) {
        this.tariff = tariff;
    }

    public Garage level(Size... sizes) {
        levels++;
        for (int i = 0; i < sizes.length; i++) {
            places.add(new Place(levels + "" + (char) ('A' + i), sizes[i]));
        }
        return this;
    }

    public void enter(String plate, Size vehicle, int minute) {
        if (find(plate).isPresent()) {
            throw new IllegalStateException(plate + " is inside already");
        }
        Optional<Place> best = places.stream()
            .filter(Place::free)
            .filter(place -> place.size.takes(vehicle))
            .min(Comparator.comparing(place -> place.size));
        best.ifPresentOrElse(place -> admit(place, plate, vehicle, minute), () -> turnAway(plate));
    }

    private void admit(Place place, String plate, Size vehicle, int minute) {
        place.park(plate, vehicle, minute);
        journal.add(plate + " parks at " + place.label);
    }

    private void turnAway(String plate) {
        turnedAway++;
        journal.add(plate + " finds no place");
    }

    private Optional<Place> find(String plate) {
        return places.stream().filter(place -> place.holds(plate)).findAny();
    }

    public void leave(String plate, int minute) {
        int price = find(plate).map(place -> place.clear(tariff, minute)).orElse(-1);
        journal.add(price < 0 ? plate + " is not here" : plate + " pays " + price);
        takings += Math.max(0, price);
    }

    public long freePlaces(Size vehicle) {
        return places.stream().filter(Place::free).filter(place -> place.size.takes(vehicle)).count();
    }

    public List<String> report() {
        List<String> lines = new ArrayList<>(journal);
        lines.add("takings " + takings + ", turned away " + turnedAway);
        return lines;
    }
}
