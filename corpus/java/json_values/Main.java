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
        inspect("{\"a\": [true, null, -12.75]}", "/a/2");
        inspect("[ 1, {} ]", "/2");
    }
}
