"""What is asked: suites, tasks, prompt templates, texts written beforehand, and how replies are read."""
