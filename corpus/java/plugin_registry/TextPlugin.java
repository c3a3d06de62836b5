class TextPlugin {

    @Command(name = "reverse", usage = "WORD", least = 1)
    String reverse(String word) {
        return new StringBuilder(word).reverse().toString();
    }

    @Command(name = "repeat", usage = "WORD [TIMES]", least = 1)
    String repeat(String word, Integer times) {
        return word.repeat(times == null ? standardTimes() : times);
    }

    private int standardTimes() {
        return 2;
    }
}
