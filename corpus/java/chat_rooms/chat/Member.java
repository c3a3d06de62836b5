package chat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

public class Member {
    private final String name;
    private final List<String> inbox = new ArrayList<>();
    private final Set<String> muted = new HashSet<>();
    protected Hub hub;

    public Member(String name) {
        this.name = name;
    }

    public final String name() {
        return name;
    }

    final void attach(Hub hub) {
        this.hub = hub;
    }

    protected void joined(String room) {
    }

    public void say(String room, String text) {
        if (hub == null) {
            throw new IllegalStateException(name + " is in no room");
        }
        hub.send(new Message(this, room, text));
    }

    public void mute(String other) {
        muted.add(other);
    }

    public void unmute(String other) {
        muted.remove(other);
    }

    void receive(Message message) {
        if (!muted.contains(message.sender().name())) {
            inbox.add(message.show());
        }
    }

    public List<String> inbox() {
        return inbox;
    }
}
