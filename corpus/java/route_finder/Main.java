import java.util.Optional;
import transit.Network;
import transit.Planner;
import transit.Route;

public class Main {

    static Network city() {
        return new Network()
            .line("red", 2, "Airport", "Harbour", "Market", "Museum")
            .line("blue", 3, "Market", "Castle", "University")
            .line("green", 6, "Harbour", "Castle", "Stadium");
    }

    static void print(String wish, Optional<Route> route) {
        System.out.println(wish + ": " + route.map(Route::describe).orElse("no way"));
    }

    public static void main(String[] args) {
        Network network = city();
        Planner quick = new Planner(network, 0);
        Planner lazy = new Planner(network, 5);
        print("quick to the castle", quick.find("Airport", "Castle"));
        print("lazy to the castle", lazy.find("Airport", "Castle"));
        print("to the stadium", lazy.find("University", "Stadium"));
        print("to the moon", quick.find("Museum", "Moon"));
    }
}
