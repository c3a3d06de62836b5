"""Where programs come from: data sets, generators, and pools of functions to hide a program among."""
