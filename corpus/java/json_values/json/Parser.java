package json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Parser {
    private final String text;
    private int place;

    public Parser(String text) {
        this.text = text;
    }

    public Object document() {
        Object value = value();
        if (place < text.length()) {
            throw expected("end");
        }
        return value;
    }

    private Object value() {
        skipBlanks();
        Object value = switch (place < text.length() ? text.charAt(place) : ' ') {
            case '{' -> object();
            case '[' -> array();
            case '"' -> quoted();
            default -> bare();
        };
        skipBlanks();
        return value;
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        place++;
        skipBlanks();
        while (!accept('}')) {
            separate(members.isEmpty());
            String name = quoted();
            skipBlanks();
            expect(':');
            members.put(name, value());
        }
        return members;
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        place++;
        skipBlanks();
        while (!accept(']')) {
            separate(items.isEmpty());
            items.add(value());
        }
        return items;
    }

    private void separate(boolean first) {
        if (!first) {
            expect(',');
            skipBlanks();
        }
    }

    private String quoted() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (!accept('"')) {
            accept('\\');
            if (place == text.length()) {
                throw expected("\"");
            }
            value.append(text.charAt(place++));
        }
        return value.toString();
    }

    private Object bare() {
        int begin = place;
        while (place < text.length()
                && ",]}:".indexOf(text.charAt(place)) < 0 && !Character.isWhitespace(text.charAt(place))) {
            place++;
        }
        String word = text.substring(begin, place);
        if (word.matches("-?\\d+(\\.\\d+)?")) {
            return Double.valueOf(word);
        }
        if (word.matches("true|false|null")) {
            return word.equals("null") ? null : Boolean.valueOf(word);
        }
        place = begin;
        throw expected("value");
    }

    private boolean accept(char wanted) {
        boolean there = place < text.length() && text.charAt(place) == wanted;
        place += there ? 1 : 0;
        return there;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw expected(String.valueOf(wanted));
        }
    }

    private void skipBlanks() {
        while (place < text.length() && Character.isWhitespace(text.charAt(place))) {
            place++;
        }
    }

    private RuntimeException expected(String what) {
        return new IllegalArgumentException(what + " expected at " + place);
    }
}
