"""Tables in the files of databases: DuckDB and SQLite, told by their first bytes."""

from algeval.io.databases.opening import is_database, open_database

__all__ = ["is_database", "open_database"]
