"""The version of the package, for those inside it who say what made a file."""

__all__ = ["__version__"]

__version__ = "0.3.0"
