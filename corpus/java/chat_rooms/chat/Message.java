package chat;

/** A text that begins with {@code @name} is for that member alone. */
record Message(Member sender, String room, String text) {

    boolean isFor(String name) {
        return !text.startsWith("@") || text.startsWith("@" + name + " ");
    }

    Message answer(Member by, String reply) {
        return new Message(by, room, "@" + sender.name() + " " + reply);
    }

    String show() {
        return sender.name() + ": " + text;
    }
}
