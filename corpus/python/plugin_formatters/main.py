"""Prints one table in every format that is installed."""

from formatters import UnknownFormat, choose, installed

ROWS = [
    {"name": "Alder", "height": 25, "note": "likes | water"},
    {"name": "Hazel", "height": 6.5, "note": ""},
    {"name": "Yew, old", "height": 20, "note": None},
]


def shorten(rows, columns):
    return [{column: row[column] for column in columns} for row in rows]


def main():
    print("installed:", ", ".join(installed()))
    for name in ("text", "markdown", "csv", "tree"):
        print(f"--- {name}")
        print(choose(name).format(shorten(ROWS, ["name", "height", "note"])))
    print("---", choose("md").format([]) or "(empty)")
    try:
        choose("html")
    except UnknownFormat as error:
        print(error)


if __name__ == "__main__":
    main()
