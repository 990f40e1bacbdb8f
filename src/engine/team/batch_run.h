/* The way of one batch from its start to its end. */
#ifndef ML_ENGINE_BATCH_RUN_H
#define ML_ENGINE_BATCH_RUN_H

#include "base/arena.h"
#include "engine/team/batch.h"

/* Integrates runs first .. first + n - 1 (n <= ML_LANES) of a block and writes their results.
 * Returns the number of steps taken by all of them, or -1 if it was told to drop them. */
int64_t ml_batch_run(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int n, struct ml_block *block);

/* Sets a batch to the start of these runs, where all that begins with them has begun. */
void ml_batch_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                    int n, struct ml_block *block);

/* Sets the state of a loaded batch from start values in other quantities, by ml_system.start.set.
 * In lanes with a given energy E scales the rates from ml_system.start.first_rate on by a factor s,
 * and sets their derivatives along the parameters:
 *
 *   E = V + T_others + s^2 T_rates,   s' / s = (E' - V' - T') / (2 s^2 T_rates)
 *
 * with V' and T' of the rates s omega as if s were constant, and E the energy in records. Where no
 * such s exists the rates become NaN, and batch->impossible has the lane. */
void ml_start_load(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Refuses the lanes whose start does not hold the constraints, unless they start from the ends of
 * other runs: their states become NaN, and batch->impossible has them. */
void ml_start_refuse(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Runs that are integrated on from an earlier end, behind batch->n_done steps. */

/* Sets the window, the state and the sums over steps of a batch to those at the earlier end.
 *   block  has the results there of the first n runs of the batch, from `row` on */
void ml_prolong_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                      const struct ml_block *block, int64_t row, int n);

/* An output of the whole run, from its values before the earlier end and after. */
double ml_prolong_join(enum ml_join join, double before, double after);

/* First steps of lanes that choose their steps. */

/* Sets batch->step_control for the state that the batch has, of n runs from `first` on: its first
 * step is ensemble->chosen.first, or one that the state, its derivative, and how fast that changes
 * suggest (Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.4).
 * Nothing to do unless lanes choose their steps. */
void ml_step_control_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                           int64_t first, int n);

/* Keeps the tangent vectors of a batch orthonormal, and tells indicators how they grew. */

/* At the start, when the vectors are the unit ones. */
void ml_renormalise_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* At step k, where the interval from step `begin` on is over. Vectors of lanes that choose their
 * steps are orthonormal there already. */
void ml_renormalise(const struct ml_ensemble *ensemble, struct ml_batch *batch, double begin,
                    double k);

/* Behind steps that the lanes `stepped` have chosen, in the interval that began at step `begin`.
 *   now  [ML_LANES] s: time of each lane */
void ml_renormalise_chosen(const struct ml_ensemble *ensemble, struct ml_batch *batch, double begin,
                           const double *now, unsigned stepped);

/* Tries of a step between two calls of ml_renormalise_chosen. */
int64_t ml_renormalise_tries(const struct ml_batch *batch);

/* Adds to the integral of the Jacobian's trace the part of the n_step steps before step k; every
 * so many steps, which divide those between orthonormalisations. */
void ml_trace_add(const struct ml_ensemble *ensemble, struct ml_batch *batch, double k,
                  double n_step);
int64_t ml_trace_every(const struct ml_ensemble *ensemble);

/* Integrates the trace over a step that each lane has chosen, from batch->x_before to batch->x, by
 * Simpson's rule, with the state in the middle by the cubic through both ends and their rates; adds
 * that to the integral, after an event may have set the state.
 *   before, now  [ML_LANES] s: times of each lane at the beginning and end of its step, the same in
 *                lanes without a step */
void ml_trace_step(const struct ml_ensemble *ensemble, struct ml_batch *batch, const double *before,
                   const double *now);
void ml_trace_take_step(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                        const double *now);

/* Lanes whose run may end, for all that the indicators want to know. */
unsigned ml_renormalise_done(const struct ml_ensemble *ensemble, const struct ml_batch *batch);

/* Trajectories of the runs of one batch: samples are gathered in a tile that stays in the cache and
 * moved on by whole cache lines, a sample of every run being a line of its own otherwise. */
