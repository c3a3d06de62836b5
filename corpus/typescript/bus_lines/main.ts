import { type Stop, Network } from "./network/index.js";
import { shortest, reachable } from "./network/search";

const network = new Network();
network.line("red", ["Mill", "Market", "Station", "Park"]);
network.line("blue", ["Harbour", "Market", "School"]);
network.line("ferry", ["Harbour", "Island"], { twoWay: false });

const show = (route: Stop[] | null): string => route?.join(" > ") ?? "no way";

console.log(show(shortest(network, "Mill", "School")));
console.log(show(shortest(network, "Island", "Park")));
console.log(show(shortest(network, "Park", "Island")));
console.log(show(shortest(network, "Park", "Park")));
console.log([...reachable(network, "School", 2)].sort().join(" "));
console.log(network.changes(["Mill", "Market", "Harbour", "Island"]));
