"""Where data and caches lie on this machine, and how public files get there."""
