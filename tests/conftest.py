"""Shared fixtures: where the real votes lie, and the exams every layer is tried on."""

import os
from pathlib import Path

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # threads that fight for cores cost 10 to 50 times

import pytest

import algeval as ae

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / ".." / "shared" / "data"

SOLVER = (
    "tests/aggregate/checks/test_groups.py::test_copies_are_named_first",
    "tests/aggregate/checks/test_groups.py::test_independent_judges_have_no_group",
    "tests/aggregate/checks/test_pair_test.py::test_a_correlation_of_three_tenths_is_found",
    "tests/aggregate/checks/test_pair_test.py::test_independent_judges_with_few_items_a_cell_were_called_dependent",
    "tests/aggregate/checks/test_score_test.py",
    "tests/aggregate/kernels",
    "tests/aggregate/methods/test_curie_weiss.py",
    "tests/aggregate/methods/test_dawid_skene.py::test_crowd_kit_agrees_step_for_step_on_complete_votes",
    "tests/aggregate/methods/test_dawid_skene.py::test_paper_000_table_3",
    "tests/aggregate/methods/test_dawid_skene.py::test_paper_000_table_3_setup_3_is_out_of_reach",
    "tests/aggregate/methods/test_factor.py",
    "tests/aggregate/methods/test_glad.py",
    "tests/aggregate/methods/test_ising.py",
    "tests/aggregate/methods/test_log_linear.py",
    "tests/aggregate/methods/test_recommended.py::test_a_rare_label_told_on_real_panels",
    "tests/aggregate/methods/test_recommended.py::test_copied_judges_are_held_back",
    "tests/aggregate/methods/test_recommended.py::test_real_crowds_are_less_sure_and_no_less_right",
    "tests/aggregate/methods/test_simple_models.py",
    "tests/aggregate/methods/test_zero_based_skill.py::test_the_other_implementation_agrees",
    "tests/aggregate/score_checks/test_confounders.py::test_of_panels_with_one_trait_few_seem_to_have_two",
    "tests/aggregate/score_kernels",
    "tests/aggregate/score_methods",
    "tests/aggregate/test_every_method.py",
    "tests/algebra/decoding/test_groebner.py",
    "tests/algebra/decoding/test_pencil.py",
    "tests/algebra/inequalities",
    "tests/algebra/proving",
    "tests/attack",
    "tests/cli/test_cli.py::test_a_key_changes_no_estimate",
    "tests/cli/test_cli.py::test_every_command_says_what_reading_left_out",
    "tests/cli/test_cli.py::test_report_of_the_example_is_quiet_and_complete",
    "tests/cli/test_cli.py::test_report_with_a_standard_guards_a_pipeline",
    "tests/cli/test_confounders.py::test_columns_files_clusters_and_texts",
    "tests/cli/test_figure.py::test_every_kind_is_drawn",
    "tests/cli/test_help.py::test_every_example_runs_and_ends_as_it_says",
    "tests/cli/test_saved_proofs.py::test_bounds_saved_no_certificate",
    "tests/cli/test_scoring.py::test_a_comparison_says_that_it_only_scores",
    "tests/cli/test_terminal.py::test_a_closed_stream_was_an_internal_error",
    "tests/cli/test_terminal.py::test_names_wrote_control_sequences_to_the_terminal",
    "tests/cli/test_terminal.py::test_the_page_kept_escape_characters",
    "tests/compare/diagnose",
    "tests/compare/test_learning_curves.py",
    "tests/compare/test_nearest.py",
    "tests/compare/test_paper_002_appendix_e.py",
    "tests/io/counting/test_large.py::test_a_key_in_a_column_is_counted_with_the_votes",
    "tests/io/counting/test_large.py::test_counting_is_reading",
    "tests/io/test_sources.py::test_a_function_says_of_a_frame_what_it_says_of_the_votes",
    "tests/label",
    "tests/logic/consistent/test_members.py",
    "tests/logic/consistent/test_sampling.py",
    "tests/logic/orders",
    "tests/logic/proof/test_tree.py",
    "tests/logic/questions/test_joint_bounds.py",
    "tests/logic/questions/test_joint_panel.py",
    "tests/logic/questions/test_monitor.py",
    "tests/logic/questions/test_program.py",
    "tests/papers/test_catalogue.py",
    "tests/papers/test_printed_ladder.py",
    "tests/rates/leaderboards/test_fit.py::test_the_sandwich_is_that_of_statsmodels",
    "tests/rates/rating/test_counted.py::test_commands_say_of_a_large_table_what_they_say_of_a_small",
    "tests/rates/rating/test_counted.py::test_labels_that_were_picked_are_seen_in_counts_too",
    "tests/rates/sampling/test_stream.py::test_peeking_after_every_label_seldom_misses",
    "tests/rates/systems/test_compare.py::test_gpt4_against_llama_on_real_answers",
    "tests/rates/systems/test_compare.py::test_labels_that_were_picked_decide_nothing",
    "tests/report",
    "tests/test_action.py::test_judges_who_can_pass_with_a_summary_and_no_proof",
    "tests/test_action.py::test_judges_who_cannot_be_so_good_fail_the_run_and_the_summary_says_so",
    "tests/test_docs.py::test_every_picture_that_a_page_includes_is_drawn",
    "tests/test_docs.py::test_what_a_page_shows_is_what_its_blocks_print",
    "tests/test_gate.py::test_the_summary_of_a_run_tells_each_verdict_beside_what_was_there",
    "tests/test_moved.py::test_a_name_comes_from_its_old_path_with_a_warning_that_names_the_new",
    "tests/test_moved.py::test_a_name_that_left_for_the_papers_warns_and_is_the_same",
    "tests/test_moved.py::test_every_old_path_holds_the_names_of_the_new_one",
    "tests/test_notebooks.py",
    "tests/test_public_names.py::test_public_names_are_the_same_objects_whatever_was_imported_before",
    "tests/test_sentences.py::test_how_many_elements_a_basis_has",
    "tests/test_sentences_consensus.py",
    "tests/test_sentences_scores.py",
    "tests/test_user_script.py::test_a_type_checker_follows_it_and_finds_what_is_wrong",
    "tests/test_user_script.py::test_the_script_runs",
    "tests/verify/test_statements_sound.py",
    "tests/verify/test_verify_sound.py",
)
"""Folders, files and tests that take more than a second or two; `nox -s fast` leaves them out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in SOLVER."""
    slow = tuple(ROOT / place for place in SOLVER if "::" not in place)
    for item in items:
        name = f"{item.path.relative_to(ROOT).as_posix()}::{item.name.split('[')[0]}"
        if name in SOLVER or any(item.path.is_relative_to(place) for place in slow):
            item.add_marker("solver")


@pytest.fixture(scope="session")
def real_votes() -> Path:
    """The folder of real votes; tests that need it skip where it is absent."""
    if not DATA.is_dir():
        pytest.skip("the folder of real votes is not on this machine")
    return DATA


@pytest.fixture
def mt_summary() -> ae.Summary:
    """The two graders of paper 003, as its text gives them."""
    return ae.Summary.from_counts(
        {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    )


@pytest.fixture
def acs_sketch() -> ae.Sketch:
    """Table 1 of paper 001: the observed counts of the three classifiers."""
    counts = {"AAA": 568, "AAB": 553, "ABA": 649, "BAA": 1813}
    counts |= {"BBA": 3534, "BAB": 3607, "ABB": 1068, "BBB": 8208}
    return ae.Sketch.from_counts(counts)
