/* Computes dataset shapes, chunk sizes and the position of each block from a study, and the bytes
 * that a result and its work folder need. */
#include "plan/layout.h"

#include <assert.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/path.h"
#include "design/spacing.h"
#include "plan/datasets.h"
#include "plan/study_id.h"

bool ml_layout_is_list(const struct ml_layout *layout)
{
    return ml_study_spec_is_sample(&layout->study->spec) || layout->shard.count > 1;
}

static struct ml_extent extent_of_runs(const struct ml_layout *layout)
{
    const struct ml_study *study = layout->study;
    struct ml_extent runs = {0};
    assert(study->spec.runs.n_axis < ML_MAX_RANK);
    if (ml_layout_is_list(layout)) {
        runs.rank = 1;
        runs.size[0] = (unsigned long long)layout->n_run;
        return runs;
    }
    for (; runs.rank < study->spec.runs.n_axis; runs.rank++)
        runs.size[runs.rank] = (unsigned long long)study->spec.runs.axes[runs.rank].count;
    return runs;
}

/* Saved runs of a block in the whole study. */
static int64_t saved_in(const struct ml_layout *layout, int64_t block)
{
    const struct ml_saving *saving = &layout->study->ensemble.saving;
    const int64_t first = ml_layout_block_first(layout, block);
    return ml_saving_index(saving, first + ml_layout_block_runs(layout, block)) -
           ml_saving_index(saving, first);
}

void ml_layout_init(struct ml_layout *layout, const struct ml_study *study)
{
    *layout = (struct ml_layout){
        .study = study,
        .shard = ML_UNSHARDED,
        .results = study->results,
        .identity = ml_study_id_hash(study->resolved),
        .n_run = study->ensemble.n_run,
        .n_block = ml_ensemble_blocks(&study->ensemble),
    };
    layout->runs = extent_of_runs(layout);
    if (study->ensemble.saving.every > 0)
        layout->n_saved = ml_saving_index(&study->ensemble.saving, study->ensemble.n_run);
}

bool ml_layout_init_shard(struct ml_layout *layout, const struct ml_study *study,
                          struct ml_shard shard)
{
    ml_layout_init(layout, study);
    if (shard.count == 1)
        return true;
    layout->shard = shard;
    layout->n_block = ml_shard_blocks(shard, layout->n_block);
    layout->n_run = layout->n_saved = 0;
    layout->saved_before = calloc((size_t)layout->n_block + 1, sizeof *layout->saved_before);
    for (int64_t j = 0; layout->saved_before && j < layout->n_block; j++) {
        const int64_t block = ml_layout_block(layout, j);
        layout->n_run += ml_layout_block_runs(layout, block);
        if (study->ensemble.saving.every > 0)
            layout->n_saved += saved_in(layout, block);
        layout->saved_before[j + 1] = layout->n_saved;
    }
    layout->runs = extent_of_runs(layout);
    return layout->saved_before;
}

void ml_layout_free(struct ml_layout *layout)
{
    free(layout->saved_before);
    layout->saved_before = NULL;
}

int64_t ml_layout_block(const struct ml_layout *layout, int64_t j)
{
    return ml_shard_block(layout->shard, j);
}

bool ml_layout_has_block(const struct ml_layout *layout, int64_t block)
{
    return block >= 0 && block < ml_ensemble_blocks(&layout->study->ensemble) &&
           ml_shard_of_block(layout->shard.count, block) == layout->shard.index;
}

int ml_layout_swept(const struct ml_layout *layout)
{
    int n = 0;
    for (int i = 0; i < layout->study->spec.runs.n_axis; i++)
        n += layout->study->spec.runs.axes[i].n_swept;
    return n;
}

const struct ml_swept *ml_layout_swept_at(const struct ml_layout *layout, int k)
{
    const struct ml_study *study = layout->study;
    for (int i = 0; i < study->spec.runs.n_axis; i++) {
        if (k < study->spec.runs.axes[i].n_swept)
            return &study->spec.runs.axes[i].swept[k];
        k -= study->spec.runs.axes[i].n_swept;
    }
    return NULL;
}

int ml_layout_records(const struct ml_layout *layout)
{
    return layout->n_saved > 0 ? ml_saving_records(&layout->study->ensemble.saving) : 0;
}

