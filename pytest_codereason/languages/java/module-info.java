/** What runs beside a traced program: the program may call what its own class files call, and see nothing else. */
module codereason {
    exports codereason;
}
