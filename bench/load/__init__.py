"""Many scripted players at once over real connections: ``python -m bench.load``, or ``make bench``."""
