# ruff: noqa: E501 (names of tests are as long as they are)
"""Shared fixtures: where the real votes lie, and the exams every layer is tried on."""

import gc
import os
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # threads that fight for cores cost 10 to 50 times

import pytest

import algeval as ae

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / ".." / "shared" / "data"

SOLVER = (
    "tests/aggregate/checks/test_agreement.py::test_alpha_against_the_coincidence_matrix",
    "tests/aggregate/checks/test_groups.py::test_copies_are_named_first",
    "tests/aggregate/checks/test_groups.py::test_independent_judges_are_not_counted_for_less_because_items_are_few",
    "tests/aggregate/checks/test_groups.py::test_independent_judges_have_no_group",
    "tests/aggregate/checks/test_pair_test.py::test_a_correlation_of_three_tenths_is_found",
    "tests/aggregate/checks/test_pair_test.py::test_independent_judges_with_few_items_a_cell_were_called_dependent",
    "tests/aggregate/checks/test_score_test.py",
    "tests/aggregate/kernels",
    "tests/aggregate/methods/test_curie_weiss.py",
    "tests/aggregate/methods/test_dawid_skene.py::test_crowd_kit_agrees_step_for_step_on_complete_votes",
    "tests/aggregate/methods/test_dawid_skene.py::test_paper_000_table_3",
    "tests/aggregate/methods/test_factor.py",
    "tests/aggregate/methods/test_glad.py",
    "tests/aggregate/methods/test_ising.py",
    "tests/aggregate/methods/test_log_linear.py",
    "tests/aggregate/methods/test_recommended.py::test_a_rare_label_told_on_real_panels",
    "tests/aggregate/methods/test_recommended.py::test_copied_judges_are_held_back",
    "tests/aggregate/methods/test_recommended.py::test_few_language_models_are_less_wrong_than_their_vote_share",
    "tests/aggregate/methods/test_recommended.py::test_prediction_and_json_round_trip",
    "tests/aggregate/methods/test_recommended.py::test_real_crowds_are_less_sure_and_no_less_right",
    "tests/aggregate/methods/test_simple_models.py",
    "tests/aggregate/methods/test_zero_based_skill.py::test_the_other_implementation_agrees",
    "tests/aggregate/score_checks/test_confounders.py::test_a_table_is_read_as_scores_and_settings_are_checked",
    "tests/aggregate/score_checks/test_confounders.py::test_answer_judges_share_more_and_the_pair_is_named",
    "tests/aggregate/score_checks/test_confounders.py::test_equal_rows_without_clusters_are_told_of",
    "tests/aggregate/score_checks/test_confounders.py::test_judges_who_share_nothing",
    "tests/aggregate/score_checks/test_confounders.py::test_large_tables_are_held_out_in_part",
    "tests/aggregate/score_checks/test_confounders.py::test_near_copies_and_few_voices_are_told_of",
    "tests/aggregate/score_checks/test_confounders.py::test_no_key_is_read",
    "tests/aggregate/score_checks/test_confounders.py::test_sentence_pairs_show_no_second_trait",
    "tests/aggregate/score_checks/test_confounders.py::test_texts_become_attributes",
    "tests/aggregate/score_checks/test_confounders.py::test_the_same_seed_gives_the_same_result",
    "tests/aggregate/score_checks/test_confounders.py::test_too_few_judges_for_a_second_factor",
    "tests/aggregate/score_checks/test_confounders.py::test_toxicity_judges_share_a_taste_that_goes_with_length",
    "tests/aggregate/score_checks/test_confounders.py::test_where_there_is_one_trait_no_second_is_said_to_be",
    "tests/aggregate/score_checks/test_confounders.py::test_whole_clusters_are_held_out_and_errors_know_of_them",
    "tests/aggregate/score_kernels",
    "tests/aggregate/score_methods",
    "tests/aggregate/test_bootstrap.py::test_a_plain_loop_over_resampled_items_gives_the_same_ends",
    "tests/aggregate/test_bootstrap.py::test_intervals_cover_on_a_few_exams",
    "tests/aggregate/test_bootstrap.py::test_order_of_judges_and_labels_does_not_matter",
    "tests/aggregate/test_bootstrap.py::test_the_same_seed_gives_the_same_intervals_and_a_result_from_json_too",
    "tests/aggregate/test_every_method.py",
    "tests/algebra/correlation/test_independence.py::test_the_covariance_is_that_of_the_invariants_under_resampling",
    "tests/algebra/correlation/test_rates_exist.py::test_every_table_of_at_most_five_items_has_the_answer_of_the_closed_form",
    "tests/algebra/decoding/test_batch.py::test_rational_points_on_the_edge_stay_inside",
    "tests/algebra/decoding/test_groebner.py",
    "tests/algebra/decoding/test_pencil.py",
    "tests/algebra/eliminating/test_ideals.py::test_every_element_of_the_frequency_basis_vanishes_on_exams",
    "tests/algebra/eliminating/test_ideals.py::test_theorem_0_2_by_machine_within_ten_seconds",
    "tests/algebra/eliminating/test_ladder.py::test_each_unknown_alone_has_a_quadratic_that_does_not_split",
    "tests/algebra/eliminating/test_ladder.py::test_every_rung_vanishes_on_independent_judges",
    "tests/algebra/eliminating/test_ladder.py::test_json_latex_and_text_of_every_step",
    "tests/algebra/eliminating/test_relations.py::test_each_has_a_proof_of_its_own",
    "tests/algebra/eliminating/test_relations.py::test_elimination_finds_27_and_none_is_missing",
    "tests/algebra/eliminating/test_relations.py::test_no_relation_follows_from_the_others",
    "tests/algebra/inequalities",
    "tests/algebra/proving",
    "tests/attack",
    "tests/budgets/kernel/test_law.py::test_both_tails_and_the_tie_agree_with_certified_balls_on_ten_thousand_points",
    "tests/budgets/test_paper_004.py::test_erratum_in_c_3_the_power_is_of_one_less_q_less_delta",
    "tests/budgets/test_paper_004.py::test_single_labels_win_in_two_thirds_of_the_grid_that_favours_the_worse",
    "tests/budgets/test_theorem.py::test_one_label_each_wins_more_often_and_by_no_less_than_the_bound",
    "tests/cli/systems/test_rate.py::test_chances_clusters_and_methods_come_from_options",
    "tests/cli/systems/test_rate.py::test_picked_labels_fail_what_is_required",
    "tests/cli/systems/test_rate.py::test_waves_of_labels_go_from_file_to_file",
    "tests/cli/systems/test_rate.py::test_what_is_required_decides_the_exit_code",
    "tests/cli/test_cli.py::test_a_key_changes_no_estimate",
    "tests/cli/test_cli.py::test_every_command_says_what_reading_left_out",
    "tests/cli/test_cli.py::test_report_of_the_example_is_quiet_and_complete",
    "tests/cli/test_cli.py::test_report_with_a_standard_guards_a_pipeline",
    "tests/cli/test_cli.py::test_votes_come_from_a_pipe",
    "tests/cli/test_confounders.py::test_columns_files_clusters_and_texts",
    "tests/cli/test_drifting.py::test_a_live_pipe_is_heard_line_by_line",
    "tests/cli/test_figure.py::test_every_kind_is_drawn",
    "tests/cli/test_help.py::test_every_example_runs_and_ends_as_it_says",
    "tests/cli/test_labelling.py::test_a_report_on_a_journal_says_the_numbers_of_rate_and_counts_no_second_look",
    "tests/cli/test_labelling.py::test_every_command_that_the_guide_names_runs",
    "tests/cli/test_labelling.py::test_from_labels_in_the_terminal_to_the_rate",
    "tests/cli/test_large.py::test_a_report_is_one_of_counts",
    "tests/cli/test_plan.py::test_a_plan_is_drawn_beside_its_text_or_its_json",
    "tests/cli/test_prove.py::test_hypotheses_definitions_and_a_certificate",
    "tests/cli/test_reading_options.py::test_a_path_beyond_ascii_in_the_c_locale",
    "tests/cli/test_report_rate.py::test_labels_in_the_table_are_evidence_and_can_be_left_out",
    "tests/cli/test_report_rate.py::test_labels_without_the_name_of_a_good_one_score_the_judges",
    "tests/cli/test_saved_proofs.py::test_bounds_saved_no_certificate",
    "tests/cli/test_scoring.py::test_a_comparison_says_that_it_only_scores",
    "tests/cli/test_scoring.py::test_a_result_of_no_key_has_no_note_of_one",
    "tests/cli/test_spelling.py::test_no_sentence_is_spelled_before_its_reader_is_known",
    "tests/cli/test_terminal.py::test_a_closed_stream_was_an_internal_error",
    "tests/cli/test_terminal.py::test_names_wrote_control_sequences_to_the_terminal",
    "tests/cli/test_terminal.py::test_the_page_kept_escape_characters",
    "tests/cli/test_versus.py::test_labels_that_were_picked_exit_with_one",
    "tests/compare/diagnose",
    "tests/compare/test_comparison.py::test_percentages_outside_0_to_100_were_printed",
    "tests/compare/test_differing.py::test_compare_and_report_say_where",
    "tests/compare/test_learning_curves.py",
    "tests/compare/test_nearest.py",
    "tests/compare/test_paper_002_appendix_e.py",
    "tests/compare/test_time_limits.py::test_the_estimate_counts_different_tuples",
    "tests/io/counting/test_grouped.py::test_a_keyed_sketch_is_rated_with_its_key",
    "tests/io/counting/test_grouped.py::test_counts_of_random_tables_answer_as_the_rows_do",
    "tests/io/counting/test_grouped.py::test_two_judges_compared_and_the_best_set",
    "tests/io/counting/test_large.py::test_a_key_in_a_column_is_counted_with_the_votes",
    "tests/io/counting/test_large.py::test_counting_is_reading",
    "tests/io/counting/test_many_judges.py::test_rows_keep_their_order_after_parts_were_written",
    "tests/io/test_catalog.py::test_columns_says_what_a_table_answers",
    "tests/io/test_catalog.py::test_the_support_bot_on_the_command_line",
    "tests/io/test_folding.py::test_the_newcomers_messy_file_reads_like_its_cleaned_copy",
    "tests/io/test_groupings.py::test_the_command_takes_the_column_it_names",
    "tests/io/test_joining.py::test_many_words_lead_to_the_tuple",
    "tests/io/test_results.py::test_a_file_alone_is_reported_on_and_the_answer_comes_first",
    "tests/io/test_results.py::test_every_way_to_name_the_human_column_gives_the_same_rate",
    "tests/io/test_results.py::test_labels_of_several_people_in_a_file_of_their_own",
    "tests/io/test_results.py::test_roles_are_saved_and_given_again",
    "tests/io/test_score_tables.py::test_a_key_of_many_numbers_is_kept",
    "tests/io/test_score_tables.py::test_civilcomments",
    "tests/io/test_sources.py::test_a_function_of_scores_says_of_a_frame_what_it_says_of_the_scores",
    "tests/io/test_sources.py::test_a_function_says_of_a_frame_what_it_says_of_the_votes",
    "tests/judges/test_alt_test.py::test_clusters_hold_the_level_where_rows_do_not",
    "tests/judges/test_bias.py::test_clusters_are_counted_as_clusters",
    "tests/judges/test_coverage.py::test_balanced_accuracy_holds_where_both_labels_are_there",
    "tests/judges/test_needed.py::test_a_card_says_how_many",
    "tests/judges/test_stream.py::test_a_batch_finds_the_first_crossing_that_every_look_would_find",
    "tests/judges/test_stream.py::test_an_estimated_baseline_raises_no_more_false_alarms",
    "tests/judges/test_stream.py::test_one_by_one_in_batches_and_restarted_are_the_same",
    "tests/judges/test_wrong.py::test_no_threshold_lies_above_the_ceiling_of_the_average",
    "tests/label",
    "tests/logic/consistent/test_evaluations.py::test_at_one_key_judges_are_listed_one_by_one",
    "tests/logic/consistent/test_members.py",
    "tests/logic/consistent/test_sampling.py",
    "tests/logic/orders",
    "tests/logic/proof/test_tree.py",
    "tests/logic/questions/test_bounds.py::test_under_a_grade_from_above",
    "tests/logic/questions/test_bounds.py::test_under_a_level",
    "tests/logic/questions/test_joint_bounds.py",
    "tests/logic/questions/test_joint_panel.py",
    "tests/logic/questions/test_monitor.py",
    "tests/logic/questions/test_program.py",
    "tests/logic/questions/test_reach.py::test_the_limits_of_the_chapters_table_and_its_smallest_exams",
    "tests/logic/questions/test_reach.py::test_two_labels_meet_where_the_linear_program_says",
    "tests/logic/questions/test_steps.py::test_a_higher_order_is_never_looser",
    "tests/logic/questions/test_steps.py::test_alarm_panel_and_bounds_never_contradict_each_other",
    "tests/logic/questions/test_time_limit.py::test_a_program_too_large_at_order_1_was_to_be_asked_at_order_1",
    "tests/logic/questions/test_time_limit.py::test_a_slower_machine_gives_the_same_answer",
    "tests/logic/questions/test_time_limit.py::test_an_alarm_looks_for_the_witness_that_a_threshold_knows",
    "tests/logic/questions/test_time_limit.py::test_threads_give_the_same_answers",
    "tests/logic/questions/test_time_limit.py::test_what_is_left_open_says_how_near_it_is",
    "tests/papers/test_catalogue.py",
    "tests/papers/test_conjecture.py::test_a_wrong_polynomial_breaks_the_statements_on_it",
    "tests/papers/test_conjecture.py::test_every_statement_is_proved",
    "tests/papers/test_factor_limit.py::test_21_is_the_law_that_is_summed",
    "tests/papers/test_graders.py::test_levels_are_those_that_the_figure_draws",
    "tests/papers/test_printed_ladder.py",
    "tests/papers/test_sweep.py::test_a_sweep_is_resumed_where_it_stopped",
    "tests/rates/intervals/test_labelled.py::test_balance_sees_the_items_with_the_most_votes",
    "tests/rates/ladder/test_climb.py::test_labels_grade_the_judges",
    "tests/rates/ladder/test_climb.py::test_the_key_is_never_read",
    "tests/rates/leaderboards/test_coverage.py::test_gold_puts_a_judge_right_who_favours_a_system",
    "tests/rates/leaderboards/test_fit.py::test_the_sandwich_is_that_of_statsmodels",
    "tests/rates/leaderboards/test_gold.py::test_the_spread_is_that_of_whole_data_sets_drawn_again",
    "tests/rates/rating/test_counted.py::test_a_labelled_item_without_votes_is_left_out_and_named",
    "tests/rates/rating/test_counted.py::test_commands_say_of_a_large_table_what_they_say_of_a_small",
    "tests/rates/rating/test_counted.py::test_counts_give_what_items_give",
    "tests/rates/rating/test_counted.py::test_labels_that_were_picked_are_seen_in_counts_too",
    "tests/rates/rating/test_rate.py::test_a_belief_is_contradicted_by_the_judges_grades",
    "tests/rates/rating/test_rate.py::test_counts_say_without_labels_what_votes_say",
    "tests/rates/rating/test_rates_of_systems.py::test_a_demand_holds_for_every_system",
    "tests/rates/rating/test_rates_of_systems.py::test_a_file_holds_the_rate_of_each_system",
    "tests/rates/sampling/test_next_items.py::test_labels_that_were_picked_speak_for_their_own_items",
    "tests/rates/sampling/test_next_items.py::test_uncertain_draws_are_unbiased_where_they_pay",
    "tests/rates/sampling/test_next_items.py::test_waves_are_worth_their_labels",
    "tests/rates/sampling/test_stream.py::test_peeking_after_every_label_seldom_misses",
    "tests/rates/sampling/test_stream.py::test_peeking_with_judges_seldom_misses",
    "tests/rates/systems/test_compare.py::test_gpt4_against_llama_on_real_answers",
    "tests/rates/systems/test_compare.py::test_judges_who_favour_a_system_mislead_votes_and_not_the_labels",
    "tests/rates/systems/test_compare.py::test_labels_that_were_picked_decide_nothing",
    "tests/rates/systems/test_several.py::test_from_the_command_line",
    "tests/rates/systems/test_several.py::test_steps_down_settle_more_than_the_shared_level",
    "tests/rates/test_human_labels.py::test_a_column_is_meant_where_a_folder_has_its_name",
    "tests/rates/test_human_labels.py::test_a_file_of_labels_is_of_every_system_of_a_table",
    "tests/rates/test_human_labels.py::test_a_rate_is_the_same_from_labels_in_every_form",
    "tests/rates/test_human_labels.py::test_a_report_holds_the_same_rate_from_labels_in_every_form",
    "tests/rates/test_human_labels.py::test_the_command_line_reads_a_column_and_a_file_alike",
    "tests/report",
    "tests/result/test_json_layout.py::test_it_says_what_the_standard_library_says",
    "tests/test_action.py::test_judges_who_can_pass_with_a_summary_and_no_proof",
    "tests/test_action.py::test_judges_who_cannot_be_so_good_fail_the_run_and_the_summary_says_so",
    "tests/test_docs.py::test_every_picture_that_a_page_includes_is_drawn",
    "tests/test_docs.py::test_the_gallery_has_every_kind_of_figure_with_its_question_its_call_and_a_page",
    "tests/test_docs.py::test_the_pictures_of_the_front_page_show_what_the_library_says_of_the_example",
    "tests/test_docs.py::test_the_readme_shows_what_its_command_prints_and_draws",
    "tests/test_docs.py::test_what_a_page_shows_is_what_its_blocks_print",
    "tests/test_former_names.py::test_a_label_that_is_no_good_one_keeps_its_name",
    "tests/test_former_names.py::test_a_whole_report_on_a_table_with_people_uses_no_old_name",
    "tests/test_former_names.py::test_the_package_calls_by_new_names",
    "tests/test_gate.py::test_a_file_that_cannot_be_read_is_an_error_in_one_sentence",
    "tests/test_gate.py::test_a_gate_that_can_be_passed_passes_and_leaves_nothing",
    "tests/test_gate.py::test_a_gate_that_cannot_fails_with_a_proof_anyone_can_check",
    "tests/test_gate.py::test_the_folder_can_be_chosen",
    "tests/test_gate.py::test_the_summary_of_a_run_tells_each_verdict_beside_what_was_there",
    "tests/test_moved.py::test_a_name_comes_from_its_old_path_with_a_warning_that_names_the_new",
    "tests/test_moved.py::test_a_name_that_left_for_the_papers_warns_and_is_the_same",
    "tests/test_moved.py::test_an_old_path_that_was_a_command_still_runs",
    "tests/test_moved.py::test_every_old_path_holds_the_names_of_the_new_one",
    "tests/test_moved.py::test_nothing_warns_unless_an_old_path_is_used",
    "tests/test_notebooks.py",
    "tests/test_public_names.py::test_a_first_report_loads_nothing_that_takes_half_a_second",
    "tests/test_public_names.py::test_a_module_named_like_its_function_can_be_called",
    "tests/test_public_names.py::test_a_star_import_leaves_the_next_of_python",
    "tests/test_public_names.py::test_callable_modules_go_to_other_processes",
    "tests/test_public_names.py::test_modules_load_on_first_use_and_complete",
    "tests/test_public_names.py::test_public_names_are_the_same_objects_whatever_was_imported_before",
    "tests/test_rooms.py::test_a_question_enters_few_files",
    "tests/test_sentences.py::test_how_many_elements_a_basis_has",
    "tests/test_sentences.py::test_quotients_above_one_are_fewer_than_the_items",
    "tests/test_sentences_consensus.py",
    "tests/test_sentences_scores.py",
    "tests/test_service.py::test_calls_in_one_process_do_not_grow_it",
    "tests/test_service.py::test_eight_threads_give_the_answers_of_one",
    "tests/test_structure.py::test_no_import_goes_in_a_circle",
    "tests/test_user_script.py::test_a_type_checker_follows_it_and_finds_what_is_wrong",
    "tests/test_user_script.py::test_the_script_runs",
    "tests/test_words.py::test_poor_names_become_fewer",
    "tests/verify/test_statements.py::test_long_texts_are_refused_in_a_sentence",
    "tests/verify/test_statements_sound.py",
    "tests/verify/test_verify.py::test_a_file_that_unpacks_to_more_than_is_read_is_unreadable",
    "tests/verify/test_verify.py::test_any_damaged_byte_of_a_packed_file_gives_one_sentence",
    "tests/verify/test_verify_sound.py",
)
"""Folders, files and tests that take more than about two thirds of a second; `nox -s fast` leaves them out."""

