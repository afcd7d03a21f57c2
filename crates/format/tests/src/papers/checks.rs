//! What shows that a row of `docs/papers.md` holds: the list from which its mark follows.

/// A row of the table of a paper.
pub(super) struct Row {
    /// The section, as the table has it.
    pub section: &'static str,
    /// What the section has.
    pub what: &'static str,
    /// Checks of it: names of native tests, and, after `page: `, of tests of the built page. None: the row says *no*.
    pub checks: &'static [&'static str],
    /// Words of the row that say what it lacks: then it is *part*.
    pub lacks: &'static str,
}

const fn whole(section: &'static str, what: &'static str, checks: &'static [&'static str]) -> Row {
    Row { section, what, checks, lacks: "" }
}

const fn part(section: &'static str, what: &'static str, checks: &'static [&'static str], lacks: &'static str) -> Row {
    Row { section, what, checks, lacks }
}

const fn no(section: &'static str, what: &'static str) -> Row {
    Row { section, what, checks: &[], lacks: "" }
}

/// The tables, by paper, in the order of the document.
pub(super) const PAPERS: [(&str, &[Row]); 4] = [("TX2", TX2), ("EDF", EDF), ("LP", LP), ("MT", MT)];

const TX2: &[Row] = &[
    whole("2.1, Fig. 1", "one chip, two SMs, one copy engine", &["tours_draw_a_chip_and_a_switch", "the_sms_are_those_of_the_device"]),
    whole("2.2", "copy engines beside an execution engine", &["copy_engines_one_serves_both_directions_and_two_one_each"]),
    whole(
        "2.2, Listing 1",
        "a program: allocate, copy, launch, copy, free",
        &["a_program_says_what_the_table_says", "page: the program lights the call of the step, selects rows, and is saved"],
    ),
    no("2.2", "warps and their schedulers"),
    whole("2.3, Fig. 2", "block time, kernel time, total time", &["results_of_a_schedule_worked_out_by_hand"]),
    whole(
        "2.3",
        "streams; copies that wait and copies that do not",
        &["g1_an_operation_joins_the_tail_of_its_stream_when_issued", "calls_that_wait_for_the_device_hold_up_what_follows"],
    ),
    whole(
        "3.1, Table 1, Figs. 3, 4",
        "the motivating experiment and its queues",
        &["golden_times_of_tx2_table_1", "golden_insets_of_tx2_fig_4", "fig_4_a", "fig_4_b", "fig_4_c", "fig_4_d", "fig_4_e"],
    ),
    whole(
        "3.2",
        "rules G1 to G4, X1, R1 to R3, C1 to C4",
        &[
            "g1_an_operation_joins_the_tail_of_its_stream_when_issued",
            "g2_a_kernel_joins_the_ee_queue_at_the_head_of_its_stream",
            "g3_a_kernel_leaves_the_ee_queue_when_all_its_blocks_are_assigned",
            "g4_a_kernel_leaves_its_stream_when_all_its_blocks_have_completed",
            "x1_only_the_head_of_the_ee_queue_has_blocks_assigned",
            "r1_registers_count",
            "r1_block_slots_count",
            "r2_a_block_needs_its_threads_on_one_sm",
            "r3_a_block_needs_its_shared_memory_on_the_same_sm",
            "c1_a_copy_joins_the_ce_queue_at_the_head_of_its_stream",
            "c2_the_head_of_the_ce_queue_is_assigned_when_the_engine_is_idle",
            "c3_a_copy_leaves_the_ce_queue_when_it_is_assigned",
            "c4_a_copy_leaves_its_stream_when_it_is_complete",
        ],
    ),
    part(
        "3.2, 5",
        "response times that the rules bound",
        &["space_bound_holds_in_runs_of_every_feature", "space_bound_of_the_papers_tables", "space_bound_says_why_there_is_none"],
        "no bound for Table 2, with events, or for each kernel",
    ),
    whole(
        "4.1, Table 2, Fig. 5",
        "the NULL stream: N1, N2",
        &[
            "golden_times_of_tx2_table_2",
            "n1_the_null_stream_waits_for_what_was_launched_before",
            "n2_other_streams_wait_for_what_the_null_stream_launched_before",
        ],
    ),
    whole("4.2, Table 3, Fig. 6", "a high priority starves a low one", &["golden_times_of_tx2_table_3"]),
    whole(
        "4.2, Table 4, Fig. 7",
        "no priority ranks as low; A1, A2",
        &[
            "golden_times_of_tx2_table_4",
            "a1_a_kernel_joins_the_ee_queue_of_its_streams_priority",
            "a2_a_higher_ee_queue_comes_first_even_while_its_head_does_not_fit",
            "a2_running_blocks_are_not_preempted",
        ],
    ),
    whole("4.2, Table 5, Fig. 8", "no cutting ahead of a large block", &["golden_times_of_tx2_table_5"]),
    whole("4.3 (i)", "a NULL stream for each task", &["tours_examples_say_what_their_runs_do"]),
    whole(
        "4.3 (ii)",
        "streams that the NULL stream does not stop",
        &["non_blocking_streams_are_not_concerned_by_null", "non_blocking_streams_make_null_a_stream_like_any_other"],
    ),
    whole(
        "4.3 (iii)",
        "preemption at an instruction",
        &["edf_an_earlier_deadline_preempts_at_once", "residency_suspended_blocks_keep_their_place_and_run_their_time"],
    ),
    no("4.3 (iv)", "dynamic parallelism"),
    part(
        "5",
        "delays that are not work-conserving, often from synchronization",
        &["each_variant_differs_from_its_rule_at_a_known_step", "calls_that_wait_for_the_device_hold_up_what_follows"],
        "The paper leaves their causes to a later one",
    ),
    no("5", "middleware that reorders operations"),
    part("5", "other GPUs", &["measured_h200_shows_what_the_papers_and_cuda_say"], "not the rules"),
    whole(
        "A, Figs. 9, 10",
        "processes take turns; block times double",
        &[
            "threads_in_flight_are_those_of_figure_9",
            "block_times_are_those_of_figure_10",
            "examples_of_two_processes_seem_to_have_two_gpus",
        ],
    ),
    whole("A", "on the TX1, between blocks only", &["examples_of_the_tx1_change_processes_between_blocks"]),
    whole("A", "priorities do nothing between processes", &["examples_of_priorities_change_nothing_across_processes"]),
];

