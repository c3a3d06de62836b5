import garage.Garage;
import garage.Size;
import garage.Tariff;

public class Main {

    public static void main(String[] args) {
        Tariff weekday = new Tariff(30, 150, 1200);
        Garage garage = new Garage(weekday)
            .level(Size.SMALL, Size.SMALL, Size.LARGE)
            .level(Size.MEDIUM, Size.LARGE);
        garage.enter("van-1", Size.LARGE, 480);
        garage.enter("bike-2", Size.SMALL, 485);
        garage.enter("car-3", Size.MEDIUM, 490);
        garage.enter("car-4", Size.MEDIUM, 495);
        garage.enter("car-5", Size.MEDIUM, 500);
        garage.leave("bike-2", 510);
        garage.leave("van-1", 511);
        garage.enter("car-5", Size.MEDIUM, 530);
        garage.leave("car-3", 490 + 61);
        garage.leave("car-4", 495 + 1500);
        garage.leave("car-3", 600);
        garage.report().forEach(System.out::println);
    }
}
