import java.util.Map;

public class Main {

    interface Visitor<R> {
        R visitNumber(Num node);

        R visitVariable(Variable node);

        R visitSum(Sum node);

        R visitProduct(Product node);
    }

    static abstract class Expr {
        abstract <R> R accept(Visitor<R> visitor);

        Expr plus(Expr other) {
            return new Sum(this, other);
        }

        Expr times(Expr other) {
            return new Product(this, other);
        }

        Expr minus(Expr other) {
            return plus(new Num(-1).times(other));
        }

        boolean is(int value) {
            return false;
        }
    }

    static final class Num extends Expr {
        final int value;

        Num(int value) {
            this.value = value;
        }

        @Override
        <R> R accept(Visitor<R> visitor) {
            return visitor.visitNumber(this);
        }

        @Override
        boolean is(int wanted) {
            return value == wanted;
        }
    }

    static final class Variable extends Expr {
        final String name;

        Variable(String name) {
            this.name = name;
        }

        @Override
        <R> R accept(Visitor<R> visitor) {
            return visitor.visitVariable(this);
        }
    }

    static abstract class Binary extends Expr {
        final Expr left;
        final Expr right;

        Binary(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }
    }

    static final class Sum extends Binary {
        Sum(Expr left, Expr right) {
            super(left, right);
        }

        @Override
        <R> R accept(Visitor<R> visitor) {
            return visitor.visitSum(this);
        }
    }

    static final class Product extends Binary {
        Product(Expr left, Expr right) {
            super(left, right);
        }

        @Override
        <R> R accept(Visitor<R> visitor) {
            return visitor.visitProduct(this);
        }
    }

    record Evaluator(Map<String, Integer> values) implements Visitor<Integer> {
        public Integer visitNumber(Num node) {
            return node.value;
        }

        public Integer visitVariable(Variable node) {
            if (!values.containsKey(node.name)) {
                throw new IllegalArgumentException("unbound " + node.name);
            }
            return values.get(node.name);
        }

        public Integer visitSum(Sum node) {
            return node.left.accept(this) + node.right.accept(this);
        }

        public Integer visitProduct(Product node) {
            return node.left.accept(this) * node.right.accept(this);
        }
    }

    static class Printer implements Visitor<String> {
        public String visitNumber(Num node) {
            return node.value < 0 ? "(" + node.value + ")" : Integer.toString(node.value);
        }

        public String visitVariable(Variable node) {
            return node.name;
        }

        public String visitSum(Sum node) {
            return node.left.accept(this) + " + " + node.right.accept(this);
        }

        public String visitProduct(Product node) {
            return factor(node.left) + " * " + factor(node.right);
        }

        private String factor(Expr expr) {
            String text = expr.accept(this);
            return expr instanceof Sum ? "(" + text + ")" : text;
        }
    }

    /** Differentiates with respect to one variable and drops what is plainly 0 or 1. */
    record Derivative(String by) implements Visitor<Expr> {
        public Expr visitNumber(Num node) {
            return new Num(0);
        }

        public Expr visitVariable(Variable node) {
            return new Num(node.name.equals(by) ? 1 : 0);
        }

        public Expr visitSum(Sum node) {
            return add(node.left.accept(this), node.right.accept(this));
        }

        public Expr visitProduct(Product node) {
            return add(scale(node.left.accept(this), node.right), scale(node.right.accept(this), node.left));
        }

        private static Expr add(Expr left, Expr right) {
            if (left.is(0)) {
                return right;
            }
            return right.is(0) ? left : left.plus(right);
        }

        private static Expr scale(Expr slope, Expr factor) {
            if (slope.is(0)) {
                return slope;
            }
            return slope.is(1) ? factor : slope.times(factor);
        }
    }

    public static void main(String[] args) {
        Expr x = new Variable("x");
        Expr y = new Variable("y");
        Expr curve = x.times(x).times(new Num(3)).plus(y.plus(new Num(-4)).times(x));
        Expr slope = curve.accept(new Derivative("x"));
        Printer printer = new Printer();
        System.out.println(curve.accept(printer));
        System.out.println(slope.accept(printer));
        var evaluator = new Evaluator(Map.of("x", 2, "y", 5));
        System.out.println(curve.accept(evaluator) + " and " + slope.accept(evaluator));
    }
}
