import access.Action;
import access.Directory;
import access.Role;
import java.util.List;

public class Main {

    static void ask(Directory directory, String user, Action action, String path) {
        boolean allowed = directory.allows(user, action, path);
        System.out.println(user + " " + action.verb() + " " + path + ": " + (allowed ? "yes" : "no"));
    }

    public static void main(String[] args) {
        Directory directory = new Directory();
        Role guest = directory.define("guest", List.of()).grant("/public", Action.READ);
        Role writer = directory.define("writer", List.of("guest"))
            .grant("/drafts", Action.READ, Action.WRITE)
            .deny("/drafts/secret", Action.WRITE);
        Role chief = directory.define("chief", List.of("writer")).grant("/", Action.APPROVE);
        directory.assign("gil", guest);
        directory.assign("wim", writer);
        directory.assign("cho", chief);

        ask(directory, "gil", Action.READ, "/public/menu");
        ask(directory, "gil", Action.WRITE, "/public/menu");
        ask(directory, "wim", Action.READ, "/public");
        ask(directory, "wim", Action.WRITE, "/drafts/secret/plan");
        ask(directory, "wim", Action.READ, "/drafts/secret/plan");
        ask(directory, "wim", Action.READ, "/draftsman");
        ask(directory, "cho", Action.READ, "/drafts/poem");
        ask(directory, "cho", Action.APPROVE, "/drafts/secret");
        ask(directory, "eve", Action.READ, "/public");
    }
}
