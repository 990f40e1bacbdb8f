/* The sections of a study, each read by the file that is named. */
#ifndef ML_CONFIG_SECTIONS_H
#define ML_CONFIG_SECTIONS_H

#include "config/schema/lay_out.h"
#include "config/schema/reader.h"

/* read_segments.c */

/* Room for n segments or degrees of freedom; false without memory. */
bool ml_read_make_base(struct ml_reader *r, int n);

/* Name of the i-th; its number if it has none of its own. */
void ml_read_set_name(struct ml_reader *r, int i, const char *name);

/* The segments of a system, from its map; r->has_segments: without problems. */
void ml_read_segments(struct ml_reader *r, const struct ml_node *system);

/* Reports numbers of segments that neither the body's table nor markers nor the study give.
 *   system  the map */
void ml_read_check_segments(struct ml_reader *r, const struct ml_node *system);

/* named_signals.c */

/* Writes signals as names and formulas, before anything is read. */
void ml_lay_out_signals(struct ml_reader *r, struct ml_node *root);

/* Reports problems of their own keys, once the times of the study are known.
 *   node  the section; NULL: none */
void ml_read_named_signals(struct ml_reader *r, const struct ml_node *node);

/* controllers.c */

/* Writes controllers as names, states, registers and formulas, before anything is read. */
void ml_lay_out_controllers(struct ml_reader *r, struct ml_node *root);

/* Reports problems of their own keys.
 *   node  the section; NULL: none */
void ml_read_controllers(struct ml_reader *r, const struct ml_node *node);

/* read_registers.c */

/* Whether a system, from its map, has a place for registers; and whether they are states of it, not
 * of a force. */
bool ml_registers_have_place(const struct ml_node *system);
bool ml_registers_are_states(const struct ml_node *system);

/* The first force of a chain, which registers and signals are in; NULL without memory, or where
 * `forces` is no list. */
struct ml_node *ml_registers_force(struct ml_reader *r, struct ml_node *root,
                                   const struct ml_node *place);

/* Writes events that follow others by registers, and registers as states and events, before
 * anything is read. */
void ml_lay_out_registers(struct ml_reader *r, struct ml_node *root);

/* Reports problems of the key `after` of an event.
 *   node  the event */
void ml_read_after(struct ml_reader *r, const struct ml_node *node, const struct ml_node *after);

/* Reports problems of their own keys.
 *   node  the section; NULL: none */
void ml_read_registers(struct ml_reader *r, const struct ml_node *node);

/* read_rest.c */

/* Writes `then: rest` of events as registers, rates and events, before anything is read. */
void ml_lay_out_rests(struct ml_reader *r, struct ml_node *root);

/* Reports why a scalar `then` of an event gives no state: a word other than `rest`, or an event
 * without a surface.
 *   event  the map of the event
 *   then   its key */
void ml_read_rest(struct ml_reader *r, const struct ml_node *event, const struct ml_node *then);

/* Where `system.type` names a classical system (model/classics.h), puts its formulas into the tree,
 * with the parameters that the study gives; a key that is no parameter is reported. */
void ml_read_classic(struct ml_reader *r, struct ml_node *root);

/* read_require.c: bounds of numbers of the summary; NULL: none */
void ml_read_require(struct ml_reader *r, const struct ml_node *node);

/* read_define.c */

/* Reads the names; they need not be there.
 *   define  NULL: none */
void ml_read_define(struct ml_reader *r, const struct ml_node *define);

/* Finds the numbers of a run that formulas give, once all slots are known.
 *   formulas  those by path; NULL: none */
void ml_formulas_place(struct ml_reader *r, const struct ml_node *formulas);

/* Reports numbers that cannot follow swept names, and runs in which a number is not allowed, once
 * all axes are known. */
void ml_formulas_settle(struct ml_reader *r);

/* Settles numbers that were read since, which are the same in all runs; and notices names of
 * which no number is. */
void ml_formulas_end(struct ml_reader *r);

/* Calls for the numbers that follow from name i of those that have a value, until a call returns
 * true, which is returned.
 *   slot  of the number; -1: it is no number of a run */
bool ml_formulas_each_of(struct ml_reader *r, int name,
                         bool (*visit)(struct ml_reader *r, const struct ml_node *node, int slot,
                                       const struct ml_node *formula),
                         const struct ml_node *node);

/* read_arrays.c: a system of arrays, from its map */
void ml_read_arrays(struct ml_reader *r, const struct ml_node *system);

