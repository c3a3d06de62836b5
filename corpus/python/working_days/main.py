from functools import cache

from gregorian import WEEKDAYS, easter, from_number, month_length, show, to_number, weekday

FIXED = {(1, 1): "New Year", (5, 1): "Labour Day", (12, 25): "Christmas"}
EASTER = {-2: "Good Friday", 1: "Easter Monday"}


@cache
def holidays(year):
    days = {to_number(year, *date): name for date, name in FIXED.items()}
    # A fixed holiday at a weekend is made up for on the next day that is free of holidays and no weekend.
    for number, name in sorted(days.items()):
        if weekday(number) >= 5:
            days[next_free(number, days)] = name + " (moved)"
    days.update({easter(year) + offset: name for offset, name in EASTER.items()})
    return days


def next_free(number, taken):
    while weekday(number) >= 5 or number in taken:
        number += 1
    return number


def is_working_day(number):
    return weekday(number) < 5 and number not in holidays(from_number(number)[0])


def add_working_days(start, count):
    """The day that lies a number of working days after (or, if negative, before) another."""
    step = 1 if count > 0 else -1
    number = start
    while count:
        number += step
        if is_working_day(number):
            count -= step
    return number


def working_days_between(first, last):
    """Counts both ends."""
    return sum(map(is_working_day, range(first, last + 1)))


def nth_weekday(year, month, nth, name):
    """The nth Tuesday of a month, say; -1 is the last one."""
    if nth == 0:
        raise ValueError("weekdays are counted from 1")
    wanted = WEEKDAYS.index(name)
    days = [to_number(year, month, day) for day in range(1, month_length(year, month) + 1)]
    matches = [number for number in days if weekday(number) == wanted]
    return matches[nth - 1 if nth > 0 else nth]


def main():
    for number, name in sorted(holidays(2022).items()):
        print(show(number), name)
    order = to_number(2024, 2, 27)
    print("ordered", show(order), "due", show(add_working_days(order, 25)))
    print("last chance", show(add_working_days(to_number(2024, 1, 2), -3)))
    print("meeting:", show(nth_weekday(2024, 10, -1, "Thu")), "and", show(nth_weekday(2024, 10, 2, "Tue")))
    try:
        to_number(2100, 2, 29)
    except ValueError as error:
        print(error)


if __name__ == "__main__":
    main()