struct ml_sampler {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_block *block;
    unsigned saved;       /* lanes whose trajectory is kept */
    int64_t at[ML_LANES]; /* their index among the saved runs of the block */
    int64_t n_sample;     /* of a trajectory */
    int64_t taken, moved; /* samples so far, the moved ones first */
};

/* Begins with runs first .. first + n - 1. */
void ml_sampler_begin(struct ml_sampler *sampler, const struct ml_ensemble *ensemble,
                      struct ml_batch *batch, struct ml_block *block, int64_t first, int n);

/* Takes a sample of all lanes as they are; `alive` are those whose run goes on. */
void ml_sampler_take(struct ml_sampler *sampler, unsigned alive);

/* Ends runs that failed after the last sample: later samples are NaN.
 *   alive  lanes whose run went on until now, `failed` among them */
void ml_sampler_fail(struct ml_sampler *sampler, unsigned alive, unsigned failed);

/* Windows of a batch's steps, one after the other: as many given steps as are looked at together,
 * one step of each lane where lanes have steps of their own, or all steps up to the next stop of
 * runs that were integrated ahead. Events, indicators and samples look at all of them alike. */

/* Memory for windows; indicators look at the state behind every `every`-th step, INT64_MAX: at none
 * (ml_ensemble_observe_every). */
void ml_window_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_window *window);

/* Prepares the first window of a batch at the start of its runs.
 *   first  run in lane 0, which tells whether they were integrated ahead (ml_refill_has) */
void ml_window_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first);

/* Takes the window window->first .. window->end of the lanes `alive`. Where a run fails in it,
 * window->end becomes first + 1, so that the failing step is known. Only lanes in `alive` can be in
 * the faults; states of the other lanes mean nothing. */
struct ml_lane_faults ml_window_take(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                                     unsigned alive);

/* Derivatives of observed records and energies by the parameters, from their tangent vectors. */

/* Derivatives by the parameters of state quantities first .. first + n - 1, as the batch is now.
 *   out  [rows of these quantities][n_sens] */
void ml_derivs_of_state(const struct ml_ensemble *ensemble, const struct ml_batch *batch, int first,
                        int n, double *out);

/* Derivatives of record i_record at times t [1], s: of a state quantity exact, else by central
 * differences, good to some 1e-10 of the record.
 *   out  [rows of the record][n_sens] */
void ml_derivs_of_record(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                         const double *t, int i_record, double *out);

/* Derivatives of the energies, each [n_sens]. Exact where the system says how, else by central
 * differences: some 1e-10 of the energy.
 *   scale  NULL: not asked for */
void ml_derivs_of_energy(const struct ml_ensemble *ensemble, const struct ml_batch *batch,
                         double *kinetic, double *potential, double *scale);

/* Fills all lanes with runs first .. first + n - 1, the last one repeated, and prepares them. */
void ml_batch_load(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                   int n);

/* Fills the rows of all outputs, batch->outputs.values, from the batch as it is now.
 *   observed  with step and time of now */
void ml_finalise(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                 const struct ml_observation *observed);

/* Places a batch of the ensemble in `arena`, or counts its bytes. */
void ml_batch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_batch *batch);

/* Places the results of one block in `arena`, or counts their bytes. */
void ml_block_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_block *block);

/* Bytes that one thread needs: a batch, the block it fills, the block that is being written, and
 * the part as which it is written. */
size_t ml_ensemble_thread_bytes(const struct ml_ensemble *ensemble);

/* Position of a batch's runs on their continuation lines, and their starts: called when a batch is
 * loaded and when its runs end. */

/* Memory of a batch, which stands on no line yet. */
void ml_line_state_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                          struct ml_line_state *line);

/* Before a batch: its runs begin by themselves, or go on from those that ended. */
void ml_line_state_begin(const struct ml_ensemble *ensemble, struct ml_line_state *line);
void ml_line_state_go_on(const struct ml_ensemble *ensemble, struct ml_line_state *line);

/* Numbers of the run in a lane: as ml_ensemble.numbers.values, with the start that it has on its
 * line. */
