from pytest_codereason.core import FaultOperator, Injection
from pytest_codereason.registry import language


class Doubled(FaultOperator):
    """Writes a whole number twice: ``7`` becomes ``77``."""

    name = "doubled"
    version = 1  # raise it when the same program gets other faults

    def list_injections(self, program):
        code = language(program.language).syntax.parse(program.source, program.call)
        numbers = [site for site in code.sites_of("literal") if site.form == "int" and site.function]
        texts = [program.source[site.span.start : site.span.end] for site in numbers]
        return [Injection(site.span, text * 2, site.function) for site, text in zip(numbers, texts, strict=True)]
