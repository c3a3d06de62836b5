"""PHP: small pieces of code."""

from __future__ import annotations

import re

from pytest_codereason.core import Dialect
from pytest_codereason.errors import Refused
from pytest_codereason.languages.php.values import write

_LINE_END = re.compile(r"\r\n|\r|\n")
#: Words of the language, in lower case.
_WORDS = frozenset(
    """abstract and array as break callable case catch class clone const continue declare default die do echo else
    elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends final finally fn
    for foreach function global goto if implements include include_once instanceof insteadof interface isset
    list match namespace new or print private protected public readonly require require_once return static
    switch throw trait try unset use var while xor yield self parent true false null int float bool string
    iterable object mixed never void from this globals""".split()  # noqa: SIM905
)
#: Builtin functions and classes that are one plain word: a program cannot declare them again.
_BUILTIN = frozenset(
    """abs acos acosh arsort asin asinh asort assert atan atanh attribute basename bindec boolval ceil chdir
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
    vprintf vsprintf wordwrap""".split()  # noqa: SIM905
)


class PHPDialect(Dialect):
    """Writes pieces of PHP."""

    def comment(self, text: str) -> str:
        """A ``//`` comment for each line; ``/* */`` around a line with a closing tag, which would end the other.

        Raises:
            Refused: a line holds both ``?>`` and ``*/``, or a NUL.
        """
        return "\n".join(map(_comment, _LINE_END.split(text)))

    def print_statement(self, text: str) -> str:
        """``echo "text\\n";``."""
        return f"echo {write(text + chr(10))};"

    def fresh(self, stem: str, taken: frozenset[str]) -> str:
        """``stem``, else ``stem_1`` and so on; the case of letters does not tell two names apart."""
        lowered = {name.lower() for name in taken}
        name, number = stem, 0
        while name.lower() in lowered or name.lower() in _WORDS or name.lower() in _BUILTIN:
            number += 1
            name = f"{stem}_{number}"
        return name


def _comment(line: str) -> str:
    if "\0" in line:
        raise Refused("a comment cannot hold a NUL character")
    if "?>" not in line:
        return f"// {line}".rstrip()
    if "*/" in line:
        raise Refused("?> would end a // comment, and */ the other kind")
    return f"/* {line} */"