const struct ml_quantity *ml_layout_quantity(const struct ml_layout *layout, int k)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    return ml_ensemble_record(ensemble, ensemble->saving.records[k]);
}

bool ml_layout_has_trajectories(const struct ml_layout *layout)
{
    return ml_layout_records(layout) > 0;
}

int64_t ml_layout_block_first(const struct ml_layout *layout, int64_t block)
{
    return block * layout->study->ensemble.block_runs;
}

int64_t ml_layout_block_runs(const struct ml_layout *layout, int64_t block)
{
    int64_t left = layout->study->ensemble.n_run - ml_layout_block_first(layout, block);
    int64_t most = layout->study->ensemble.block_runs;
    return left < most ? left : most;
}

int64_t ml_layout_block_row(const struct ml_layout *layout, int64_t block)
{
    return block / layout->shard.count * layout->study->ensemble.block_runs;
}

int64_t ml_layout_run(const struct ml_layout *layout, int64_t row)
{
    const int64_t block_runs = layout->study->ensemble.block_runs;
    return ml_layout_block(layout, row / block_runs) * block_runs + row % block_runs;
}

int64_t ml_layout_saved_before(const struct ml_layout *layout, int64_t block)
{
    if (layout->n_saved == 0)
        return 0;
    if (layout->saved_before)
        return layout->saved_before[block / layout->shard.count];
    int64_t run = ml_layout_block_first(layout, block);
    return ml_saving_index(&layout->study->ensemble.saving, run);
}

int64_t ml_layout_block_saved(const struct ml_layout *layout, int64_t block)
{
    return layout->n_saved == 0 ? 0 : saved_in(layout, block);
}

int64_t ml_layout_block_saved_run(const struct ml_layout *layout, int64_t block, int64_t i)
{
    const struct ml_saving *saving = &layout->study->ensemble.saving;
    const int64_t before = ml_saving_index(saving, ml_layout_block_first(layout, block));
    return (before + i) * saving->run_every;
}

int64_t ml_layout_saved_run(const struct ml_layout *layout, int64_t row)
{
    if (!layout->saved_before)
        return row * layout->study->ensemble.saving.run_every;
    int64_t low = 0, high = layout->n_block; /* saved_before[low] <= row < saved_before[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(layout->saved_before[middle] <= row ? &low : &high) = middle;
    }
    return ml_layout_block_saved_run(layout, ml_layout_block(layout, low),
                                     row - layout->saved_before[low]);
}

int64_t ml_layout_block_most_saved(const struct ml_layout *layout)
{
    const struct ml_ensemble *ensemble = &layout->study->ensemble;
    int64_t most = (ensemble->block_runs - 1) / ensemble->saving.run_every + 1;
    return most < layout->n_saved ? most : layout->n_saved;
}

const char *ml_layout_runs_name(const struct ml_layout *layout, int k)
{
    return ml_layout_is_list(layout) ? "run" : layout->study->spec.runs.axes[k].name;
}

const char *ml_layout_dim_name(enum ml_dim dim) { return ml_dataset_name((enum ml_dataset)dim); }

bool ml_layout_dim_values(enum ml_dim dim, const struct ml_output *output, int n, double *values)
{
    const bool counts = dim == ML_DIM_EXPONENT || dim == ML_DIM_CROSSING || dim == ML_DIM_POLE;
    const bool is_spaced = dim == ML_DIM_FREQUENCY;
    if (!counts && !is_spaced && dim != ML_DIM_TIME)
        return false;
    for (int i = 0; i < n; i++)
        values[i] = counts      ? i + 1.0
                    : is_spaced ? ml_spaced(output->first, output->last, n, i, true)
                                : fma(i, output->increment, output->first);
    return true;
}

int64_t ml_layout_output_rows(const struct ml_layout *layout, int i_output)
{
    const int64_t *first = layout->results.first;
    return first[i_output + 1] - first[i_output];
}

struct ml_extent ml_layout_output(const struct ml_layout *layout, int i_output)
{
    const struct ml_output *output = &layout->results.outputs[i_output];
    struct ml_extent extent = layout->runs;
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (output->dim[k] != ML_DIM_NONE)
            extent.size[extent.rank++] =
                (unsigned long long)ml_output_size(output, k, layout->study->ensemble.model.n);
    return extent;
}

struct ml_extent ml_layout_record(const struct ml_layout *layout, int k, int64_t n_saved)
{
    const struct ml_quantity *record = ml_layout_quantity(layout, k);
    struct ml_extent extent = {.rank = 1, .size = {(unsigned long long)n_saved}};
    for (int d = 0; d < ML_MAX_DIM; d++)
        if (record->dim[d] != ML_DIM_NONE)
            extent.size[extent.rank++] =
                (unsigned long long)ml_record_size(&layout->study->ensemble, record->dim[d]);
    extent.size[extent.rank++] = (unsigned long long)layout->results.n_sample;
    return extent;
}

size_t ml_layout_run_bytes(const struct ml_layout *layout, int k)
{
    const struct ml_extent run = ml_layout_record(layout, k, 1);
    size_t size = sizeof(double);
    for (int d = 0; d < run.rank; d++)
        size *= run.size[d];
    return size;
}

double ml_space_of_numbers(const struct ml_layout *layout)
{
    const double columns = 17.0; /* outcome, end_time, steps */
    const double rows = (double)layout->results.first[layout->results.n_output];
    return (8.0 * rows + columns) * (double)layout->n_run;
}

