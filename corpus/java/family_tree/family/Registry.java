package family;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;

public final class Registry {
    private final Map<String, Person> people = new LinkedHashMap<>();

    public void add(String name, int born, String mother, String father) {
        Optional<Person> knownMother = Optional.ofNullable(mother).map(this::get);
        Optional<Person> knownFather = Optional.ofNullable(father).map(this::get);
        Person person = new Person(name, born, knownMother, knownFather);
        if (person.parents().anyMatch(parent -> parent.born() >= born)) {
            throw new IllegalArgumentException(name + " is older than a parent");
        }
        people.put(name, person);
    }

    public Person get(String name) {
        Person person = people.get(name);
        if (person == null) {
            throw new NoSuchElementException("nobody is called " + name);
        }
        return person;
    }

    private Stream<Person> children(Person parent) {
        return people.values().stream().filter(person -> person.isChildOf(parent));
    }

    /** All descendants, oldest first. */
    public List<Person> descendants(Person person) {
        return below(person).distinct().sorted(Comparator.comparingInt(Person::born)).toList();
    }

    private Stream<Person> below(Person person) {
        return children(person).flatMap(child -> Stream.concat(Stream.of(child), below(child)));
    }

    public int depth(Person person) {
        return 1 + children(person).mapToInt(this::depth).max().orElse(0);
    }
}
