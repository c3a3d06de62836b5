import sheet.Sheet;

public class Main {

    public static void main(String[] args) {
        Sheet sheet = new Sheet();
        sheet.set("A1", "12");
        sheet.set("A2", "30.5");
        sheet.set("A3", "=A1+A2*2");
        sheet.set("B1", "=SUM(A1:A3)-1");
        sheet.set("B2", "=MAX(A1:B1)/0");
        sheet.set("C1", "=C2");
        sheet.set("C2", "=C1+1");
        sheet.set("D1", "=B2+1");
        for (String name : new String[] {"A3", "B1", "B2", "C1", "D1", "E9"}) {
            System.out.println(name + " = " + sheet.show(name));
        }
        sheet.set("A1", "=1");
        System.out.println("B1 = " + sheet.show("B1"));
    }
}
