"""Small programs in PHP, with the results of running them."""

from pytest_codereason.core import Example

PROGRAMS = (
    Example(
        files={"main.php": "function f($n) {\n    return ['n' => $n, 'half' => [$n / 2]];\n}\n"},
        entry="main.php",
        call="f(3)",
        value="['n' => 3, 'half' => [1.5]]",
    ),
    Example(
        files={
            "main.php": "<?php\nrequire 'shop/prices.php';\nfunction f($n) {\n    return $n * PRICE;\n}\n",
            "shop/prices.php": "<?php\nrequire_once __DIR__ . '/../tax.php';\ndefine('PRICE', with_tax(10));\n",
            "tax.php": "<?php\nfunction with_tax($price) {\n    return $price + 2;\n}\n",
        },
        entry="main.php",
        call="f(3)",
        value="36",
    ),
    Example(
        files={
            "main.php": "<?php\ninclude './names.php';\ngreet();\n",
            "names.php": "<?php\n$hello = include 'words.php';\n"
            "function greet() {\n    global $hello;\n    echo $hello, ' all', PHP_EOL;\n}\n",
            "words.php": "<?php\nreturn 'hello';\n",
        },
        entry="main.php",
        stdout="hello all\n",
    ),
)
