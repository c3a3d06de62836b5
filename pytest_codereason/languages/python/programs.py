"""Small programs in Python, with the results of running them."""

from pytest_codereason.core import Example

PROGRAMS = (
    Example(
        files={"main.py": "def f(n):\n    return {n: [n, -n], 'half': n / 2}\n"},
        entry="main.py",
        call="f(3)",
        value="{3: [3, -3], 'half': 1.5}",
    ),
    Example(
        files={
            "main.py": "from shop import prices\n\ndef f(n):\n    return n * prices.PRICE\n",
            "shop/prices.py": "from tax import with_tax\n\nPRICE = with_tax(10)\n",
            "tax.py": "def with_tax(price):\n    return price + 2\n",
        },
        entry="main.py",
        call="f(3)",
        value="36",
    ),
    Example(
        files={
            "main.py": "import names\n\nif __name__ == '__main__':\n    names.greet()\n",
            "names.py": "from words import HELLO\n\ndef greet():\n    print(HELLO, 'all')\n",
            "words.py": "HELLO = 'hello'\n",
        },
        entry="main.py",
        stdout="hello all\n",
    ),
)
