"""What a developer runs: ``nox -s fast``. With ``--no-venv`` in the active environment."""

import tomllib

import nox

nox.options.sessions = ["lint", "types", "layers", "fast", "doctests"]
nox.options.reuse_existing_virtualenvs = True

SHARED = {"PYTHONWARNINGS": "", "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": ""}


def prepare(session: nox.Session, extras: str) -> None:
    """Install the package with some extras, unless the active environment is used."""
    if session.virtualenv.venv_backend != "none":
        session.install("-e", f".[{extras}]")


def run(session: nox.Session, *command: str) -> None:
    """Run a module of Python, with what was given after -- added."""
    session.run("python", "-m", *command, *session.posargs, env=SHARED)


@nox.session
def fast(session: nox.Session) -> None:
    """Test without solvers, notebooks, figures and long searches."""
    prepare(session, "test")
    run(
        session,
        "pytest",
        "-n",
        "2",
        "-m",
        "not solver and not slow and not benchmark and not spark",
    )


@nox.session
def doctests(session: nox.Session) -> None:
    """Run the examples in the docstrings, which imports every module once."""
    prepare(session, "test")
    run(session, "pytest", "-n", "0", "--doctest-modules", "algeval", "papers")


@nox.session
def test(session: nox.Session) -> None:
    """Run every test that CI runs, but for the doctests."""
    prepare(session, "test")
    run(session, "pytest", "-n", "auto")


@nox.session
def slow(session: nox.Session) -> None:
    """Run the exhaustive checks."""
    prepare(session, "test")
    run(session, "pytest", "-n", "auto", "-m", "slow")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure timing ratios; peers are part of the extra dev."""
    prepare(session, "dev")
    run(session, "pytest", "-n", "0", "-s", "-m", "benchmark", "tests/benchmarks")


@nox.session
def growth(session: nox.Session) -> None:
    """Measure how the time of every question grows, and estimates against what work takes."""
    prepare(session, "test")
    session.run("python", "tests/benchmarks/growth.py", *session.posargs, env=SHARED)


@nox.session
def engines(session: nox.Session) -> None:
    """Count in Dask, Ibis and Spark, which needs Java."""
    prepare(session, "test,engines")
    run(session, "pytest", "-n", "0", "-rs", "-m", "not benchmark", "tests/io/engines")


@nox.session
def lowest(session: nox.Session) -> None:
    """Test readers, commands and algebra at the lowest versions that pyproject.toml allows."""
    if session.virtualenv.venv_backend == "none":
        session.skip("it needs an environment of its own")
    with open("pyproject.toml", "rb") as stream:
        project = tomllib.load(stream)["project"]
    lowest = [needed.replace(">=", "==") for needed in project["dependencies"]]
    also = (
        "pytest==8.0",
        "pytest-xdist==3.6",
        "hypothesis==6.100",
        "pyyaml",
        "pandas==2.2",
        "pyarrow==15",
        "polars==1.0",
    )
    session.install(*lowest, *also, "jsonschema==4.18")
    # what the package index calls it by, and its commands by the extension's
    session.install("--no-deps", "-e", ".")
    chosen = (
        "tests/cli/test_cli.py",
        "tests/attack/test_hostile_files.py",
        "tests/io/databases",
        "tests/algebra/eliminating/test_ideals.py",  # groebner_basis: FLINT below 0.9 does not end
        "tests/report/test_report.py",
        "tests/logic/questions/test_alarm.py",
    )
    # what these need in turn is of today, and finds their use of it old-fashioned
    run(session, "pytest", "-W", "ignore", *chosen, "tests/io/test_excel.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Check format and rules."""
    prepare(session, "dev")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly."""
    prepare(session, "dev")
    run(session, "mypy")


@nox.session
def layers(session: nox.Session) -> None:
    """Check the layer contracts."""
    prepare(session, "dev")
    session.run("lint-imports", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the pages, notebooks as they are shipped; warnings are errors."""
    prepare(session, "docs")
    command = ("sphinx", "-W", "--keep-going", "-E", "-q", "-b", "html", "docs", "docs/_build/html")
    run(session, *command)