EVERY = {
    "tests/aggregate/test_bootstrap.py::test_intervals_cover_on_a_few_exams": 2,
    "tests/aggregate/test_bootstrap.py::test_whether_intervals_are_shown_follows_from_counted_work": 4,
    "tests/algebra/eliminating/test_ideals.py::test_engines_agree_in_the_moments": 2,
    "tests/algebra/eliminating/test_relations.py::test_no_relation_follows_from_the_others": 4,
    "tests/cli/test_commands_said.py::test_each_command_named_on_a_screen_works": 4,
    "tests/cli/test_large.py::test_items_are_not_kept_where_counts_are_enough": 3,
    "tests/cli/test_scoring.py::test_a_question_without_use_for_a_key_says_so": 3,
    "tests/judges/test_stream.py::test_false_alarms_stay_under_the_level": 3,
    "tests/logic/consistent/test_sampling.py::test_every_member_is_as_likely_as_every_other": 4,
    "tests/logic/orders/test_full.py::test_random_exams": 4,
    "tests/logic/questions/test_joint_bounds.py::test_every_range_against_brute_force": 4,
    "tests/logic/questions/test_joint_panel.py::test_against_every_subset": 4,
    "tests/logic/questions/test_time_limit.py::test_full_order_was_built_whatever_the_limit": 5,
    "tests/logic/questions/test_time_limit.py::test_without_a_time_limit_no_clock_is_read": 5,
    "tests/papers/test_labels_and_care.py::test_what_is_wrong_is_noticed": 4,
    "tests/papers/test_ledger.py::test_every_claim_is_confirmed_and_as_on_file": 30,
    "tests/rates/test_human_labels.py::test_a_rate_is_the_same_from_labels_in_every_form": 12,
    "tests/test_former_names.py::test_an_old_option_works_and_says_its_new_name_once_on_stderr": 3,
    "tests/test_identity.py::test_shuffled_labels_of_every_kind_say_the_same": 4,
    "tests/test_identity.py::test_shuffled_votes_say_the_same": 4,
    "tests/verify/test_statements.py::test_long_texts_are_refused_in_a_sentence": 2,
}
"""Tests of many cases of which `nox -s fast` runs the first and each n-th after it."""

