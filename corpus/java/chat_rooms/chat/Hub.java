package chat;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Members know only the hub; it knows who is in which room. */
public final class Hub {
    private final Map<String, Set<Member>> rooms = new LinkedHashMap<>();
    private int dropped;

    public void join(String room, Member member) {
        boolean fresh = rooms.computeIfAbsent(room, key -> new LinkedHashSet<>()).add(member);
        member.attach(this);
        if (fresh) {
            member.joined(room);
        }
    }

    public void leave(String room, Member member) {
        Set<Member> members = rooms.get(room);
        if (members != null && members.remove(member) && members.isEmpty()) {
            rooms.remove(room);
        }
    }

    void send(Message message) {
        Set<Member> members = rooms.getOrDefault(message.room(), Set.of());
        if (!members.contains(message.sender())) {
            dropped++;
            return;
        }
        for (Member member : List.copyOf(members)) {
            if (member != message.sender() && message.isFor(member.name())) {
                member.receive(message);
            }
        }
    }

    public int dropped() {
        return dropped;
    }
}
