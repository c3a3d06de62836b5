from errors import DeskError, MemberError
from loans import Book, Desk, Film, Member, Reference


def attempt(day, wish, *arguments):
    try:
        print(f"day {day:>2}:", wish(*arguments))
    except MemberError as error:
        print(f"day {day:>2}: sorry {error}")
    except DeskError as error:
        print(f"day {day:>2}: no, {error}")


def main():
    desk = Desk(Book("Emma"), Film("Metropolis"), Reference("Atlas"), Book("Walden"))
    iris, otto = Member("Iris", limit=2), Member("Otto")
    attempt(1, desk.lend, "Emma", iris, 1)
    attempt(1, desk.lend, "Metropolis", iris, 1)
    attempt(1, desk.lend, "Walden", iris, 1)
    attempt(2, desk.lend, "Emma", otto, 2)
    attempt(2, desk.lend, "Atlas", otto, 2)
    attempt(5, desk.renew, "Emma", 5)
    attempt(6, desk.reserve, "Emma", otto)
    attempt(7, desk.renew, "Emma", 7)
    attempt(8, desk.overdue, 8)
    attempt(9, desk.take_back, "Metropolis", 9)
    attempt(9, desk.lend, "Walden", iris, 9)
    attempt(9, desk.take_back, "Emma", 9)
    attempt(9, desk.take_back, "Emma", 9)
    iris.fines = 0
    attempt(9, desk.lend, "Emma", iris, 9)
    attempt(9, desk.take_back, "Atlas", 9)


if __name__ == "__main__":
    main()
