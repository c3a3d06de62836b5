class DeskError(Exception):
    """A wish that the desk refuses; the text is for the member."""

    def __init__(self, *details):
        super().__init__(*details)
        self.details = details

    def __str__(self):
        return self.explain(*self.details)

    def explain(self, *details):
        return "that is not possible"


class OnLoan(DeskError):
    def explain(self, title, loan):
        return f"{title} is lent until day {loan.due}" if loan else f"{title} is kept for somebody else"


class MemberError(DeskError):
    advice = ""

    def explain(self, member):
        return f"{member.name}, {self.advice.format(member=member)}"


class TooMany(MemberError):
    advice = "bring something back first ({member.limit} at most)"


class HasFines(MemberError):
    advice = "pay {member.fines} cents first"


class NotLent(DeskError):
    pass
