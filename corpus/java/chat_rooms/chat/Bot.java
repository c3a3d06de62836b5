package chat;

/** Greets a room and counts what it hears. */
public class Bot extends Member {
    private int heard;

    public Bot(String name) {
        super(name);
    }

    @Override
    protected void joined(String room) {
        say(room, name() + " is here");
    }

    @Override
    void receive(Message message) {
        super.receive(message);
        heard++;
        if (message.text().equals("!count")) {
            hub.send(message.answer(this, heard + " heard"));
        }
    }
}
