package sun.misc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads and writes the fields of a traced program's objects by number.
 *
 * <p>A traced machine lacks the library's class of this name, because that one writes into any object. This one is a part of
 * the program. It can do nothing that the program could not do by itself, so nothing is guarded here. What has no method
 * here, such as memory by its address, cannot be called under trace.
 */
public final class Unsafe {
    public static final int INVALID_FIELD_OFFSET = -1;
    private static final Unsafe theUnsafe = new Unsafe();
    private static final Map<Field, Long> offsets = new ConcurrentHashMap<>();
    private static final Map<Long, VarHandle> fields = new ConcurrentHashMap<>();

    private Unsafe() {}

    public static Unsafe getUnsafe() {
        throw new SecurityException("Unsafe"); // as the library's answers a program
    }

    public long objectFieldOffset(Field field) {
        if (Modifier.isStatic(field.getModifiers())) {
            throw new IllegalArgumentException();
        }
        return offsets.computeIfAbsent(field, Unsafe::number);
    }

    private static synchronized long number(Field field) {
        long offset = 8 * (fields.size() + 2L);
        try {
            Class<?> type = field.getDeclaringClass();
            fields.put(offset, MethodHandles.privateLookupIn(type, MethodHandles.lookup()).unreflectVarHandle(field));
        } catch (IllegalAccessException closed) {
            throw new UnsupportedOperationException("under trace there is no offset of " + field);
        }
        return offset;
    }

    /** The field at an offset, if it has a type: Object stands for every class. */
    private static VarHandle at(long offset, Class<?> type) {
        VarHandle field = fields.get(offset);
        if (field == null || (field.varType().isPrimitive() ? field.varType() : Object.class) != type) {
            throw new UnsupportedOperationException("under trace there is no " + type.getSimpleName() + " at " + offset);
        }
        return field;
    }

    public Object getObject(Object object, long offset) {
        return (Object) at(offset, Object.class).get(object);
    }

    public void putObject(Object object, long offset, Object value) {
        at(offset, Object.class).set(object, value);
    }

    public Object getObjectVolatile(Object object, long offset) {
        return (Object) at(offset, Object.class).getVolatile(object);
    }

    public void putObjectVolatile(Object object, long offset, Object value) {
        at(offset, Object.class).setVolatile(object, value);
    }

    public void putOrderedObject(Object object, long offset, Object value) {
        at(offset, Object.class).setRelease(object, value);
    }

    public boolean compareAndSwapObject(Object object, long offset, Object expected, Object value) {
        return at(offset, Object.class).compareAndSet(object, expected, value);
    }

    public Object getAndSetObject(Object object, long offset, Object value) {
        return (Object) at(offset, Object.class).getAndSet(object, value);
    }

    public int getInt(Object object, long offset) {
        return (int) at(offset, int.class).get(object);
    }

    public void putInt(Object object, long offset, int value) {
        at(offset, int.class).set(object, value);
    }

    public int getIntVolatile(Object object, long offset) {
        return (int) at(offset, int.class).getVolatile(object);
    }

    public void putIntVolatile(Object object, long offset, int value) {
        at(offset, int.class).setVolatile(object, value);
    }

    public void putOrderedInt(Object object, long offset, int value) {
        at(offset, int.class).setRelease(object, value);
    }

    public boolean compareAndSwapInt(Object object, long offset, int expected, int value) {
        return at(offset, int.class).compareAndSet(object, expected, value);
    }

    public int getAndSetInt(Object object, long offset, int value) {
        return (int) at(offset, int.class).getAndSet(object, value);
    }

    public int getAndAddInt(Object object, long offset, int delta) {
        return (int) at(offset, int.class).getAndAdd(object, delta);
    }

    public long getLong(Object object, long offset) {
        return (long) at(offset, long.class).get(object);
    }

    public void putLong(Object object, long offset, long value) {
        at(offset, long.class).set(object, value);
    }

    public long getLongVolatile(Object object, long offset) {
        return (long) at(offset, long.class).getVolatile(object);
    }

    public void putLongVolatile(Object object, long offset, long value) {
        at(offset, long.class).setVolatile(object, value);
    }

    public void putOrderedLong(Object object, long offset, long value) {
        at(offset, long.class).setRelease(object, value);
    }

    public boolean compareAndSwapLong(Object object, long offset, long expected, long value) {
        return at(offset, long.class).compareAndSet(object, expected, value);
    }

    public long getAndSetLong(Object object, long offset, long value) {
        return (long) at(offset, long.class).getAndSet(object, value);
    }

    public long getAndAddLong(Object object, long offset, long delta) {
        return (long) at(offset, long.class).getAndAdd(object, delta);
    }

    public boolean getBoolean(Object object, long offset) {
        return (boolean) at(offset, boolean.class).get(object);
    }

    public void putBoolean(Object object, long offset, boolean value) {
        at(offset, boolean.class).set(object, value);
    }

    public boolean getBooleanVolatile(Object object, long offset) {
        return (boolean) at(offset, boolean.class).getVolatile(object);
    }

    public void putBooleanVolatile(Object object, long offset, boolean value) {
        at(offset, boolean.class).setVolatile(object, value);
    }
}