SELDOM = {
    "tests/aggregate/checks/test_groups.py::test_independent_judges_have_no_group": 2,
    "tests/aggregate/checks/test_pair_test.py::test_a_correlation_of_three_tenths_is_found": 2,
    "tests/aggregate/checks/test_pair_test.py::test_independent_judges_with_few_items_a_cell_were_called_dependent": 3,
    "tests/aggregate/methods/test_dawid_skene.py::test_paper_000_table_3": 2,
    "tests/aggregate/methods/test_factor.py::test_gradient_matches_differences": 4,
    "tests/aggregate/methods/test_recommended.py::test_a_rare_label_told_on_real_panels": 3,
    "tests/aggregate/methods/test_recommended.py::test_real_crowds_are_less_sure_and_no_less_right": 3,
    "tests/aggregate/score_checks/test_confounders.py::test_answer_judges_share_more_and_the_pair_is_named": 2,
    "tests/aggregate/score_kernels/test_factor_choice.py::test_planted_numbers_are_chosen": 3,
    "tests/aggregate/score_kernels/test_mixture.py::test_where_em_ends_the_likelihood_is_level": 2,
    "tests/aggregate/score_kernels/test_moment_tensor.py::test_nothing_is_left_of_an_exact_tensor": 3,
    "tests/aggregate/score_kernels/test_states.py::test_four_states_are_four": 2,
    "tests/aggregate/score_methods/test_every_score_method.py::test_hard_panels_get_a_status_and_a_sentence": 4,
    "tests/aggregate/score_methods/test_every_score_method.py::test_new_items_get_what_the_old_ones_got": 2,
    "tests/aggregate/score_methods/test_every_score_method.py::test_no_key_is_read_and_names_and_order_of_items_do_not_matter": 4,
    "tests/aggregate/score_methods/test_real_scores.py::test_errors_on_asset_with_anchors_are_those_measured_before": 3,
    "tests/aggregate/test_every_method.py::test_odd_votes_break_no_promise": 2,
    "tests/algebra/eliminating/test_relations.py::test_no_relation_follows_from_the_others": 2,
    "tests/algebra/eliminating/test_relations.py::test_there_are_as_many_as_are_known": 2,
    "tests/algebra/inequalities/test_claims.py::test_quick_claims": 4,
    "tests/algebra/inequalities/test_second_route.py::test_spoilt_certificates_are_rejected": 3,
    "tests/algebra/inequalities/test_second_route.py::test_sympy_accepts_the_certificate": 3,
    "tests/algebra/proving/test_encode.py::test_the_rule_for_gammas_is_proved_for_any_by_label_table": 3,
    "tests/algebra/proving/test_exports.py::test_the_script_runs_by_itself_and_stops_where_a_step_is_wrong": 3,
    "tests/algebra/proving/test_names.py::test_numbers_of_judges_are_still_understood": 3,
    "tests/attack/test_logic.py::test_an_alarm_a_panel_and_bounds_agree": 2,
    "tests/attack/test_logic.py::test_bounds": 2,
    "tests/cli/test_cli.py::test_every_command_says_what_reading_left_out": 2,
    "tests/cli/test_commands_said.py::test_each_command_named_on_a_screen_works": 2,
    "tests/cli/test_figure.py::test_every_kind_is_drawn": 4,
    "tests/cli/test_help.py::test_every_example_runs_and_ends_as_it_says": 3,
    "tests/cli/test_scoring.py::test_a_comparison_says_that_it_only_scores": 2,
    "tests/cli/test_terminal.py::test_a_closed_stream_was_an_internal_error": 3,
    "tests/compare/test_learning_curves.py::test_figure_shows_the_points": 2,
    "tests/io/counting/test_large.py::test_a_key_in_a_column_is_counted_with_the_votes": 4,
    "tests/io/counting/test_large.py::test_counting_is_reading": 4,
    "tests/io/counting/test_many_judges.py::test_three_ways_count_alike": 3,
    "tests/io/test_catalog.py::test_columns_says_what_a_table_answers": 2,
    "tests/io/test_shards.py::test_parts_are_one_table": 3,
    "tests/judges/test_stream.py::test_an_estimated_baseline_raises_no_more_false_alarms": 3,
    "tests/judges/test_stream.py::test_one_by_one_in_batches_and_restarted_are_the_same": 3,
    "tests/logic/orders/test_full.py::test_a_panel_can_meet_a_level_when_its_marginal_sketch_can": 3,
    "tests/logic/orders/test_full.py::test_bounds_on_the_key_against_brute_force": 3,
    "tests/logic/orders/test_full.py::test_every_exam_of_two_binary_judges": 2,
    "tests/logic/orders/test_full.py::test_random_exams": 2,
    "tests/logic/orders/test_full.py::test_relabelling_changes_nothing": 3,
    "tests/logic/orders/test_many_pairs.py::test_brackets_hold_the_threshold_of_the_whole_program": 3,
    "tests/logic/orders/test_pairs.py::test_orders_2_and_full_against_brute_force_for_three_judges": 3,
    "tests/logic/questions/test_joint_bounds.py::test_every_range_against_brute_force": 2,
    "tests/logic/questions/test_joint_bounds.py::test_whole_numbers_near_the_real_best_end_where_the_best_do": 3,
    "tests/logic/questions/test_joint_panel.py::test_at_least_k_of_the_judges": 3,
    "tests/logic/questions/test_joint_panel.py::test_twenty_one_language_model_judges": 6,
    "tests/logic/questions/test_monitor.py::test_order_1_is_settled_at_every_item": 2,
    "tests/logic/questions/test_program.py::test_feasible_exactly_where_the_alarm_of_its_order_is_silent": 2,
    "tests/logic/questions/test_steps.py::test_a_higher_order_is_never_looser": 2,
    "tests/logic/questions/test_steps.py::test_alarm_panel_and_bounds_never_contradict_each_other": 3,
    "tests/logic/questions/test_time_limit.py::test_a_slower_machine_gives_the_same_answer": 5,
    "tests/logic/questions/test_time_limit.py::test_full_order_was_built_whatever_the_limit": 2,
    "tests/papers/test_catalogue.py::test_every_entry_is_confirmed": 3,
    "tests/papers/test_labels_and_care.py::test_what_is_wrong_is_noticed": 2,
    "tests/papers/test_ledger.py::test_every_claim_is_confirmed_and_as_on_file": 3,
    "tests/rates/rating/test_counted.py::test_commands_say_of_a_large_table_what_they_say_of_a_small": 3,
    "tests/rates/rating/test_counted.py::test_counts_give_what_items_give": 3,
    "tests/rates/systems/test_believed.py::test_ends_are_those_of_all_keys_of_both": 5,
    "tests/rates/systems/test_compare.py::test_labels_that_were_picked_decide_nothing": 5,
    "tests/rates/test_human_labels.py::test_a_comparison_is_the_same_from_labels_in_every_form": 4,
    "tests/rates/test_human_labels.py::test_a_file_of_labels_is_of_every_system_of_a_table": 3,
    "tests/rates/test_human_labels.py::test_a_rate_is_the_same_from_labels_in_every_form": 4,
    "tests/rates/test_human_labels.py::test_a_report_holds_the_same_rate_from_labels_in_every_form": 3,
    "tests/report/figures/test_figures.py::test_files_say_what_they_show_and_never_change": 3,
    "tests/report/figures/test_same_numbers.py::test_every_number_of_a_figure_is_that_of_the_text": 2,
    "tests/report/figures/test_style.py::test_every_name_lies_inside": 3,
    "tests/report/figures/test_svg.py::test_figures_of_25_judges_are_small": 4,
    "tests/report/figures/test_svg.py::test_names_are_text_and_nothing_else": 4,
    "tests/report/test_by_labels.py::test_no_accuracy_that_the_labels_exclude_stands_on_screen_or_open_page": 2,
    "tests/report/test_first_screen.py::test_every_table_has_a_screen_of_forty_lines_and_two_commands": 4,
    "tests/report/test_page_in_browser.py::test_a_page_fits_its_window_and_can_be_read": 3,
    "tests/report/test_page_in_browser.py::test_an_example_is_within_three_screens_before_its_first_fold": 2,
    "tests/report/test_real_votes.py::test_long_tables_of_workers": 2,
    "tests/report/test_system_section.py::test_without_a_label_it_says_what_to_type_and_answers_nothing": 3,
    "tests/report/test_to_send.py::test_every_command_that_a_report_suggests_answers": 3,
    "tests/report/test_to_send.py::test_no_page_names_a_folder": 3,
    "tests/result/test_every_result.py::test_results_pickle_and_copy_to_equals": 3,
    "tests/test_moved.py::test_a_name_comes_from_its_old_path_with_a_warning_that_names_the_new": 4,
    "tests/test_moved.py::test_a_name_that_left_for_the_papers_warns_and_is_the_same": 5,
    "tests/test_notebooks.py::test_notebook_runs_and_shows_what_is_shipped": 2,
    "tests/test_sentences_consensus.py::test_the_table_of_the_default": 3,
    "tests/verify/test_statements_sound.py::test_a_changed_certificate_is_rejected_unless_what_it_states_is_true": 2,
    "tests/verify/test_statements_sound.py::test_every_name_of_the_package_has_the_value_that_is_counted": 2,
    "tests/verify/test_statements_sound.py::test_random_proofs_of_random_claims_never_prove_what_is_false": 2,
    "tests/verify/test_statements_sound.py::test_what_is_false_by_a_thousandth_is_not_proved_by_any_change_of_the_proof": 2,
    "tests/verify/test_verify_sound.py::test_every_impossible_claim_has_a_tree_that_verifies_and_no_possible_one_does": 2,
}
"""Tests of many long cases of which CI runs the first and each n-th after it, `nox -s slow` the others."""

