"""Small programs in JavaScript, with the results of running them."""

from pytest_codereason.core import Example

PROGRAMS = (
    Example(
        files={"main.js": "function f(n) {\n    return { n, half: [n / 2] };\n}\n"},
        entry="main.js",
        call="f(3)",
        value="{ n: 3, half: [1.5] }",
    ),
    Example(
        files={
            "main.js": "const { price } = require('./shop/prices');\nconst f = (n) => n * price;\n",
            "shop/prices.js": "const { withTax } = require('../tax.js');\nexports.price = withTax(10);\n",
            "tax.js": "module.exports = { withTax: (price) => price + 2 };\n",
        },
        entry="main.js",
        call="f(3)",
        value="36",
    ),
    Example(
        files={
            "main.js": "import { price } from './shop/prices.js';\nexport const f = async (n) => n * price;\n",
            "shop/prices.js": "import withTax from '../tax.js';\nexport const price = withTax(10);\n",
            "tax.js": "export default (price) => price + 2;\n",
        },
        entry="main.js",
        call="f(3)",
        value="36",
    ),
    Example(
        files={
            "main.js": "const { greet } = require('./names');\ngreet();\n",
            "names.js": "const { hello } = require('./words.json');\n"
            "exports.greet = () => console.log(hello, 'all');\n",
            "words.json": '{"hello": "hello"}',
        },
        entry="main.js",
        stdout="hello all\n",
    ),
    Example(
        files={"main.mjs": "import { sep } from 'node:path';\nconsole.log(sep);\n"}, entry="main.mjs", stdout="/\n"
    ),
)
