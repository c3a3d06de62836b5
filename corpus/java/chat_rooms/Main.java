import chat.Bot;
import chat.Hub;
import chat.Member;

public class Main {

    public static void main(String[] args) {
        Hub hub = new Hub();
        Member lea = new Member("lea");
        Member tim = new Member("tim");
        Bot bot = new Bot("clerk");
        hub.join("garden", lea);
        hub.join("garden", bot);
        hub.join("garden", tim);
        hub.join("office", tim);

        lea.say("garden", "hello all");
        lea.say("garden", "!count");
        tim.mute("lea");
        lea.say("garden", "@tim are you there");
        lea.say("office", "anybody");
        hub.leave("garden", bot);
        tim.say("garden", "!count");

        System.out.println("lea " + lea.inbox());
        System.out.println("tim " + tim.inbox());
        System.out.println("dropped " + hub.dropped());
    }
}
