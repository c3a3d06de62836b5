import library.Catalogue;
import library.Reader;

public class Main {

    static void attempt(String title, Runnable action) {
        try {
            action.run();
            System.out.println(title + ": done");
        } catch (Catalogue.Refused refused) {
            System.out.println(title + ": " + refused.getMessage());
        }
    }

    public static void main(String[] args) {
        Catalogue catalogue = new Catalogue();
        catalogue.add("Moby Dick", 1);
        catalogue.add("Atlas", 2);
        Reader eva = new Reader.Adult("Eva");
        Reader max = new Reader.Child("Max");

        attempt("Eva takes Moby Dick", () -> catalogue.lend(eva, "Moby Dick", 1));
        attempt("Max takes Moby Dick", () -> catalogue.lend(max, "Moby Dick", 2));
        catalogue.reserve(max, "Moby Dick");
        attempt("Eva renews", () -> catalogue.renew(eva, "Moby Dick", 10));
        attempt("Max takes Atlas", () -> catalogue.lend(max, "Atlas", 3));
        attempt("Max renews Atlas", () -> catalogue.renew(max, "Atlas", 17));
        System.out.println("Eva pays " + catalogue.giveBack(eva, "Moby Dick", 32));
        attempt("Max takes Moby Dick", () -> catalogue.lend(max, "Moby Dick", 33));
        System.out.println("Max pays " + catalogue.giveBack(max, "Atlas", 41));
    }
}
