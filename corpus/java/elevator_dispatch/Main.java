import java.util.TreeSet;

/** One lift that serves calls on its way before it turns round. */
public class Main {

    enum Motion {
        IDLE {
            @Override
            Motion step(Lift lift) {
                if (lift.stops.isEmpty()) {
                    return IDLE;
                }
                if (lift.stops.contains(lift.floor)) {
                    return OPEN;
                }
                return lift.nearestIsAbove() ? UP : DOWN;
            }
        },
        UP {
            @Override
            Motion step(Lift lift) {
                lift.move(1);
                return arrive(lift, lift.stops.higher(lift.floor) != null);
            }
        },
        DOWN {
            @Override
            Motion step(Lift lift) {
                lift.move(-1);
                return arrive(lift, lift.stops.lower(lift.floor) != null);
            }
        },
        OPEN {
            @Override
            Motion step(Lift lift) {
                lift.stops.remove(lift.floor);
                lift.served++;
                if (lift.goesUp && lift.stops.higher(lift.floor) != null) {
                    return UP;
                }
                if (!lift.goesUp && lift.stops.lower(lift.floor) != null) {
                    return DOWN;
                }
                return IDLE;
            }
        };

        abstract Motion step(Lift lift);

        /** What follows after a floor has been reached. */
        Motion arrive(Lift lift, boolean more) {
            if (lift.stops.contains(lift.floor)) {
                return OPEN;
            }
            return more ? this : IDLE;
        }
    }

    static class Lift {
        private final int lowest;
        private final int highest;
        private final TreeSet<Integer> stops = new TreeSet<>();
        private Motion motion = Motion.IDLE;
        private boolean goesUp = true;
        private int floor;
        private int travelled;
        private int served;

        Lift(int lowest, int highest) {
            this.lowest = lowest;
            this.highest = highest;
        }

        void call(int target) {
            if (target < lowest || target > highest) {
                throw new IllegalArgumentException("no floor " + target);
            }
            stops.add(target);
        }

        void cancelAll() {
            stops.clear();
        }

        private void move(int by) {
            goesUp = by > 0;
            floor += by;
            travelled++;
        }

        /** The direction of the nearest stop; of two equally near ones the direction held. */
        private boolean nearestIsAbove() {
            Integer above = stops.higher(floor);
            Integer below = stops.lower(floor);
            if (above == null || below == null) {
                return above != null;
            }
            int up = above - floor;
            int down = floor - below;
            return up == down ? goesUp : up < down;
        }

        char tick() {
            motion = motion.step(this);
            return motion.name().charAt(0);
        }

        String runUntilIdle() {
            StringBuilder trail = new StringBuilder();
            do {
                trail.append(tick());
            } while (motion != Motion.IDLE || !stops.isEmpty());
            return trail + " at " + floor;
        }
    }

    public static void main(String[] args) {
        Lift lift = new Lift(-1, 8);
        lift.call(3);
        lift.call(5);
        System.out.println(lift.runUntilIdle());
        lift.call(6);
        lift.call(4);
        lift.call(-1);
        System.out.println(lift.runUntilIdle());
        lift.call(-1);
        System.out.println(lift.runUntilIdle());
        try {
            lift.call(9);
        } catch (IllegalArgumentException refused) {
            System.out.println(refused.getMessage());
        }
        System.out.println(lift.served + " stops, " + lift.travelled + " floors");
    }
}