SLOW = (
    "tests/aggregate/methods/test_dawid_skene.py::test_paper_000_table_3_setup_3_is_out_of_reach",
    "tests/aggregate/methods/test_recommended.py::test_copied_judges_are_held_back",
    "tests/aggregate/score_checks/test_confounders.py::test_equal_rows_without_clusters_are_told_of",
    "tests/aggregate/score_checks/test_confounders.py::test_judges_who_share_nothing",
    "tests/aggregate/score_checks/test_confounders.py::test_large_tables_are_held_out_in_part",
    "tests/aggregate/score_checks/test_confounders.py::test_no_key_is_read",
    "tests/aggregate/score_checks/test_confounders.py::test_of_panels_with_one_trait_few_seem_to_have_two",
    "tests/aggregate/score_checks/test_confounders.py::test_texts_become_attributes",
    "tests/aggregate/score_checks/test_confounders.py::test_the_same_seed_gives_the_same_result",
    "tests/aggregate/score_checks/test_confounders.py::test_toxicity_judges_share_a_taste_that_goes_with_length",
    "tests/aggregate/score_checks/test_confounders.py::test_whole_clusters_are_held_out_and_errors_know_of_them",
    "tests/aggregate/score_kernels/test_factor_choice.py::test_gains_are_paired_with_the_reference",
    "tests/aggregate/score_kernels/test_factor_choice.py::test_items_said_four_times_are_no_more_certain",
    "tests/aggregate/score_kernels/test_factor_fit.py::test_missing_scores_against_direct_maximisation",
    "tests/aggregate/score_kernels/test_graded_response.py::test_a_sharp_panel_gets_a_finer_grid",
    "tests/aggregate/score_kernels/test_graded_response.py::test_odd_panels_end_with_finite_numbers[copies]",
    "tests/aggregate/score_kernels/test_moment_tensor.py::test_four_states_that_only_add_up_are_not_unique",
    "tests/aggregate/score_kernels/test_moment_tensor.py::test_missing_scores_cost_little_where_complete_items_are_few",
    "tests/aggregate/score_kernels/test_moment_tensor.py::test_the_error_halves_when_items_are_four_times_as_many",
    "tests/aggregate/score_kernels/test_states.py::test_items_of_one_cluster_stay_together",
    "tests/aggregate/score_methods/test_care_tensor.py::test_items_alike_have_no_states",
    "tests/aggregate/score_methods/test_care_tensor.py::test_no_mixture_of_so_many_states_is_inconsistent",
    "tests/aggregate/test_bootstrap.py::test_order_of_judges_and_labels_does_not_matter",
    "tests/algebra/correlation/test_independence.py::test_sparse_tables_of_three_labels_made_independent_judges_dependent",
    "tests/algebra/decoding/test_groebner.py::test_engines_agree_on_every_table_of_six_to_eight_items",
    "tests/algebra/decoding/test_pencil.py::test_engines_agree_on_every_binary_table_of_six_to_eight_items",
    "tests/algebra/eliminating/test_ideals.py::test_theorem_0_2_by_machine_within_ten_seconds",
    "tests/algebra/eliminating/test_ladder.py::test_every_rung_vanishes_on_independent_judges",
    "tests/algebra/eliminating/test_relations.py::test_each_has_a_proof_of_its_own",
    "tests/algebra/inequalities/test_second_route.py::test_sympy_accepts_the_certificate[strict factors]",
    "tests/algebra/proving/test_names.py::test_moments_of_five_judges_factor_if_errors_are_independent",
    "tests/cli/test_confounders.py::test_columns_files_clusters_and_texts",
    "tests/cli/test_labelling.py::test_from_labels_in_the_terminal_to_the_rate",
    "tests/cli/test_report_rate.py::test_labels_in_the_table_are_evidence_and_can_be_left_out",
    "tests/cli/test_versus.py::test_labels_that_were_picked_exit_with_one",
    "tests/compare/diagnose/test_run.py::test_a_shared_trait_is_seen_and_the_advice_says_why",
    "tests/compare/diagnose/test_run.py::test_the_key_changes_nothing_but_the_calibration",
    "tests/compare/test_comparison.py::test_percentages_outside_0_to_100_were_printed",
    "tests/compare/test_greedy.py::test_choosing_among_noise_looks_like_a_gain_where_it_chose_and_is_none_where_it_did_not",
    "tests/compare/test_learning_curves.py::test_more_items_and_more_judges_help",
    "tests/io/counting/test_grouped.py::test_two_judges_compared_and_the_best_set",
    "tests/io/test_results.py::test_every_way_to_name_the_human_column_gives_the_same_rate",
    "tests/judges/test_bias.py::test_clusters_are_counted_as_clusters",
    "tests/judges/test_coverage.py::test_balanced_accuracy_holds_where_both_labels_are_there",
    "tests/judges/test_intervals.py::test_mid_p_covers_with_random_class_sizes",
    "tests/judges/test_stream.py::test_an_estimated_baseline_raises_no_more_false_alarms",
    "tests/logic/consistent/test_evaluations.py::test_at_one_key_judges_are_listed_one_by_one",
    "tests/logic/proof/test_tree.py::test_every_tree_verifies_and_every_form_of_leaf_occurs",
    "tests/logic/questions/test_bounds.py::test_under_a_grade_from_above",
    "tests/logic/questions/test_joint_bounds.py::test_ends_of_large_exams_were_left_to_one_integer_program_each",
    "tests/logic/questions/test_joint_panel.py::test_many_conflicts_share_their_nodes",
    "tests/logic/questions/test_monitor.py::test_a_thousand_items_of_twenty_judges",
    "tests/logic/questions/test_reach.py::test_two_labels_meet_where_the_linear_program_says",
    "tests/logic/questions/test_steps.py::test_a_higher_order_is_never_looser",
    "tests/logic/questions/test_steps.py::test_alarm_panel_and_bounds_never_contradict_each_other",
    "tests/papers/test_graders.py::test_claims_on_the_graders_fail_on_other_counts[45]",
    "tests/papers/test_graders.py::test_levels_are_those_that_the_figure_draws",
    "tests/papers/test_ledger.py::test_every_claim_is_confirmed_and_as_on_file[000-A1]",
    "tests/papers/test_ledger.py::test_every_claim_is_confirmed_and_as_on_file[000-D1b]",
    "tests/papers/test_ledger.py::test_every_claim_is_confirmed_and_as_on_file[000-Tab3w3]",
    "tests/papers/test_printed_ladder.py::test_a_printed_ladder_without_misprints_has_none",
    "tests/papers/test_sweep.py::test_labels_that_favour_the_worse_still_leave_two_thirds_to_one_label",
    "tests/rates/rating/test_rates_of_systems.py::test_a_file_holds_the_rate_of_each_system",
    "tests/report/figures/scores/test_score_figures.py::test_figures_have_a_title_and_a_description_and_many_items_stay_small",
    "tests/report/figures/test_confusion.py::test_more_judges_than_fit_are_on_further_pages_and_counted",
    "tests/report/figures/test_figures.py::test_no_global_state",
    "tests/report/test_to_send.py::test_in_python_neither",
    "tests/test_action.py::test_judges_who_can_pass_with_a_summary_and_no_proof",
    "tests/test_moved.py::test_an_old_path_that_was_a_command_still_runs",
    "tests/test_notebooks.py::test_notebook_runs_and_shows_what_is_shipped[23-label-until-it-is-enough]",
    "tests/test_public_names.py::test_public_names_are_the_same_objects_whatever_was_imported_before",
    "tests/test_sentences_consensus.py::test_few_language_models",
    "tests/test_sentences_scores.py::test_held_out_likelihood_says_that_there_are_two_not_which",
    "tests/test_sentences_scores.py::test_the_table_of_rank_correlations",
)
"""Simulations and exhaustive checks of seconds, or single cases of them, which `nox -s slow` runs."""

