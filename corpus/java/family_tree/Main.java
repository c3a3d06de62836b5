import family.Kinship;
import family.Person;
import family.Registry;

public class Main {

    static Registry village() {
        Registry registry = new Registry();
        registry.add("Edith", 1890, null, null);
        registry.add("Oskar", 1887, null, null);
        registry.add("Mina", 1912, "Edith", "Oskar");
        registry.add("Karl", 1915, "Edith", "Oskar");
        registry.add("Lotte", 1914, null, null);
        registry.add("Hanna", 1938, "Mina", null);
        registry.add("Jonas", 1940, "Lotte", "Karl");
        registry.add("Pia", 1943, "Lotte", "Karl");
        registry.add("Timo", 1965, "Hanna", null);
        return registry;
    }

    public static void main(String[] args) {
        Registry registry = village();
        Kinship kinship = new Kinship(registry);
        String[][] pairs = {
            {"Timo", "Edith"}, {"Hanna", "Jonas"}, {"Jonas", "Pia"}, {"Mina", "Pia"}, {"Timo", "Jonas"},
            {"Karl", "Lotte"},
        };
        for (String[] pair : pairs) {
            System.out.println(pair[0] + " and " + pair[1] + ": " + kinship.describe(pair[0], pair[1]));
        }
        Person edith = registry.get("Edith");
        System.out.println("descendants of Edith: " + registry.descendants(edith));
    }
}
