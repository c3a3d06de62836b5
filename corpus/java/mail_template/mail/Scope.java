package mail;

import java.util.Map;

/** Values by name; an inner scope hides names of the outer one. */
public abstract class Scope {

    /** The value of a name, or null. */
    abstract String find(String name);

    public static Scope of(Map<String, String> values) {
        return new Scope() {
            @Override
            String find(String name) {
                return values.get(name);
            }
        };
    }

    public Scope with(String own, String value) {
        Scope outer = this;
        return new Scope() {
            @Override
            String find(String name) {
                return name.equals(own) ? value : outer.find(name);
            }
        };
    }

    boolean isSet(String name) {
        String value = find(name);
        return value != null && !value.isEmpty();
    }
}
