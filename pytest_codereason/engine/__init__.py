"""Asks models: takes built questions and gives records. Retries, stores answers, limits cost and time, divides runs."""
