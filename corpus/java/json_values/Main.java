import json.Parser;
import json.Pointer;

public class Main {

    static void inspect(String text, String path) {
        try {
            Object document = new Parser(text).document();
            System.out.println(path + " -> " + new Pointer(path).resolve(document));
        } catch (IllegalArgumentException mistake) {
            System.out.println(mistake.getMessage());
        }
    }

    public static void main(String[] args) {
        String menu = """
            {"dishes": [{"name": "Soup \\"of the day\\""}, {"name": "Stew", "price": 11, "hot": true}]}""";
        inspect(menu, "/dishes/0/name");
        inspect(menu, "/dishes/1");
        inspect("[1, 2", "/0");
        inspect("{\"a\": nul}", "/a");
        inspect("[-12.75]]", "/0");
    }
}
