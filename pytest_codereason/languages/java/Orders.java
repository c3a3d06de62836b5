package codereason;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/**
 * Fixes the order of the collections that {@code Set.of} and {@code Map.of} make.
 *
 * <p>The machine draws their order by the clock as it starts. A run here has the order of its number, and a run with the next
 * number the opposite one. So equal runs are equal, and a program that depends on the order always shows it.
 */
final class Orders {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private Orders() {}

    /** Called before the program, which may keep what it reads. */
    static void fix(boolean reverse) {
        try {
            Class<?> owner = Class.forName("java.util.ImmutableCollections");
            Field start = owner.getDeclaredField("SALT32L");
            Field direction = owner.getDeclaredField("REVERSE");
            UNSAFE.putLong(UNSAFE.staticFieldBase(start), UNSAFE.staticFieldOffset(start), reverse ? 0xFFFF_FFFFL : 0);
            UNSAFE.putBoolean(UNSAFE.staticFieldBase(direction), UNSAFE.staticFieldOffset(direction), reverse);
        } catch (ReflectiveOperationException unknown) {
            // A machine that orders them in another way keeps its way.
        }
    }
}
