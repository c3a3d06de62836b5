import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Builds statements for a database step by step, with parameters kept apart from the text. */
public class Main {

    record Statement(String text, List<Object> parameters) {
        @Override
        public String toString() {
            return text + " " + parameters;
        }
    }

    /** What statements with a condition have in common; each step gives the builder itself. */
    static abstract class Conditional<B extends Conditional<B>> {
        private final StringJoiner conditions = new StringJoiner(" AND ");
        private final List<Object> parameters = new ArrayList<>();

        protected abstract B self();

        protected abstract String head();

        protected String tail() {
            return "";
        }

        B where(String column, Object value) {
            if (value == null) {
                return condition(column + " IS NULL");
            }
            return condition(column + " = ?", value);
        }

        B whereBetween(String column, int low, int high) {
            return condition(column + " BETWEEN ? AND ?", low, high);
        }

        B whereIn(String column, Object... values) {
            if (values.length == 0) {
                return condition("1 = 0");
            }
            String marks = "?, ".repeat(values.length - 1) + "?";
            return condition(column + " IN (" + marks + ")", values);
        }

        private B condition(String text, Object... values) {
            conditions.add(text);
            parameters.addAll(List.of(values));
            return self();
        }

        boolean restricted() {
            return conditions.length() > 0;
        }

        protected List<Object> before() {
            return List.of();
        }

        Statement build() {
            String where = restricted() ? " WHERE " + conditions : "";
            List<Object> all = new ArrayList<>(before());
            all.addAll(parameters);
            return new Statement(head() + where + tail(), all);
        }
    }

    static final class Select extends Conditional<Select> {
        private final String table;
        private final List<String> columns;
        private final List<String> order = new ArrayList<>();
        private int limit;

        private Select(String table, String... columns) {
            this.table = table;
            this.columns = List.of(columns);
        }

        Select orderBy(String column) {
            order.add(column);
            return this;
        }

        Select descending() {
            if (order.isEmpty()) {
                throw new IllegalStateException("no column to turn");
            }
            int last = order.size() - 1;
            order.set(last, order.get(last) + " DESC");
            return this;
        }

        Select limit(int rows) {
            limit = rows;
            return this;
        }

        @Override
        protected Select self() {
            return this;
        }

        @Override
        protected String head() {
            return "SELECT " + (columns.isEmpty() ? "*" : String.join(", ", columns)) + " FROM " + table;
        }

        @Override
        protected String tail() {
            String sorting = order.isEmpty() ? "" : " ORDER BY " + String.join(", ", order);
            return sorting + (limit > 0 ? " LIMIT " + limit : "");
        }
    }

    static final class Update extends Conditional<Update> {
        private final String table;
        private final StringJoiner changes = new StringJoiner(", ");
        private final List<Object> values = new ArrayList<>();

        Update(String table) {
            this.table = table;
        }

        Update set(String column, Object value) {
            changes.add(column + " = ?");
            values.add(value);
            return self();
        }

        @Override
        protected Update self() {
            return this;
        }

        @Override
        protected String head() {
            return "UPDATE " + table + " SET " + changes;
        }

        @Override
        protected List<Object> before() {
            return values;
        }

        @Override
        Statement build() {
            if (!restricted()) {
                throw new IllegalStateException("update of all rows of " + table);
            }
            return super.build();
        }
    }

    public static void main(String[] args) {
        System.out.println(new Select("users", "id", "name").where("town", "Bern").where("left_on", null)
            .orderBy("name").orderBy("born").descending().limit(5).build());
        System.out.println(new Select("orders").whereIn("state", "new", "paid").build());
        System.out.println(new Update("stock").whereIn("shelf").set("count", 0).where("item", "rug").build());
        Update careless = new Update("users").set("active", true);
        try {
            System.out.println(careless.build());
        } catch (IllegalStateException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