const EDF: &[Row] = &[
    whole(
        "I, first contribution",
        "decisions at events, not by a table",
        &["signals_tell_of_work_and_of_its_completion", "edf_an_earlier_deadline_preempts_at_once"],
    ),
    part(
        "I, second contribution",
        "an API with budgets and deadlines",
        &["batches_of_edf_begin_and_end_in_each_stream", "batches_have_servers_of_their_own"],
        "no driver has its calls",
    ),
    whole(
        "I, third contribution",
        "a scheduler in a guest of the hypervisor",
        &["path_guests_hold_their_processes_push_buffers", "path_of_an_overrun_step_by_step"],
    ),
    whole(
        "I, fourth contribution",
        "dependencies between processes",
        &["examples_of_inheritance_need_it", "edf_a_producer_inherits_its_consumers_deadline"],
    ),
    whole("III-A", "Drive PX, Parker, gp10b", &["contract_device_table_is_that_of_the_code"]),
    whole(
        "III-B, Fig. 1",
        "the runlist and how it is built",
        &["examples_of_edf_figure_1_take_turns_as_printed", "scheduler_the_ring_of_figure_1", "two_high_and_two_medium_are_figure_1"],
    ),
    whole("III-B", "channels", &["channels_take_turns_like_processes", "examples_of_two_channels_take_turns_within_a_process"]),
    part("III-B", "the runlist on today's GPUs", &["examples_of_six_processes_take_the_times_of_the_logs"], "a fit to the logs of one GPU"),
    part("III-B", "push buffers, semaphores, syncpoints", &["path_guests_hold_their_processes_push_buffers"], "events stand for the marks"),
    whole(
        "III-B, eq. (1)",
        "a task is (C, D, P): execution time, relative deadline, period",
        &["glossary_keeps_blocking_waiting_and_channels_apart", "policies_settings_are_columns_of_the_tables"],
    ),
    part(
        "III-C",
        "the hypervisor, its guests, the RunList Manager",
        &["path_guests_hold_their_processes_push_buffers"],
        "Memory and allocations are not modeled",
    ),
    whole(
        "III-D, Fig. 2b",
        "guests, push buffers, RunList Manager, signals A, B and C",
        &[
            "path_guests_hold_their_processes_push_buffers",
            "path_signals_on_their_way",
            "path_the_timer_runs_while_a_server_pays",
            "page: the path of a submission is shown in place of the queues, lights its signals, and is in the link",
        ],
    ),
    whole(
        "IV",
        "EDF with a CBS server for each task",
        &[
            "edf_a_server_that_is_used_up_has_its_deadline_postponed",
            "share_a_server_never_takes_more",
            "examples_of_an_overrun_hurt_only_those_without_servers",
        ],
    ),
    whole(
        "IV-A",
        "batches of commands",
        &[
            "batches_are_chosen_by_their_own_deadlines",
            "batches_deadline_counts_from_the_issue_of_their_first_command",
            "batches_have_servers_of_their_own",
        ],
    ),
    whole(
        "IV-A",
        "the chain of a consumer stays resident",
        &["chains_take_turns_on_one_runlist", "chains_of_one_process_at_a_time_are_the_default", "examples_of_inheritance_need_it"],
    ),
    whole("IV-A", "best effort by priority", &["edf_best_effort_goes_by_priority_when_no_real_time_job_is_pending"]),
    whole("V, Listing 1", "`glSetFrameTarget`", &["tours_of_listings_show_ten_lines", "batches_of_edf_begin_and_end_in_each_stream"]),
    whole(
        "V, Listing 2",
        "`cudaStreamDeadlineBegin` and `End`",
        &["tours_of_listings_show_ten_lines", "batches_of_edf_begin_and_end_in_each_stream"],
    ),
    part(
        "VI-A, Fig. 4",
        "four applications under both schedulers",
        &[
            "examples_of_the_applications_are_those_of_the_paper",
            "examples_of_the_applications_over_ten_seeds_are_as_stated",
            "examples_of_the_applications_over_fresh_seeds_are_in_their_bands",
            "examples_of_the_applications_no_reduction_by_93_percent_is_within_theorem_1",
            "figures_of_several_tasks_magnify_what_is_above_the_shortest_deadline",
        ],
        "a fit",
    ),
    part(
        "VI-B, Fig. 3 (a), (b), (c)",
        "what the runlist schedules",
        &[
            "edf_fig_3a_the_share_drops_above_one_half_with_five_tasks_and_1_ms",
            "edf_fig_3a_and_b_longer_timeslices_are_worse_and_so_are_more_tasks",
            "edf_fig_3c_the_timeslice_has_a_significant_impact",
            "edf_fig_3c_the_cost_of_a_switch_makes_the_hump",
        ],
        "The charge of 50 µs is our choice",
    ),
    part(
        "VI-B, Fig. 3 (d)",
        "what EDF schedules with overhead",
        &[
            "edf_fig_3d_over_70_percent_pass_at_0_95_with_1500_us",
            "edf_fig_3d_the_share_falls_with_the_length_of_the_run",
            "edf_vi_c_signals_cost_more_than_the_charge",
        ],
        "length is our choice",
    ),
    whole("VI-C", "what a switch saves: about 50 µs", &["time_to_save_grows_with_the_sms"]),
    whole(
        "VI-C",
        "pixel preemption, channel reset",
        &["pixels_a_graphics_task_runs_on_to_the_end_of_a_pixel", "pixels_the_watchdog_resets_who_does_not_give_way"],
    ),
    whole(
        "appendix, Theorem 1, Fig. 2a",
        "the bound for high interleaving",
        &[
            "examples_of_edf_figure_2a_reach_the_bound_of_theorem_1",
            "bound_terms_are_those_of_the_theorem",
            "bound_with_every_switch_is_never_exceeded",
        ],
    ),
    no("VII", "memory contention, several GPUs"),
];

