"""The same small table in every engine, and a watch on the rows that an engine hands out."""

import importlib
import os
import shutil
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

LAZY = ("polars lazy", "dask", "ibis", pytest.param("spark", marks=pytest.mark.spark))
EAGER = ("pandas", "polars", "pyarrow")
KINDS = {"string": pa.string(), "int": pa.int64(), "double": pa.float64(), "boolean": pa.bool_()}
HANDS_OUT = {
    "polars lazy": ("collect", "collect_async", "fetch"),
    "dask": ("compute", "head"),
    "ibis": ("to_pyarrow", "to_pandas", "execute", "to_polars"),
    "spark": ("toArrow", "toPandas", "collect", "toLocalIterator"),
}
IN_PARTS = ("dask cluster", "ibis", pytest.param("spark", marks=pytest.mark.spark))


def pytest_collection_modifyitems(items):
    """Let engines use what a newer pandas or DuckDB is about to drop: that is theirs to mend."""
    leave = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(leave)


def module_of(name, install="algeval[engines]"):
    """Return a module, or skip the test and say what to install."""
    try:
        return importlib.import_module(name)
    except ImportError:
        pytest.skip(f"{name} is not installed; pip install '{install}'")


@pytest.fixture(scope="session")
def spark():
    """One local Spark session, in which jobs are small."""
    module = module_of("pyspark.sql")
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        pytest.skip("Spark needs Java and none was found; apt-get install default-jre-headless")
    builder = module.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def frame_in(request):
    """Return a function that makes a frame of an engine from columns and their types."""

    def make(engine, cells, types=None):
        kinds = types or dict.fromkeys(cells, "string")
        table = pa.table({name: pa.array(cells[name], KINDS[kinds[name]]) for name in cells})
        if engine == "spark":
            session = request.getfixturevalue("spark")
            schema = ", ".join(f"`{name}` {kind}" for name, kind in kinds.items())
            return session.createDataFrame(table.to_pylist(), schema.replace(" int", " bigint"))
        if engine == "dask":
            return module_of("dask.dataframe").from_pandas(table.to_pandas(), npartitions=3)
        if engine == "ibis":
            return module_of("ibis").memtable(table)
        frames = {"pandas": table.to_pandas, "polars": lambda: pl.from_arrow(table)}
        frames |= {"polars lazy": lambda: pl.from_arrow(table).lazy(), "pyarrow": lambda: table}
        return frames[engine]()

    return make


@pytest.fixture(scope="session")
def cluster():
    """Dask scheduler and two workers, each a process of its own."""
    distributed = module_of("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as made, distributed.Client(made) as client:
        yield client


@pytest.fixture
def in_parts(request, frame_in):
    """Return a function that makes a frame whose parts lie in several workers, where the engine has them."""

    def make(engine, cells, types=None):
        if engine == "dask cluster":
            request.getfixturevalue("cluster")
            return frame_in("dask", cells, types).repartition(npartitions=8)
        frame = frame_in(engine, cells, types)
        return frame.repartition(4) if engine == "spark" else frame

    return make


@pytest.fixture
def handed_out(monkeypatch):
    """Return a function that begins to note the size and columns of everything an engine hands out."""

    def watch(engine, frame):
        seen = []
        names = HANDS_OUT[engine.removesuffix(" cluster")]
        for owner in type(frame).__mro__:
            for name in names:
                if name in vars(owner):
                    monkeypatch.setattr(owner, name, noting(vars(owner)[name], seen))
        assert any(name in dir(frame) for name in names)
        return seen

    return watch


def noting(method, seen):
    def noted(*args, **kwargs):
        found = method(*args, **kwargs)
        if isinstance(found, pd.DataFrame | pl.DataFrame | pa.Table | list):
            seen.append(
                (len(found), list(getattr(found, "column_names", getattr(found, "columns", ()))))
            )
        return found

    return noted
