"""For the project's own tests: pytest offers this plugin to the folder at the root only."""

pytest_plugins = ["pytester"]
