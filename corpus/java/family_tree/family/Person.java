package family;

import java.util.Optional;
import java.util.stream.Stream;

/** A person; parents may be unknown. */
public record Person(String name, int born, Optional<Person> mother, Optional<Person> father) {

    Stream<Person> parents() {
        return Stream.of(mother, father).flatMap(Optional::stream);
    }

    boolean isChildOf(Person other) {
        return parents().anyMatch(other::equals);
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Person person && person.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