const LP: &[Row] = &[
    whole(
        "II-B",
        "FECS, GPCCS, and what a switch does",
        &["tours_draw_a_chip_and_a_switch", "edf_kernel_preemption_pauses_between_kernels"],
    ),
    whole("II-C, II-D", "the task model; demand bound, QPA", &["qpa_agrees_with_brute_force", "the_points_are_the_demand"]),
    part(
        "III-A, III-B, Table I",
        "switch times of four cards",
        &["cards_are_those_of_table_i_of_lp", "switches_are_shaped_by_one_choice"],
        "the row of the GT 710 is empty",
    ),
    part(
        "III-B, Fig. 1",
        "the histogram of switch times",
        &["switches_with_a_tail_are_as_the_paper_states", "figures_of_switches_stand_beside_the_paper"],
        "The shape is a choice",
    ),
    part("III-C, Fig. 2", "scan-out lengthens switches", &["figures_of_switches_stand_beside_the_paper"], "The shape is a choice"),
    whole(
        "IV-A, Table II",
        "costs of full, limited and no preemption",
        &["examples_of_preemption_modes_differ_in_who_is_late", "lp_table_ii_grows_with_the_state"],
    ),
    whole(
        "IV-C, Fig. 3",
        "two tasks",
        &[
            "lp_fig_3_agrees_with_the_published_numbers",
            "lp_fig_3_limited_preemption_schedules_99_percent_up_to_0_89",
            "lp_fig_3_full_preemption_at_the_maximum_cost_has_a_minimal_benefit_up_to_0_71",
        ],
    ),
    whole("IV-C, Fig. 4", "three tasks", &["lp_fig_4_with_three_tasks_the_maximum_cost_outweighs_full_preemption_completely"]),
    whole(
        "IV-D, Figs. 5, 6",
        "work-groups per SM",
        &["lp_fig_5_and_6_from_nine_work_groups_on_the_overhead_decides", "lp_fig_6_even_two_work_groups_schedule_99_percent_up_to_0_29"],
    ),
    part("V-A", "DRAM that several share", &["figures_of_switches_stand_beside_the_paper"], "why copies are left out"),
    no("V-B", "the rasteriser; a GPU in parts"),
];

