"""The Gregorian calendar on day numbers: day 0 is Monday, 1 January 2001."""

MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year, month):
    return MONTHS[month - 1] + (month == 2 and is_leap(year))


def to_number(year, month, day):
    if not 1 <= month <= 12 or not 1 <= day <= month_length(year, month):
        raise ValueError(f"no such day: {year}-{month}-{day}")
    years = year - 2001
    leaps = years // 4 - years // 100 + years // 400
    return 365 * years + leaps + sum(month_length(year, earlier) for earlier in range(1, month)) + day - 1


def from_number(number):
    year = 2001 + number // (366 if number >= 0 else 365)  # never too late
    while number >= to_number(year + 1, 1, 1):
        year += 1
    rest = number - to_number(year, 1, 1)
    month = 1
    while rest >= month_length(year, month):
        rest -= month_length(year, month)
        month += 1
    return year, month, rest + 1


def weekday(number):
    return number % 7


def show(number):
    return "{} {:04}-{:02}-{:02}".format(WEEKDAYS[weekday(number)], *from_number(number))


def easter(year):
    """Sunday after the first full moon of spring, by the method of Meeus, Jones and Butcher."""
    if year < 1583:
        raise ValueError("this calendar begins in 1583")
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    ell = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * ell) // 451
    month, day = divmod(h + ell - 7 * m + 114, 31)
    return to_number(year, month, day + 1)
