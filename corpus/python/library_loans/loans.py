"""What a library lends, to whom, and until when. Days are plain numbers."""

from dataclasses import dataclass, field
from typing import ClassVar

from errors import DeskError, HasFines, NotLent, OnLoan, TooMany


@dataclass
class Medium:
    """Something to lend."""

    title: str
    days: ClassVar[int] = 28
    fine_per_day: ClassVar[int] = 10
    renewals: ClassVar[int] = 2

    def fine(self, days_late):
        return max(0, days_late) * self.fine_per_day


class Book(Medium):
    pass


class Film(Medium):
    days = 7
    fine_per_day = 50
    renewals = 0

    def fine(self, days_late):
        return min(super().fine(days_late), 500)


class Reference(Book):
    days = 1

    def fine(self, days_late):
        """The first day late costs extra."""
        return super().fine(days_late) + (200 if days_late > 0 else 0)


@dataclass(eq=False)  # two members may have one name
class Member:
    name: str
    limit: int = 3
    fines: int = 0
    titles: list[str] = field(default_factory=list)


@dataclass
class Loan:
    medium: Medium
    member: Member
    due: int
    renewed: int = 0


class Desk:
    def __init__(self, *media):
        self.media = {medium.title: medium for medium in media}
        self.loans = {}
        self.waiting = {}

    def lend(self, title, member, today):
        medium = self.media[title]
        if member.fines:
            raise HasFines(member)
        if len(member.titles) >= member.limit:
            raise TooMany(member)
        queue = self.waiting.get(title, [])
        if title in self.loans or (queue and queue[0] is not member):
            raise OnLoan(title, self.loans.get(title))
        if queue:
            queue.pop(0)
        self.loans[title] = Loan(medium, member, today + medium.days)
        member.titles.append(title)
        return self.loans[title].due

    def reserve(self, title, member):
        queue = self.waiting.setdefault(title, [])
        if member not in queue:
            queue.append(member)
        return queue.index(member) + 1

    def withdraw(self, title, member):
        """The reverse of ``reserve``."""
        queue = self.waiting.get(title, [])
        if member not in queue:
            raise DeskError(title)
        queue.remove(member)

    def renew(self, title, today):
        loan = self._loan(title)
        late = today > loan.due
        if late or self.waiting.get(title) or loan.renewed >= loan.medium.renewals:
            return False
        loan.renewed += 1
        loan.due = today + loan.medium.days
        return True

    def take_back(self, title, today):
        loan = self._loan(title)
        del self.loans[title]
        loan.member.titles.remove(title)
        fine = loan.medium.fine(today - loan.due)
        loan.member.fines += fine
        return fine

    def _loan(self, title):
        try:
            return self.loans[title]
        except KeyError:
            raise NotLent(title) from None

    def overdue(self, today):
        late = [loan for loan in self.loans.values() if loan.due < today]
        return [loan.medium.title for loan in sorted(late, key=lambda loan: (loan.due, loan.medium.title))]