/* read_matrix.c: a matrix, a row and a column for each segment or degree of freedom: a list of
 * rows, or a map of rows by name; each row a list, or a map by name, or, unless others are lists,
 * the number on the diagonal. With ML_SYMMETRIC it must be symmetric.
 *   node    NULL: not given
 *   values  [n][n]; defaults where nothing is given */
void ml_read_matrix(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *values);

/* read_system.c: the system, its segments and the initial state */
void ml_read_system(struct ml_reader *r, const struct ml_node *node);
void ml_read_initial(struct ml_reader *r, const struct ml_node *node);

/* Path of a file that the study names: it stands beside the study unless it begins with '/'; NULL
 * without memory. */
const char *ml_read_path(struct ml_reader *r, const char *file);

/* read_by_segment.c */

/* Callback for elements of a kind: reads `node`, of segment i, into `context`. */
typedef void ml_read_one_fn(struct ml_reader *r, const struct ml_node *node,
                            const struct ml_param *param, int i, void *context);

/* One thing for each segment, by name or in their order, from a map or a list. */
void ml_read_each_segment(struct ml_reader *r, const struct ml_node *node,
                          const struct ml_param *param, ml_read_one_fn *read_one, void *context);

/* A number for all segments or degrees of freedom, or one for each. values: [n], those not named
 * stay */
void ml_read_by_segment(struct ml_reader *r, const struct ml_node *node,
                        const struct ml_param *param, double *values);

/* Index of a segment or degree of freedom by name; -1 after telling. */
int ml_read_segment(struct ml_reader *r, const struct ml_node *node, const char *key);

/* The segment that the key of a node names. */
int ml_read_segment_key(struct ml_reader *r, const struct ml_node *node);

/* read_forces.c */
void ml_read_forces(struct ml_reader *r, const struct ml_node *node);

/* read_signal.c: a number that may change over time; and one for each joint, or for all of them.
 * Times of the study are known, if they are right.
 *   node    NULL: not given
 *   values  [ML_SIGNAL_ROWS], or so many for each joint
 *   signal  [1], or [n] */
void ml_read_signal(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *values, struct ml_signal *signal);
void ml_read_signals(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                     double *values, struct ml_signal *signal);

/* read_breakpoints.c: the table that a signal names; NULL after a problem, or without memory
 *   node  the signal
 *   param  unit and range of the values */
const struct ml_breakpoints *ml_read_breakpoints(struct ml_reader *r, const struct ml_node *node,
                                                 const struct ml_signal_keys *keys,
                                                 const struct ml_param *param);

/* The curve of a table that formulas call; NULL after a problem, or without memory.
 *   node  the keys of the table */
const struct ml_breakpoints *ml_read_curve(struct ml_reader *r, const struct ml_node *node,
                                           const struct ml_curve_keys *keys);

/* read_tables.c: the tables that formulas call; before these are read
 *   node  NULL: not given */
void ml_read_tables(struct ml_reader *r, const struct ml_node *node);

/* Reports tables that no formula has called. */
void ml_tables_end(struct ml_reader *r);

/* read_load.c: where a measured force acts, and its samples below the threshold */
void ml_read_load(struct ml_reader *r, const struct ml_node *node, const struct ml_force_use *use,
                  const double *values, struct ml_signal *signals);

/* read_integrator.c: before ml_read_time; that the method is one for this system, and that its
 * steps may be so long that the time advances, once it is known which numbers are swept */
void ml_read_integrator(struct ml_reader *r, const struct ml_node *node);
void ml_read_splitting(struct ml_reader *r, const struct ml_node *node);
void ml_read_step_max(struct ml_reader *r, const struct ml_node *node);
/* Names of the methods that hold a tolerance, "a, b, c"; of the explicit ones only. */
const char *ml_adaptive_names(struct ml_reader *r, bool is_explicit);

/* read_run.c */
void ml_read_time(struct ml_reader *r, const struct ml_node *node);
void ml_read_analyse(struct ml_reader *r, const struct ml_node *node);
void ml_read_save(struct ml_reader *r, const struct ml_node *node);

void ml_read_accuracy(struct ml_reader *r, const struct ml_node *node);

/* read_quantities.c: records by formula, which the study's system has behind its own; once forces
 * are known node  NULL: not given */
void ml_read_quantities(struct ml_reader *r, const struct ml_node *node);

