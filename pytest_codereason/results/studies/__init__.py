"""The figures of the four studies, and how a run departs from them."""