const MT: &[Row] = &[
    part("2", "surveyed methods", &["batch_taxonomy_has_each_scheduler_at_one_leaf"], "below"),
    whole(
        "3",
        "small and large kernels, balanced and unbalanced copies",
        &["batch_small_depends_on_the_gpu", "batch_cases_have_the_order_of_the_paper"],
    ),
    whole("3", "latency and throughput tasks", &["batch_latency_tasks_are_due_after_their_input_and_throughput_tasks_in_turn"]),
    no("3", "compute-bound and memory-bound kernels"),
    whole("4, Fig. 1", "the six schedulers", &["batch_taxonomy_has_each_scheduler_at_one_leaf", "batch_sequences_of_commands"]),
    whole(
        "5.1, Tables I, II, Fig. 2",
        "false dependencies and set-event-queue",
        &[
            "batch_table_one_stands_in_the_queues_as_figure_2a_has_it",
            "batch_table_two_stands_in_the_queues_as_figure_2b_has_it",
            "batch_the_one_false_dependency_is_there_without_set_event_queue",
            "batch_the_false_dependency_is_gone_with_set_event_queue",
            "page: the paper's false dependency is there, and its method removes it",
        ],
    ),
    whole(
        "5.2, 5.3",
        "flush-zero, atomic counters",
        &[
            "batch_flush_zero_lets_the_host_see_the_first_end",
            "batch_atm_cnt_kernel_tells_the_order",
            "batch_atm_cnt_cpu_sched_avoids_the_blocking_query",
        ],
    ),
    part(
        "6, Table III",
        "performance in six cases",
        &["batch_cases_have_the_order_of_the_paper", "batch_conclusions_two_to_five_follow", "batch_slack_times_bound_the_work"],
        "Not every size",
    ),
    part(
        "7",
        "the TX1: events in a shared queue",
        &[
            "batch_on_tx1_stop_events_wait_for_each_other",
            "batch_on_tx1_dummy_events_keep_events_in_their_queues",
            "batch_on_tx1_polling_misplaces_events",
        ],
        "The shared queue is ours",
    ),
    part("7", "zero-copy memory is slower than a copy", &["batch_zero_copy_is_slower_from_a_factor_on"], "The paper gives no number"),
    part(
        "8, Fig. 3",
        "which scheduler for which workload",
        &["batch_advice_is_a_tree", "batch_advice_is_what_did_best_in_each_case"],
        "the tree is ours",
    ),
];