double ml_space_of_trajectories(const struct ml_layout *layout)
{
    return 8.0 * (double)ml_trajectory_rows(&layout->study->ensemble) *
           (double)layout->results.n_sample * (double)layout->n_saved;
}

double ml_space_of_parts(const struct ml_layout *layout, double result)
{
    const double fixed = 2.0 * (double)strlen(layout->study->resolved) + 4096.0, head = 128.0;
    const double rest = result - ml_space_of_trajectories(layout);
    return fixed + head * (double)layout->n_block + ml_space_of_numbers(layout) +
           (ml_layout_has_trajectories(layout) ? rest : 0.0);
}

/* Bytes that the files of a folder take. */
static double used_by(const char *folder)
{
    DIR *directory = opendir(folder);
    double used = 0.0;
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        char *path = ml_path("%s/%s", folder, entry->d_name);
        struct stat about;
        if (path && stat(path, &about) == 0 && S_ISREG(about.st_mode))
            used += 512.0 * (double)about.st_blocks;
        free(path);
    }
    if (directory)
        (void)closedir(directory); /* read only */
    return used;
}

struct ml_space ml_space_find(double all, const char *parts)
{
    struct statvfs about;
    if (statvfs(parts, &about) != 0 || about.f_blocks == 0)
        return (struct ml_space){0};
    const double block = (double)about.f_frsize;
    return (struct ml_space){fmax(0.0, all - used_by(parts)), (double)about.f_bavail * block,
                             (double)about.f_blocks * block};
}

bool ml_described(const struct ml_layout *layout)
{
    const struct ml_sample_points *sample = layout->study->spec.runs.sample;
    return sample && !ml_design_has_points(sample->design) && layout->shard.count == 1;
}

bool ml_described_output(const struct ml_layout *layout, int i)
{
    const struct ml_ensemble *e = &layout->study->ensemble;
    const struct ml_output *output = &layout->results.outputs[i];
    for (int k = 0; k < ML_MAX_DIM; k++)
        if (output->dim[k] == ML_DIM_TIME || output->dim[k] == ML_DIM_CROSSING ||
            output->dim[k] == ML_DIM_OUTPUT || output->dim[k] == ML_DIM_PARAMETER ||
            output->dim[k] == ML_DIM_FREQUENCY)
            return false;
    return !ml_event_is_label(e->n_event, e->events, output->name);
}

bool ml_described_record(const struct ml_layout *layout, int k)
{
    const struct ml_quantity *record = ml_layout_quantity(layout, k);
    for (int d = 0; d < ML_MAX_DIM; d++)
        if (record->dim[d] == ML_DIM_OUTPUT || record->dim[d] == ML_DIM_PARAMETER)
            return false;
    return true;
}

bool ml_described_run(const struct ml_layout *layout, int64_t k)
{
    const int64_t n = ml_sample_runs_of_point(layout->study->spec.runs.sample), row = k % n;
    return row == 0 || row == n - 1;
}

void ml_name_replace_slashes(char *name)
{
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '|';
}

void ml_name_append(char name[ML_NAME_LENGTH], const char *label)
{
    const size_t used = strlen(name);
    (void)snprintf(name + used, ML_NAME_LENGTH - used, used > 0 ? ".%s" : "%s", label);
    ml_name_replace_slashes(name + used);
}
