"""Counts made where a frame lies: in Polars, Dask, Spark, a database behind Ibis."""
