import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Marks a method that users can call by name; all its parameters are texts or whole numbers. */
@Retention(RetentionPolicy.RUNTIME)
@interface Command {
    String name();

    String usage() default "";

    /** How many arguments must be given; the others are null if they are missing. */
    int least() default 0;
}