with (ROOT / "tests" / "protection.toml").open("rb") as stream:
    PROTECTED = {
        f"tests/{test}"
        for rows in tomllib.load(stream).values()
        for pair in rows.values()
        for test in pair
    }
"""A test by brute force and one of something planted for each method, order, reader and question:
`nox -s fast` runs them wherever they lie."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in SOLVER, and all but each n-th case of what lies in EVERY and SELDOM."""
    cases: Counter[str] = Counter()
    for item in items:
        file, *rest = item.nodeid.split("::")
        name = f"{file}::{rest[-1].split('[')[0]}"
        folders = file.split("/")
        around = {name, *("/".join(folders[:end]) for end in range(2, len(folders) + 1))}
        left_out = not around.isdisjoint(SOLVER) and name not in PROTECTED
        if left_out or cases[name] % EVERY.get(name, 1):
            item.add_marker("solver")
        if cases[name] % SELDOM.get(name, 1) or {name, item.nodeid} & {*SLOW}:
            item.add_marker("slow")
        cases[name] += 1


def pytest_configure() -> None:
    """Collect garbage less often: the default walked 60,000 times through modules and collected tests."""
    gc.set_threshold(50_000, 20, 20)


ALL_REFITS = (
    "tests/aggregate",
    "tests/test_docs.py",
    "tests/test_notebooks.py",
)
"""Folders and files in which fits are drawn again as often as for a user."""


@pytest.fixture(scope="module", autouse=True)
def few_refits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw fits again 12 times, not 100, where intervals are shown that were not asked for."""
    if request.node.nodeid.startswith(ALL_REFITS):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("algeval.aggregate.policy.SHOWN_REFITS", 12)
        yield


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
