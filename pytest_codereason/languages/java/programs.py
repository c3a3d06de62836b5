"""Small programs in Java, with the results of running them."""

from pytest_codereason.core import Example

PROGRAMS = (
    Example(
        files={
            "Main.java": "import java.util.List;\n\nclass Main {\n    static List<Integer> f(int n) {\n"
            "        return List.of(n, -n);\n    }\n}\n"
        },
        entry="Main.java",
        call="f(3)",
        value="List.of(3, -3)",
    ),
    Example(
        files={
            "Main.java": "import shop.Prices;\n\nclass Main {\n    static int f(int n) {\n"
            "        return n * Prices.PRICE;\n    }\n}\n",
            "shop/Prices.java": "package shop;\n\nimport tax.Tax;\n\npublic class Prices {\n"
            "    public static final int PRICE = Tax.added(10);\n}\n",
            "tax/Tax.java": "package tax;\n\npublic class Tax {\n"
            "    public static int added(int price) {\n        return price + 2;\n    }\n}\n",
        },
        entry="Main.java",
        call="f(3)",
        value="36",
    ),
    Example(
        files={
            "app/Main.java": "package app;\n\npublic class Main {\n    public static void main(String[] arguments) {\n"
            "        new Greeter().greet();\n    }\n}\n",
            "app/Greeter.java": "package app;\n\nclass Greeter {\n    void greet() {\n"
            '        System.out.println(Words.HELLO + " all");\n    }\n}\n',
            "app/Words.java": 'package app;\n\nclass Words {\n    static final String HELLO = "hello";\n}\n',
        },
        entry="app/Main.java",
        stdout="hello all\n",
    ),
)
