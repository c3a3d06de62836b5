package mail;

import java.util.Map;

/** Text with places in braces; see {@link #render}. */
public final class Template {
    private final String text;
    private final Map<String, Filter> filters;

    public Template(String text, Map<String, Filter> filters) {
        this.text = text;
        this.filters = filters;
    }

    public String render(Scope scope) {
        StringBuilder result = new StringBuilder();
        boolean shown = true;
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            int until = open < 0 ? text.length() : open;
            if (shown) {
                result.append(text, at, until);
            }
            if (open < 0) {
                break;
            }
            if (text.startsWith("{{", open)) {
                result.append(shown ? "{" : "");
                at = open + 2;
                continue;
            }
            String tag = tag(open);
            at = open + tag.length() + 2;
            if (tag.equals("/")) {
                shown = true;
            } else if (tag.startsWith("?")) {
                shown = scope.isSet(tag.substring(1));
            } else if (shown) {
                result.append(evaluate(tag, scope));
            }
        }
        return result.toString();
    }

    private String tag(int open) {
        int close = text.indexOf('}', open);
        if (close < 0) {
            throw new IllegalArgumentException("tag at " + open + " is not closed");
        }
        return text.substring(open + 1, close);
    }

    private String evaluate(String tag, Scope scope) {
        String[] parts = tag.split("\\|");
        String value = scope.find(parts[0]);
        if (value == null) {
            return "?" + parts[0];
        }
        for (int i = 1; i < parts.length; i++) {
            value = filter(parts[i]).apply(value);
        }
        return value;
    }

    private Filter filter(String name) {
        Filter filter = filters.get(name);
        if (filter == null) {
            throw new IllegalArgumentException("no filter " + name);
        }
        return filter;
    }
}
