"""The process that stands between pytest and the jobs. Standard library only: it runs without this package."""
