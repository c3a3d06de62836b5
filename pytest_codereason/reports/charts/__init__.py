"""Charts as SVG, on a page or in a file."""