void ml_line_state_values(const struct ml_ensemble *ensemble, const struct ml_line_state *line,
                          int64_t first, int lane, double *values);

/* Keeps the ends of some lanes, of which batch->records.state is the state. */
void ml_line_state_keep_end(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                            unsigned lanes);

/* Sets the state in a run's values, in place of any start: the energy of one is no longer given. */
void ml_start_set(const struct ml_ensemble *ensemble, const double *state, int stride,
                  double *values);

/* Lanes that take the next run as soon as theirs has ended. Runs that choose their steps end at
 * very different times; side by side from start to end, some lanes would wait for the slowest. So
 * the runs of several batches are integrated ahead, each at its own pace, and the state of each at
 * every stop (a tick at which it is looked at) is kept; the batches then go through the stops with
 * these states. No run's numbers depend on it. */

/* Takes memory for `refill` from the batch's arena; runs are observed every `every` ticks
 * (ml_ensemble_observe_every). Takes no memory if refilling does not serve the ensemble: lanes take
 * given steps, a stop changes the state (tangent vectors are made orthonormal), events are looked
 * for between the stops, the stops are too many to keep, or runs go on from others. */
void ml_refill_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena, int64_t every,
                      struct ml_refill *refill);

/* Integrates the runs first .. first + n_run - 1 ahead, or as many of them as fit, unless run
 * `first` is one that has been. False if the batch was told to drop its work. */
bool ml_refill_ahead(const struct ml_ensemble *ensemble, struct ml_batch *batch, int64_t first,
                     int64_t n_run);

/* Has integrated no run, as in the beginning. */
void ml_refill_forget(struct ml_refill *refill);

/* Whether run `first`, which must be the first of its batch, has been integrated ahead. */
bool ml_refill_has(const struct ml_refill *refill, int64_t first);

/* For the batch that begins with run `first`: sets its step_control to that of the end of each run;
 * sets its state to that at stop i, and returns the lanes whose run failed on the way to this stop.
 */
void ml_refill_take_step_control(struct ml_batch *batch, int64_t first);
struct ml_lane_faults ml_refill_take_stop(const struct ml_ensemble *ensemble,
                                          struct ml_batch *batch, int64_t first, int64_t i);

/* Batches that a GPU integrates ahead: they take their ends from there, in one window each, or in a
 * window for each stop at which tangent vectors are made orthonormal, of which the device has R.
 * The device has the same bits; where a run fails on it or a signal jumps within a step, the host
 * integrates the batch, and where the device fails, all of the block. */

/* Whether a device can integrate runs of the ensemble: without anything to look at before the end
 * but, by given steps, tangent vectors. */
bool ml_device_serves(const struct ml_ensemble *ensemble);

/* The batches that a thread gives a GPU at once: as many as a block has, or as its queue has room
 * for, one at least.
 *   most_bytes  of the queue
 * Zeros without memory to find out. */
struct ml_device_group {
    int64_t n_batch;
    size_t batch_bytes; /* of each batch in the queue */
};
struct ml_device_group ml_device_group(const struct ml_ensemble *ensemble, size_t most_bytes);

/* Integrates batches of a block ahead, from batch i on, unless that has been or this thread is none
 * that uses batch->device.use. False if the batch was told to drop its work. */
bool ml_device_ahead(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                     struct ml_block *block, int64_t i);

/* Looks into the steps that lanes choose, for indicators. A step may be long, and the motion within
 * it counts too: the state at a few points of the step, which is taken again with shorter lengths,
 * and the rates there make a polynomial of higher order than the method. Records are computed from
 * it at the points of a look (analysis/look.h). */

/* Whether some indicator looks into the steps of an ensemble. */
bool ml_looks_are_needed(const struct ml_ensemble *ensemble);

/* Takes memory for the looks of a batch from the arena. */
void ml_looks_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_looks *looks);

/* At the start of the runs of a batch. */
void ml_looks_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch);

/* Shows indicators the steps of some lanes, from batch->x_before at window->before up to batch->x
 * at window->now, or to watch->x_stop at watch->stop_time in the lanes that stopped there. */
void ml_looks_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes,
                   unsigned stopped);

#endif
