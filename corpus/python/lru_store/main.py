"""A store that forgets what was not used for longest."""


class _Entry:
    __slots__ = ("key", "value", "weight", "older", "newer")

    def __init__(self, key, value, weight):
        self.key, self.value, self.weight = key, value, weight
        self.older = self.newer = self


class RecentStore:
    """A mapping of limited weight.

    The entries form a ring around a sentinel: ``sentinel.newer`` is the oldest entry,
    ``sentinel.older`` the newest.
    """

    def __init__(self, capacity, weigh=len, on_evict=None):
        self.capacity = capacity
        self.hits = self.misses = 0
        self._weigh = weigh
        self._on_evict = on_evict
        self._entries = {}
        self._sentinel = _Entry(None, None, 0)
        self._weight = 0

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries

    def __getitem__(self, key):
        entry = self._entries.get(key)
        if entry is None:
            self.misses += 1
            raise KeyError(key)
        self.hits += 1
        self._unlink(entry)
        self._append(entry)
        return entry.value

    def __setitem__(self, key, value):
        weight = self._weigh(value)
        if weight < 0:
            raise ValueError(f"{key!r} weighs less than nothing")
        if weight > self.capacity:
            raise ValueError(f"{key!r} weighs {weight}, the store holds {self.capacity}")
        if key in self:
            del self[key]
        entry = self._entries[key] = _Entry(key, value, weight)
        self._append(entry)
        self._weight += weight
        self._shrink()

    def __delitem__(self, key):
        entry = self._entries.pop(key)
        self._unlink(entry)
        self._weight -= entry.weight

    def __iter__(self):
        """Keys, from the newest to the oldest."""
        entry = self._sentinel.older
        while entry is not self._sentinel:
            yield entry.key
            entry = entry.older

    def resize(self, capacity):
        if capacity < 1:
            raise ValueError("no room at all")
        self.capacity = capacity
        self._shrink()

    def peek(self, key, default=None):
        entry = self._entries.get(key)
        return default if entry is None else entry.value

    def get_or_make(self, key, make):
        try:
            return self[key]
        except KeyError:
            value = self[key] = make(key)
            return value

    def _append(self, entry):
        newest = self._sentinel.older
        entry.older, entry.newer = newest, self._sentinel
        newest.newer = self._sentinel.older = entry

    def _unlink(self, entry):
        entry.older.newer = entry.newer
        entry.newer.older = entry.older

    def _shrink(self):
        while self._weight > self.capacity:
            oldest = self._sentinel.newer
            del self[oldest.key]
            if self._on_evict:
                self._on_evict(oldest.key, oldest.value)


def main():
    gone = []
    store = RecentStore(12, on_evict=lambda key, value: gone.append(key))
    for word in ["plum", "fig", "pear", "plum", "kiwi"]:
        store.get_or_make(word, str.upper)
    print(list(store), gone)
    store["pear"] = "a pear"
    print(list(store), gone, "fig" in store)
    store["date"] = "12 characters"[:12]
    print(list(store), gone)
    try:
        store["melon"] = "far too heavy"
    except ValueError as error:
        print(error)
    print(len(store), "kept,", store.hits, "hits,", store.misses, "misses")

    counter = RecentStore(2, weigh=lambda value: 1)
    for letter in "abcab":
        counter[letter] = letter
    print("".join(counter))


if __name__ == "__main__":
    main()