/* Gives their formulas the numbers of `define`, whose slots are known then. */
void ml_quantities_place(struct ml_reader *r);

/* The record of the formula that is the text of `node`, the value of `key`; its name is the
 * formula. False after telling. is_truth  the formula is a comparison, and the record is 1 where it
 * holds, -1 elsewhere */
bool ml_read_formula_record(struct ml_reader *r, const struct ml_node *node, const char *key,
                            bool is_truth, struct ml_event_keep *out);

/* Row of the state of a number of a state quantity. */
int ml_state_row(const struct ml_system *system, int n, const struct ml_event_keep *rows);

/* Gives a record by formula its exact derivatives, where it is a formula of the state; false
 * without memory. */
bool ml_derive_formula_record(struct ml_reader *r, int i_record);

/* Whether the index is that of such a record. */
bool ml_record_is_formula(const struct ml_reader *r, int i_record);

/* record_path.c: the rows of a record that a path such as angle, angle.lower or end.hand.x names.
 * NULL, or why it names none. A path that stops before the last dimension names all rows of that.
 */
const char *ml_record_path(struct ml_reader *r, const char *text, struct ml_event_keep *out);

/* Index of the system's record of a name; -1: it has no such record, and `near` is the nearest
 * name. */
int ml_find_record(const struct ml_reader *r, const char *name, const char **near);

/* Whether a text that is no path of a recorded number is one that was meant to be. */
bool ml_is_record_path(const char *text);

/* "end.hand.x, end.hand.y, ..." of a record, for messages. */
const char *ml_record_rows_text(struct ml_reader *r, const struct ml_quantity *record);

/* Offers all such paths. */
struct ml_nearest;
void ml_record_path_offer(struct ml_reader *r, struct ml_nearest *nearest);

/* Reads a path, or a formula: rows of a record. False after telling. */
bool ml_read_chosen(struct ml_reader *r, const struct ml_node *node, const char *key,
                    struct ml_event_keep *out);

/* read_observe.c: observations, below `analyse` */
void ml_read_observe(struct ml_reader *r, const struct ml_node *node);

/* read_events.c: once the system and the times are known; then the checks that need the axes and
 * the derivatives
 *   node  the events; NULL: not given */
void ml_read_events(struct ml_reader *r, const struct ml_node *node);
void ml_read_events_of_runs(struct ml_reader *r, const struct ml_node *node);

/* read_motion.c */
void ml_read_motion(struct ml_reader *r, const struct ml_node *node);

/* read_measured.c: the keys of a measured motion; reports keys of motions of other types.
 *   node  the motion, whose plain keys are read */
void ml_read_measured(struct ml_reader *r, const struct ml_node *node);

/* read_marker_lengths.c: lengths of segments that the study does not give, from their markers in
 * the table of the motion */
void ml_read_marker_lengths(struct ml_reader *r);

/* read_inverse.c */
void ml_read_inverse(struct ml_reader *r, const struct ml_node *node);

/* read_poles.c: poles of a closed loop
 *   list  NULL: not given
 *   out   [2 n][2] their real and imaginary parts */
void ml_read_poles(struct ml_reader *r, const struct ml_node *list, bool is_sampled, double *out);

/* read_cycles.c: cycles of a gait; NULL: none */
void ml_read_cycles(struct ml_reader *r, const struct ml_node *node);

/* read_derivatives.c: outputs and parameters of the derivatives
 *   of  NULL: not given */
void ml_read_of(struct ml_reader *r, const struct ml_node *of);
void ml_read_to(struct ml_reader *r, const struct ml_node *node);

/* Reports a number of a run, of that slot, that nothing can be differentiated by; false if there is
 * nothing to report. */
bool ml_report_no_derivative(struct ml_reader *r, const struct ml_node *node, int slot);

/* read_fit.c: the measured columns of a fit, once the ranges of the sample are known
 *   node  NULL: not given */
void ml_read_fit(struct ml_reader *r, const struct ml_node *node);

/* read_tune.c */

/* Writes key `require` of `tune` as that of the study. */
void ml_lay_out_tune(struct ml_reader *r, struct ml_node *root);

/* The numbers that are tuned, behind all that a study sweeps.
 *   node  NULL: not given */
void ml_read_tune(struct ml_reader *r, const struct ml_node *node);

/* read_sweep.c, read_sample.c: append the axes of a grid to those of the spec, and the axis of a
 * sample; ml_read_grid counts the runs of all axes, with the place `node` for messages. */
