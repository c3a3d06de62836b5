package access;

import java.util.EnumSet;
import java.util.Set;

/** What can be done with a document; some actions include others. */
public enum Action {
    READ, COMMENT, WRITE, APPROVE;

    Set<Action> implied() {
        return switch (this) {
            case READ, APPROVE -> EnumSet.of(this);
            case COMMENT -> EnumSet.of(READ, COMMENT);
            case WRITE -> EnumSet.range(READ, WRITE);
        };
    }

    public String verb() {
        return name().toLowerCase() + "s";
    }
}
