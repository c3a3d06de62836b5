"""Writes small pieces of PHP code: comments, prints, conditions, dead code."""

from __future__ import annotations

import re

from pytest_codereason.core import Dialect
from pytest_codereason.core.language.dialects import (
    CommentForms,
    ConditionForms,
    DeadCodeForms,
    EqualityForms,
    FaultForms,
    PrintForms,
    list_templates,
)
from pytest_codereason.errors import Refused
from pytest_codereason.languages.frame.examples import read_worked_examples
from pytest_codereason.languages.php.values.literals import write

COMMENTS = CommentForms(mark="//")
#: Words of the language, in lower case.
_WORDS = frozenset(
    """abstract and array as break callable case catch class clone const continue declare default die do echo else
    elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends final finally fn
    for foreach function global goto if implements include include_once instanceof insteadof interface isset
    list match namespace new or print private protected public readonly require require_once return static
    switch throw trait try unset use var while xor yield self parent true false null int float bool string
    iterable object mixed never void from this globals""".split()
)
#: Builtin functions and classes that are one plain word, or that begin as functions of programs do: a program cannot
#: declare them again.
BUILTIN = frozenset(
    """is_a is_array is_bool is_callable is_countable is_dir is_double is_executable is_file is_finite is_float
    is_infinite is_int is_integer is_iterable is_link is_long is_nan is_null is_numeric is_object is_readable
    is_resource is_scalar is_soap_fault is_string is_subclass_of is_uploaded_file is_writable is_writeable count_chars
    parse_ini_file parse_ini_string parse_str parse_url print_r convert_uudecode convert_uuencode array_sum str_replace
    abs acos acosh arsort asin asinh asort assert atan atanh attribute basename bindec boolval ceil chdir
    checkdate chop chown chr chroot closedir closure compact constant copy cos cosh count countable crypt
    current date decbin dechex decoct define defined dir directory dirname dl doubleval end error exception exec
    exp explode extract fclose fdiv feof fflush fgetc fgetcsv fgets fiber file filesize filetype floatval flock
    floor flush fmod fnmatch fopen fpassthru fprintf fputcsv fputs fread fscanf fseek fstat fsync ftell
    ftruncate fwrite generator getcwd getdate getenv getopt getrusage gettype glob gmdate hash header hexdec
    hrtime hypot iconv idate implode intdiv intval iterator join key krsort ksort lcfirst link localtime log
    lstat ltrim mail max metaphone microtime min mkdir mktime natsort next octdec opendir ord pack passthru
    pathinfo pclose phar phpinfo pi popen pos pow prev printf putenv quotemeta rand range readdir readfile
    readline readlink realpath reflection reflector rename reset rewind rewinddir rmdir round rsort rtrim
    scandir serializable serialize setcookie setlocale settype shmop shuffle sin sinh sizeof sleep socket sort
    soundex sprintf sqrt srand sscanf stat strchr strcmp strcoll strcspn strftime stringable stripos stristr
    strlen strnatcmp strncmp strpbrk strpos strptime strrchr strrev strripos strrpos strspn strstr strtok
    strtotime strtr strval substr symlink system tan tanh tempnam throwable time tmpfile touch traversable trim
    uasort ucfirst ucwords uksort umask uniqid unixtojd unlink unpack urldecode urlencode usleep usort vfprintf
    vprintf vsprintf wordwrap""".split()
)

#: Only NAN differs from itself. A parameter that is given to a function may be given by reference.
EQUALITY = EqualityForms(
    rebound_behind=re.compile(r"\s*(?:=(?![=>])|(?:[-+*/%&|^.]|\*\*|\?\?|<<|>>)=|\+\+|--|[\]),\[]|->)"),
    aliases=frozenset({"function", "extract", "eval", "include", "include_once", "require", "require_once"}),
    rebound_before=re.compile(r"(?:\+\+|--|&|\bas|=>|\bglobal|\bstatic)\s*\$?\Z"),
)

#: The templates of CodeCrash, appendix B.1.2, in PHP, and what takes their place where they are unsafe. None evaluates
#: the condition twice: warnings are printed as often as they arise.
CONDITIONS = ConditionForms(
    templates=[
        *list_templates(
            "comparison constant",
            [("[(@)][0]", "")],
            [("(fn() => @)()", "pure closed ungraphed")],
            [("(@) === (${p} === ${p})", "equal"), ("(@) === {same}", "")],
            [("(@) !== (${p} !== ${p})", "equal"), ("(@) !== {other}", "")],
            [("-~(int) (@) === 2", "")],
        ),
        *list_templates("comparison", [("(bool) (int) (@)", "")]),
        *list_templates("constant", [(r"\json_decode(\var_export(@, true))", "")]),
        *list_templates("other", [("!!(@)", "")], [("(@) || false", "")], [("(@) && true", "")], [("[(@)][0]", "")]),
    ],
    of_variable=("(isset(${0}) === isset(${0}))", "(isset(${0}) !== isset(${0}))"),
    of_numbers=("===", "!=="),
    sees_names=re.compile(r"\b(?:func_\w+|get_defined_vars|compact|extract|eval|__FUNCTION__|__METHOD__)\b"),
    # A cast beside a variable ``$int`` would be hard to read.
    names=frozenset({"bool", "int"}),
)