void ml_read_sweep(struct ml_reader *r, const struct ml_node *node);
void ml_read_sample(struct ml_reader *r, const struct ml_node *node);
void ml_read_grid(struct ml_reader *r, const struct ml_node *node);

/* from_fit.c */

/* Writes key `from_fit` of a sample as ranges and correlations; a sample that cannot have these is
 * removed. */
void ml_lay_out_from_fit(struct ml_reader *r, struct ml_node *root);
/* Whether a range of the sample is one of these. */
bool ml_is_from_fit(const struct ml_node *sample, const struct ml_node *range);
/* Reports keys that do not go with `from_fit`, and numbers of the fit that the study lacks. */
bool ml_check_from_fit(struct ml_reader *r, const struct ml_node *sample);

/* read_groups.c: sets the groups of the inputs of a sample by the names at its ranges, which are
 * checked; reports correlated ranges in different groups, whose indices have no meaning. */
void ml_read_sample_groups(struct ml_reader *r, const struct ml_node *over);
void ml_check_correlated_groups(struct ml_reader *r, struct ml_location location);

/* read_shell.c: makes an energy shell of the sample whose ranges are read: checks them, appends the
 * rates to the keys, and gives all keys memory for the numbers of all runs. */
void ml_read_shell(struct ml_reader *r, const struct ml_node *node, struct ml_axis *axis);

/* Which way the lines of the last axis are continued, once the axes are known. */
void ml_read_continuation(struct ml_study_spec *spec);

/* read_clock.c: makes a number of `time.step` or `time.end` where the node is that; false after
 * reporting why it cannot be swept. */
bool ml_read_clock(struct ml_reader *r, const struct ml_node *node);

/* Reports outputs that exclude a sweep of the times. */
void ml_read_clock_use(struct ml_reader *r, const struct ml_node *save);

/* The number whose path is the text of `node`, for an axis to sweep. NULL, with a message, if no
 * number has that path or another axis sweeps it. */
const struct ml_slot *ml_read_swept(struct ml_reader *r, const struct ml_node *node);

/* Reports numbers that would be swept without effect: a vector's size, when its components are
 * given or swept. */
void ml_read_hidden(struct ml_reader *r);

/* The keys that an axis or a range of a sample moves: the list, or the one. NULL after a problem,
 * or without memory; numbers that are not known have slot -1.
 *   n  their number */
struct ml_swept *ml_read_set(struct ml_reader *r, const struct ml_node *set, int *n);

/* Reports keys in a map beside a key that replaces them. */
void ml_read_excluded(struct ml_reader *r, const struct ml_node *map, const char *by,
                      const char *const *keys, int n);

/* Turns factors into numbers: multiplies them by the values of the keys, given or derived by the
 * system. False after a problem, also of a key without a value. */
bool ml_read_weights(struct ml_reader *r, const struct ml_node *set, struct ml_swept *swept, int n);

/* Notices multiples of a derived number that do not follow another number which runs change. After
 * formulas are settled. */
void ml_read_multiples(struct ml_reader *r);

/* Whether a key may have a factor times its weight; false after a problem. */
bool ml_read_multiple(struct ml_reader *r, struct ml_location location,
                      const struct ml_swept *swept, double factor);

/* Whether keys that take the same number have the same unit; false after a problem. */
bool ml_read_one_unit(struct ml_reader *r, const struct ml_node *set, const struct ml_swept *swept,
                      int n);

/* Gives keys a range. False after telling that they cannot have the same number, that an end is not
 * allowed for one of them, or not for a logarithmic scale.
 *   map    where from and to stand
 *   range  from, to and scale */
bool ml_read_ends(struct ml_reader *r, const struct ml_node *set, const struct ml_node *map,
                  const struct ml_axis *range, bool is_factor, struct ml_swept *swept, int n);

/* read_experiments.c */

/* The experiments of a fit and the numbers that each sets, once the sample is known.
 *   fit  the section; NULL: none */
void ml_read_experiments(struct ml_reader *r, const struct ml_node *fit);

/* Gives each experiment the columns of the fit that its table has, once these are read. */
void ml_experiments_place_columns(struct ml_reader *r, const struct ml_node *fit);

/* Makes the ranges of the fit of those of the sample: one of a common number, one for each
 * experiment of a number of `own`.
 *   ranges  [n] */
void ml_experiments_place_ranges(struct ml_reader *r, int n, const struct ml_fit_range *ranges);

#endif
