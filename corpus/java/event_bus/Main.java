import bus.EventBus;
import bus.Subscription;
import java.util.ArrayList;
import java.util.List;

public class Main {

    sealed interface HomeEvent {}

    record DoorOpened(String door) implements HomeEvent {}

    record TemperatureRead(String room, double degrees) implements HomeEvent {}

    static class Alarm {
        private final List<String> log = new ArrayList<>();
        private boolean armed = true;

        void onDoor(DoorOpened event) {
            if (armed) {
                raise("intruder at " + event.door());
            }
        }

        void disarm() {
            armed = false;
        }

        private void raise(String reason) {
            log.add(reason);
        }

        int alarms() {
            return log.size();
        }
    }

    static String thermostat(TemperatureRead reading) {
        if (reading.degrees() < 18.0) {
            return "heat " + reading.room();
        }
        return reading.degrees() > 24.0 ? "cool " + reading.room() : "keep " + reading.room();
    }

    public static void main(String[] args) {
        EventBus bus = new EventBus();
        Alarm alarm = new Alarm();
        bus.on(DoorOpened.class, alarm::onDoor);
        bus.on(TemperatureRead.class, reading -> System.out.println(thermostat(reading)));
        Subscription counter = bus.on(HomeEvent.class, event -> System.out.println("seen " + event));
        bus.on(TemperatureRead.class, reading -> {
            throw new IllegalStateException("display broken");
        });

        bus.publish(new DoorOpened("kitchen"));
        bus.publish(new TemperatureRead("attic", 17.9));
        counter.cancel();
        alarm.disarm();
        bus.publish(new DoorOpened("garage"));
        bus.publish(new TemperatureRead("cellar", 18.0));
        bus.publish("power cut");
        System.out.println(alarm.alarms() + " alarms, " + bus.failures() + ", unheard " + bus.unheard());
    }
}
