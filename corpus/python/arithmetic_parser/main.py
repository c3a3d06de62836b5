from calc import CalcError, evaluate

QUESTIONS = [
    "1 + 2 * 3",
    "(1 + 2) * 3",
    "2 ^ 3 ^ 2 - -4",
    "10 - 4 - 3",
    "-2 ^ 2",
    "max(3, 7 / 2, width) % 3",
    "7 / (2 - 2)",
    "3 + * 4",
    "min()",
    "depth + 1",
]


def main():
    known = {"width": 8.0}
    for question in QUESTIONS:
        try:
            answer = f"{evaluate(question, known):g}"
        except CalcError as error:
            answer = f"error: {error}"
        print(f"{question} -> {answer}")


if __name__ == "__main__":
    main()
