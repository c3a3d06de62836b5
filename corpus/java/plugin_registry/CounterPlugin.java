/** Keeps a sum between calls. */
class CounterPlugin {
    private int total;

    CounterPlugin() {
        total = start();
    }

    protected int start() {
        return 100;
    }

    @Command(name = "count", usage = "[BY]")
    Integer count(Integer by) {
        total += by == null ? 1 : by;
        return total;
    }

    @Command(name = "reset")
    String reset() {
        total = start();
        return "ok";
    }
}
