"""A wiki whose pages are guarded by roles. Roles inherit rights from other roles."""

from functools import wraps


class Denied(Exception):
    pass


class Roles:
    def __init__(self):
        self._parents = {}
        self._rights = {}

    def define(self, role, rights="", parents=""):
        """A right with a minus sign takes away what the role would inherit."""
        for parent in parents.split():
            if parent not in self._parents:
                raise ValueError(f"{role} cannot inherit from unknown {parent}")
        self._parents[role] = parents.split()
        self._rights[role] = rights.split()

    def rights_of(self, role):
        rights = set()
        for parent in self._parents[role]:
            rights |= self.rights_of(parent)
        for right in self._rights[role]:
            if right.startswith("-"):
                rights.discard(right[1:])
            else:
                rights.add(right)
        return rights

    def allows(self, roles, right):
        area, _, action = right.partition(":")
        return any(not {right, f"{area}:*", "*"}.isdisjoint(self.rights_of(role)) for role in roles)


ROLES = Roles()
ROLES.define("guest", "page:read")
ROLES.define("writer", "page:create page:edit", parents="guest")
ROLES.define("keeper", "page:* talk:close", parents="guest")
ROLES.define("trainee", "-page:create", parents="writer")
ROLES.define("root", "*")


class User:
    def __init__(self, name, *roles):
        self.name = name
        self.roles = roles


def needs(right, owner_may=False):
    """Guards a method whose first argument is the user. The owner of a page may be exempt."""

    def decorate(method):
        @wraps(method)
        def guarded(self, user, *args):
            if owner_may and self.owner is user:
                return method(self, user, *args)
            if not ROLES.allows(user.roles, right):
                self.log(user, "denied", right)
                raise Denied(f"{user.name} may not {method.__name__}")
            return method(self, user, *args)

        guarded.right = right
        return guarded

    return decorate


class Page:
    def __init__(self, owner, text):
        self.owner, self.text = owner, text
        self.history = []
        self.locked = False

    def log(self, user, *event):
        self.history.append((user.name, *event))

    @needs("page:read")
    def read(self, user):
        return self.text

    @needs("page:edit", owner_may=True)
    def edit(self, user, text):
        if self.locked and user is not self.owner:
            raise Denied("the page is locked")
        self.log(user, "edited", len(text) - len(self.text))
        self.text = text

    @needs("page:lock", owner_may=True)
    def lock(self, user):
        self.locked = True
        self.log(user, "locked")

    @needs("page:erase")
    def erase(self, user):
        self.history.clear()
        self.text = ""


def possible_actions(user):
    methods = [method for method in vars(Page).values() if hasattr(method, "right")]
    return [method.__name__ for method in methods if ROLES.allows(user.roles, method.right)]


def attempt(action, *args):
    try:
        result = action(*args)
    except Denied as denied:
        return f"refused: {denied}"
    return "done" if result is None else repr(result)


def main():
    gina, tess = User("gina", "guest"), User("tess", "trainee")
    walt, kaya = User("walt", "writer"), User("kaya", "guest", "keeper")
    page = Page(tess, "Tea.")
    print(attempt(page.read, gina))
    print(attempt(page.edit, gina, "Coffee!"))
    print(attempt(page.edit, walt, "Tea, then."))
    print(attempt(page.lock, walt))
    print(attempt(page.lock, tess))
    print(attempt(page.edit, walt, "Milk."))
    print(attempt(page.edit, tess, "Tea?"))
    for user in (gina, tess, kaya):
        print(user.name, "can", *possible_actions(user))
    print("trainees:", *sorted(ROLES.rights_of("trainee")))
    print(*page.history, sep="\n")
    print("stranger:", ROLES.allows((), "page:read"), "root:", ROLES.allows(["root"], "talk:close"))


if __name__ == "__main__":
    main()
