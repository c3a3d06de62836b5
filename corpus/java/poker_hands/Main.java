import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

public class Main {

    record Card(int rank, char suit) {
        private static final String RANKS = "23456789TJQKA";

        static Card of(String text) {
            int index = text.length() == 2 ? RANKS.indexOf(text.charAt(0)) : -1;
            if (index < 0) {
                throw new IllegalArgumentException("no card " + text);
            }
            return new Card(index + 2, text.charAt(1));
        }
    }

    /** From the best to the worst; a hand belongs to the first category whose test it passes. */
    enum Category {
        STRAIGHT_FLUSH(hand -> hand.flush() && hand.straight()),
        FOUR(hand -> hand.shape(4, 1)),
        FULL_HOUSE(hand -> hand.shape(3, 2)),
        FLUSH(Hand::flush),
        STRAIGHT(Hand::straight),
        THREE(hand -> hand.shape(3, 1, 1)),
        TWO_PAIRS(hand -> hand.shape(2, 2, 1)),
        PAIR(hand -> hand.shape(2, 1, 1, 1)),
        HIGH_CARD(hand -> true);

        private final Predicate<Hand> test;

        Category(Predicate<Hand> test) {
            this.test = test;
        }

        static Category of(Hand hand) {
            return Arrays.stream(values()).filter(category -> category.test.test(hand)).findFirst().get();
        }
    }

    static class Hand implements Comparable<Hand> {
        private static final Comparator<Hand> ORDER =
            Comparator.comparing(Hand::category).reversed().thenComparing(Hand::ranks, Main::lexical);

        private final String text;
        private final List<Card> cards;
        private final List<Integer> ranks;

        Hand(String text) {
            this.text = text;
            this.cards = Arrays.stream(text.split(" ")).map(Card::of).toList();
            if (cards.size() != 5) {
                throw new IllegalArgumentException("a hand has five cards: " + text);
            }
            this.ranks = sortedRanks();
        }

        /** Ranks that come more often stand first, then higher ones. */
        private List<Integer> sortedRanks() {
            List<Integer> sorted = new ArrayList<>(cards.stream().map(Card::rank).toList());
            Map<Integer, Integer> counts = counts();
            Comparator<Integer> byCount = Comparator.comparing(counts::get);
            sorted.sort(byCount.thenComparing(Comparator.naturalOrder()).reversed());
            // An ace can stand below a two, and is then the lowest card.
            return sorted.equals(List.of(14, 5, 4, 3, 2)) ? List.of(5, 4, 3, 2, 1) : sorted;
        }

        private Map<Integer, Integer> counts() {
            Map<Integer, Integer> counts = new TreeMap<>();
            cards.forEach(card -> counts.merge(card.rank(), 1, Integer::sum));
            return counts;
        }

        boolean flush() {
            return cards.stream().map(Card::suit).distinct().count() == 1;
        }

        boolean straight() {
            return shape(1, 1, 1, 1, 1) && ranks.get(0) - ranks.get(4) == 4;
        }

        boolean shape(Integer... wanted) {
            List<Integer> sizes = new ArrayList<>(counts().values());
            sizes.sort(Collections.reverseOrder());
            return sizes.equals(List.of(wanted));
        }

        boolean beats(Hand other) {
            return compareTo(other) > 0;
        }

        Category category() {
            return Category.of(this);
        }

        List<Integer> ranks() {
            return ranks;
        }

        @Override
        public int compareTo(Hand other) {
            return ORDER.compare(this, other);
        }
    }

    static int lexical(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < one.size(); i++) {
            int order = Integer.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    static List<Hand> winners(List<Hand> hands) {
        Hand best = Collections.max(hands);
        return hands.stream().filter(hand -> hand.compareTo(best) == 0).toList();
    }

    static void showdown(String... texts) {
        List<Hand> best = winners(Arrays.stream(texts).map(Hand::new).toList());
        System.out.println(best.get(0).category() + ": " + best.stream().map(hand -> hand.text).toList());
    }

    public static void main(String[] args) {
        showdown("2H 3H 4H 5H 6H", "AH AC AD AS KH");
        showdown("9H 9C 4D 4S KH", "9D 9S 4H 4C QH", "TD TS 2C 2D 3H");
        showdown("AH 2C 3D 4S 5H", "2D 3S 4H 5C 6H");
        showdown("KH QH 9H 5H 2H", "KD QD 9D 5D 2D", "AH KC QD JS 9H");
    }
}