DEAD_CODE = DeadCodeForms(
    variable="Temp_Var_",
    constant_conditions=("false", "null", "0", "''"),
    parameter_conditions=(
        ("%(p)s !== %(p)s", "!%(p)s && %(p)s"),
        ("!(%(p)s === %(p)s)", "isset(%(p)s) && %(p)s === null"),
    ),
    printing_condition=("!print %(p)s", "!print isset(%(p)s)"),
    branches=(
        "if (%(c)s) {\n    $%(x)s = %(p)s;\n}",
        "while (%(c)s) {\n    $%(x)s = %(p)s;\n}",
        "foreach ([] as $%(i)s) {\n    $%(x)s = %(p)s;\n}",
        "$%(x)s = (%(c)s) ? %(p)s : %(p)s;",
    ),
    globals=("$%(name)s = %(n)s;",),
    functions=(
        "function %(f)s($n) {\n    return %(f)s($n + 1);\n}",
        "function %(f)s($count) {\n    while (true) {\n        $count += %(n)s;\n    }\n}",
        "function %(f)s($n) {\n    return %(g)s($n - 1);\n}\nfunction %(g)s($n) {\n    return %(f)s($n + 1);\n}",
        "function %(f)s($total) {\n    for (;;) {\n        $total -= %(n)s;\n    }\n}",
        "function %(f)s($items) {\n    for ($k = 0; $k < count($items); $k++) {\n        $items[] = $k;\n    }\n"
        "    return $items;\n}",
        "function %(f)s($n) {\n    yield $n;\n    yield from %(f)s($n + 1);\n}",
        "function %(f)s($low) {\n    start:\n    $low++;\n    goto start;\n}",
    ),
    sees_code=frozenset(
        {
            *("__LINE__", "debug_backtrace", "debug_print_backtrace", "getLine", "getTrace", "getTraceAsString"),
            *("getStartLine", "ticks", "register_tick_function", "token_get_all"),
        }
    ),
    sees_top=frozenset(
        {
            *("GLOBALS", "get_defined_vars", "get_defined_functions", "compact", "extract", "parse_str", "eval"),
            *("include", "include_once", "require", "require_once"),
        }
    ),
    sees_locals=frozenset({"get_defined_vars", "include", "include_once", "require", "require_once", "eval"}),
    drops=frozenset({"unset"}),
    # Nothing seals a file: its variables and functions are those of the file that includes it.
    names=frozenset({"print"}),
    redefines=re.compile(r"\bob_\w|php://"),
)

PRINTING = PrintForms(redirects=re.compile(r"\bob_\w+\s*\(", re.IGNORECASE))

#: The kinds of operations on collections by the name of the operation; misleading messages are about a kind.
OPERATIONS = {
    "array_push": "append",
    "array_merge": "extend",
    "array_unshift": "insert",
    **dict.fromkeys(("array_pop", "array_shift"), "pop"),
    **dict.fromkeys(("sort", "rsort", "usort", "ksort", "krsort", "asort", "uasort", "uksort"), "sort"),
    **dict.fromkeys(("array_reverse", "strrev"), "reverse"),
    **dict.fromkeys(("explode", "str_split"), "split"),
    **dict.fromkeys(("implode", "join"), "join"),
    "str_replace": "replace",
    "strtolower": "lower",
    "strtoupper": "upper",
    **dict.fromkeys(("ucfirst", "ucwords"), "capitalize"),
}

FAULTS = FaultForms(
    arithmetic={
        **{"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "**": "*"},
        **{"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "%=": "/="},
    },
    connectives={"&&": "||", "||": "&&", "and": "or", "or": "and"},
    quantifiers={"&": "|", "|": "&", "&=": "|=", "|=": "&="},
    opposites={
        **{"===": "!==", "!==": "===", "==": "!=", "!=": "=="},
        **{"<": ">=", ">=": "<", ">": "<=", "<=": ">"},
    },
    negation="!",
    truths=("true", "false"),
    returning=("return;", "return {};"),
    messages=re.compile(r"(?:echo|print|v?printf|throw|error_log|trigger_error|assert)\b"),
    describing=frozenset({"__toString"}),
)


class PHPDialect(Dialect):
    """Writes pieces of PHP."""

    words = _WORDS | BUILTIN
    ignores_case = True
    sigil = "$"
    operations = OPERATIONS
    equality = EQUALITY
    conditions = CONDITIONS
    dead_code = DEAD_CODE
    printing = PRINTING
    sees_order = DEAD_CODE.sees_code | {
        *("get_class_methods", "getMethods", "get_declared_classes", "get_defined_functions", "getConstants"),
    }
    faults = FAULTS
    worked_examples = read_worked_examples(__package__)
    declaration = "Begin with <?php and declare {function} as a function at the top level."

    def comment(self, text: str) -> str:
        """A ``//`` comment for each line. A line with ``?>``, which would end such a comment, stands in ``/* */``.

        Raises:
            Refused: A line has both ``?>`` and ``*/``, a NUL, or half of a surrogate pair.
        """
        return "\n".join(map(_write_comment, COMMENTS.line_ends.split(text)))

    def print_statement(self, text: str) -> str:
        """``echo "text\\n";``."""
        return f"echo {write(text + chr(10))};"


def _write_comment(line: str) -> str:
    plain = COMMENTS.write(line)
    if "?>" not in line:
        return plain
    if "*/" in line:
        raise Refused("?> would end a // comment, and */ the other kind")
    return f"/* {line} */"
