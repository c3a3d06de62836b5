"""Compares models and runs, question by question, from stored records alone. Nothing here knows pytest or argparse."""
