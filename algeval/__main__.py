"""``python -m algeval``: the command line."""

from algeval.cli import main

if __name__ == "__main__":
    main()
