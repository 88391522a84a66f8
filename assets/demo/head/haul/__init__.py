"""haul: a small job queue that delivers HTTP requests."""

__version__ = "0.7.2"
