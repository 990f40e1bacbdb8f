/* The table of commands and their options. */
#include <limits.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/indices.h"
#include "manylink/compare.h"
#include "manylink/kernel.h"
#include "manylink/run.h"
#include "tools/export/export.h"

#define FIELD(name) offsetof(struct command_line, name)
#define END_OF_OPTIONS \
    {                  \
        NULL           \
    }
#define SET                                                                                     \
    {                                                                                           \
        "set", 0, OPTION_LIST, "PATH=VALUE", "override a key of the study, as often as needed", \
            FIELD(set)                                                                          \
    }
#define THREADS(doc_)                                                          \
    {                                                                          \
        "threads", 0, OPTION_COUNT, "N", doc_, FIELD(threads), 1, MOST_THREADS \
    }
#define ALL_THREADS THREADS("threads (default: OMP_NUM_THREADS, or all cores)")
#define RUN(doc_, default_)                                                                    \
    {                                                                                          \
        "run", 0, OPTION_COUNT, "K", doc_, FIELD(run), 0, MOST_RUNS, .default_value = default_ \
    }
#define OUTPUT(doc_)                                              \
    {                                                             \
        "output", 'o', OPTION_FILE, "OUT.h5", doc_, FIELD(output) \
    }
#define QUIET                                                              \
    {                                                                      \
        "quiet", 'q', OPTION_FLAG, NULL, "print errors only", FIELD(quiet) \
    }
#define STUDY                                                                            \
    {                                                                                    \
        "study", 0, OPTION_FILE, "FILE", "the study file, if it has moved", FIELD(study) \
    }
#define CHANGED                                                                              \
    {                                                                                        \
        "changed", 0, OPTION_FLAG, NULL, "also for a file that another program has changed", \
            FIELD(changed)                                                                   \
    }
#define PLUGIN                                                                                 \
    {                                                                                          \
        "plugin", 0, OPTION_FILE, "FILE", "the study's plugin, if it has moved", FIELD(plugin) \
    }
#define TRUSTED_PLUGIN                                                                            \
    {                                                                                             \
        "plugin", 0, OPTION_FILE, "FILE",                                                         \
            "the study's plugin, if it has moved: loaded only if this or the --study file names " \
            "it",                                                                                 \
            FIELD(plugin)                                                                         \
    }
#define GRACE                                                                                     \
    {                                                                                             \
        "grace", 0, OPTION_TIME, "T",                                                             \
            "time after the time limit at which unfinished blocks are dropped (default: a tenth " \
            "of the limit, at least 1 s)",                                                        \
            FIELD(make.grace)                                                                     \
    }
#define FAILED_RUNS_OK                                                                             \
    {                                                                                              \
        "failed-runs-ok", 0, OPTION_FLAG, NULL,                                                    \
            "exit with 0 also when some runs did not finish, such as diverged runs (else with 3)", \
            FIELD(make.failed_runs_ok)                                                             \
    }
#define RESTART                                                                                    \
    {                                                                                              \
        "restart", 0, OPTION_FLAG, NULL,                                                           \
            "discard an existing result and its blocks; repeated after an interruption, continue " \
            "the new result",                                                                      \
            FIELD(make.restart), .is_not_repeated = true                                           \
    }
#define MOTION                                                                             \
    {                                                                                      \
        "motion", 0, OPTION_FILE, "FILE",                                                  \
            "for results of `inverse`: path of the motion, if it has moved", FIELD(motion) \
    }
#define DEVICE                                                                                  \
    {                                                                                           \
        "device", 0, OPTION_TEXT, "WHICH",                                                      \
            "gpu, gpu:K: compute beside the processor on GPU K (default: 0), gpu:K,L,...: on "  \
            "several, where a run of given steps has nothing to look at before its end; auto: " \
            "the same if that is possible; none. The result is the same",                       \
            FIELD(make.device), .default_value = "none"                                         \
    }
#define TIME_LIMIT                                                                             \
    {                                                                                          \
        "time-limit", 0, OPTION_TIME, "T",                                                     \
            "stop after this time, to be continued by the same command: 3h50m, 4:00:00, 90s; " \
            "blocks being computed are finished",                                              \
            FIELD(make.time_limit)                                                             \
    }
#define STRICT_SPACE                                                                               \
    {                                                                                              \
        "strict-space", 0, OPTION_FLAG, NULL, "refuse to start when the disk has too little room", \
            FIELD(make.strict_space)                                                               \
    }
#define WAIT                                                                                 \
    {                                                                                        \
        "wait", 0, OPTION_WAIT, "T",                                                         \
            "time to wait for another process that makes the same result", FIELD(make.wait), \
            .default_value = "1m"                                                            \
    }
#define KERNEL                                                                                     \
    {                                                                                              \
        "kernel", 0, OPTION_WORD, "WHICH",                                                         \
            "auto: compiled for this study while the general one runs, if that pays; general: "    \
            "the "                                                                                 \
            "kernel for any study; made: always compiled, and waited for; the result is the same", \
            FIELD(make.kernel), .words = kernel_words, .default_value = "auto"                     \
    }
#define A_RESULT .arguments = "OUT.h5", .least = 1, .most = 1, .needs = "give one result file"
#define A_STUDY .arguments = "STUDY.yaml", .least = 1, .most = 1, .needs = "give one study file"

#define CONTINUES                                                                            \
    "The same command again continues an interrupted result, or reports that the result is " \
    "finished. Ctrl-C finishes the blocks being computed."

#define MOST_RUNS (1LL << 53)
enum { MOST_THREADS = 65536 };

static const char *const kernel_words[] = {[ML_KERNEL_AUTO] = "auto",
                                           [ML_KERNEL_ONLY_GENERAL] = "general",
                                           [ML_KERNEL_ONLY_MADE] = "made",
                                           NULL};

const struct option_row common_options[] = {
    {"no-native", 0, OPTION_FLAG, NULL,
     "load no plugin and compile no kernel, so that only manylink's own code runs; also before the "
     "command's name",
     FIELD(no_native)},
    {"help", 'h', OPTION_FLAG, NULL, "print this help", FIELD(help)},
    END_OF_OPTIONS,
};

static const struct option_row run_options[] = {
    OUTPUT("result file (default: the study's name, here)"),
    ALL_THREADS,
    {"accuracy", 0, OPTION_COUNT, "N",
     "compute N runs again with smaller steps and report the error of the step (default: the "
     "study's `accuracy`)",
     FIELD(make.accuracy), 1, ML_RUN_MAX_ACCURACY, .group = 'a'},
    {"no-accuracy", 0, OPTION_FLAG, NULL, "compute no runs again, whatever the study's `accuracy`",
     FIELD(make.no_accuracy), .group = 'a'},
    DEVICE,
    SET,
    {"run", 0, OPTION_COUNT, "K",
     "run K of the study alone, bit for bit, into STUDY.run-K.h5, with its trajectory at every "
     "step unless --set save... gives other samples",
     FIELD(make.member), 0, MOST_RUNS, .group = 'm'},
    {"pick", 0, OPTION_TEXT, "PATH=VALUE,...", "the same for the run nearest to these swept values",
     FIELD(make.pick), .group = 'm'},
    {"shard", 0, OPTION_TEXT, "I/N",
     "compute only shard I of N, 0 <= I < N, into OUT.shard-I-of-N.h5 (default: from an array of "
     "Slurm or Grid Engine, srun or an MPI launcher); none: compute everything. `merge` joins "
     "shards",
     FIELD(make.shard)},
    TIME_LIMIT,
    GRACE,
    FAILED_RUNS_OK,
    KERNEL,
    RESTART,
    STRICT_SPACE,
    WAIT,
    {"watch", 0, OPTION_FLAG, NULL,
     "on a terminal: draw the finished runs, as a map of the output that viewers show first",
     FIELD(make.watch)},
    QUIET,
    END_OF_OPTIONS,
};

static const struct option_row extend_options[] = {
    OUTPUT("result file (default: the same, which is replaced when all runs are there)"),
    {"samples", 0, OPTION_COUNT, "N", "points of the sample, as --set sample.count=N",
     FIELD(make.samples), 1, MOST_RUNS},
    {"end", 0, OPTION_NUMBER, "T", "end of all runs, s, as --set time.end=T", FIELD(make.end)},
    SET,
    STUDY,
    TRUSTED_PLUGIN,
    ALL_THREADS,
    {"shard", 0, OPTION_TEXT, "I/N",
     "make only shard I of N of the extended result; `merge` joins shards", FIELD(make.shard)},
    TIME_LIMIT,
    GRACE,
    FAILED_RUNS_OK,
    KERNEL,
    {"restart", 0, OPTION_FLAG, NULL,
     "discard blocks of an interrupted extension; without -o, OUT.h5 itself stays",
     FIELD(make.restart), .is_not_repeated = true},
    STRICT_SPACE,
    WAIT,
    QUIET,
    END_OF_OPTIONS,
};

static const struct option_row plan_options[] = {
    THREADS("threads to plan for (default: as in `run`)"),
    DEVICE,
    SET,
    END_OF_OPTIONS,
};

static const struct option_row merge_options[] = {
    {"output", 'o', OPTION_FILE, "OUT.h5", "result file", FIELD(output), .is_required = true},
    {"partial", 0, OPTION_FLAG, NULL,
     "make a result although shards are missing: their runs have the outcome `missing`; with more "
     "shards, merge again",
     FIELD(array.partial)},
    TRUSTED_PLUGIN,
    STUDY,
    MOTION,
    FAILED_RUNS_OK,
    RESTART,
    QUIET,
    END_OF_OPTIONS,
};

static const struct option_row verify_options[] = {
    {"runs", 0, OPTION_COUNT, "N", "runs to compute again, drawn at random", FIELD(check.runs), 0,
     MOST_RUNS, .default_value = "256"},
    {"seed", 0, OPTION_COUNT, "S", "of the draw (default: from the clock)", FIELD(check.seed), 0,
     UINT32_MAX},
    ALL_THREADS,
    STUDY,
    PLUGIN,
    MOTION,
    END_OF_OPTIONS,
};

const char *const slurm_device_words[] = {"none", "auto", "gpu", NULL};

static const struct option_row slurm_options[] = {
    OUTPUT("result file (default: the study's name, here)"),
    {"tasks", 0, OPTION_COUNT, "N", "tasks of the array: shards of the study", FIELD(array.tasks),
     1, ML_RUN_MAX_SHARDS, .is_required = true},
    {"time", 0, OPTION_TASK_TIME, "T",
     "time limit of a task: 4:00:00, 3h50m; a task stops a while before and is requeued",
     FIELD(array.time), .is_required = true},
    {"cpus", 0, OPTION_COUNT, "C", "processors, and threads, per task", FIELD(array.cpus), 1,
     MOST_THREADS, .default_value = "1"},
    {"at-most", 0, OPTION_COUNT, "K", "tasks that run at the same time (default: all)",
     FIELD(array.at_most), 1, ML_RUN_MAX_SHARDS},
    {"device", 0, OPTION_WORD, "WHICH",
     "auto, gpu: a GPU for each task, as of `run`, whose kernel `sh` makes before",
     FIELD(array.device), .words = slurm_device_words, .default_value = "none"},
    {"sbatch", 0, OPTION_LIST, "OPTION",
     "an option of sbatch for the array, as often as needed: --sbatch --partition=long",
     FIELD(array.sbatch)},
    {"sbatch-merge", 0, OPTION_LIST, "OPTION",
     "the same for the merging job, which has the options of the array too: --sbatch-merge "
     "--mem=2G",
     FIELD(array.merge)},
    SET,
    END_OF_OPTIONS,
};

static const char *const device_words[] = {"cpu", "gpu", NULL};

static const struct option_row compile_options[] = {
    {"device", 0, OPTION_WORD, "WHICH",
     "device of the kernel: cpu: this machine; gpu: NVIDIA's, as text of PTX, which needs no GPU",
     FIELD(make.for_gpu), .words = device_words, .default_value = "cpu"},
    SET,
    END_OF_OPTIONS,
};

static const struct option_row show_code_options[] = {SET, END_OF_OPTIONS};

static const struct option_row show_equations_options[] = {
    {"latex", 0, OPTION_FLAG, NULL, "as LaTeX", FIELD(check.latex)},
    SET,
    END_OF_OPTIONS,
};

static const struct option_row evaluate_options[] = {
    {"json", 0, OPTION_FLAG, NULL, "as JSON, numbers to the last bit", FIELD(json)},
    {"check-derivatives", 0, OPTION_FLAG, NULL, "compare all derivatives of dx/dt with differences",
     FIELD(check.derivatives)},
    RUN("of run K of a swept study", "0"),
    SET,
    END_OF_OPTIONS,
};

static const struct option_row compare_options[] = {
    OUTPUT("result file to make, for `plot` and viewers (default: none)"),
    {"integrators", 0, OPTION_TEXT, "NAME,...",
     "only these integrators (default: all of `list integrators`)", FIELD(check.integrators)},
    {"levels", 0, OPTION_COUNT, "N", "number of steps or tolerances per integrator",
     FIELD(check.levels), 2, ML_COMPARE_MAX_LEVELS, .default_value = "8"},
    KERNEL,
    SET,
    END_OF_OPTIONS,
};

static const struct option_row inverse_options[] = {
    {"motion", 0, OPTION_FILE, "FILE",
     "the motion: a result of `run`, or a table (CSV, .mot, .sto, .trc) with the columns or "
     "markers that the study's key `motion` names; without such names the columns are time, "
     "angle/NAME and, if known, rate/NAME, acceleration/NAME, and base/x, base/y of a moving base "
     "(default: the study's `motion`)",
     FIELD(motion)},
    RUN("of a result, the motion of run K (default: every run)", NULL),
    OUTPUT("result file (default: the study's name and _inverse, here)"),
    ALL_THREADS,
    SET,
    {"shard", 0, OPTION_TEXT, "I/N", "compute only shard I of N, 0 <= I < N; `merge` joins shards",
     FIELD(make.shard)},
    TIME_LIMIT,
    GRACE,
    FAILED_RUNS_OK,
    RESTART,
    STRICT_SPACE,
    WAIT,
    QUIET,
    END_OF_OPTIONS,
};

static const struct option_row fit_options[] = {
    OUTPUT("result file (default: the study's name and _fit, here)"),
    {"profile", 0, OPTION_FLAG, NULL,
     "profile likelihood of every number: intervals that hold for nonlinear models too",
     FIELD(make.profile)},
    ALL_THREADS,
    SET,
    KERNEL,
    QUIET,
    END_OF_OPTIONS,
};

static const struct option_row motion_options[] = {
    {"residuals", 0, OPTION_FLAG, NULL,
     "of angles and markers the noise and the cutoff of a filter, by residual analysis (Winter) "
     "and by cross-validation",
     FIELD(check.residuals)},
    END_OF_OPTIONS,
};

static const struct option_row gait_options[] = {
    {"left", 0, OPTION_LIST, "FILE", "a trial of the left leg, as often as needed",
     FIELD(gait.left)},
    {"norm", 0, OPTION_FILE, "FILE.csv",
     "also draw bands of your own controls: columns percent, angle/SEGMENT/mean, angle/SEGMENT/sd, "
     "torque/..., power/..., as of --curves",
     FIELD(gait.norm)},
    {"curves", 0, OPTION_FILE, "FILE",
     "write the curves over the cycle, in the format of the ending: " MOTION_FORMATS_LIST,
     FIELD(gait.curves)},
    {"output", 'o', OPTION_FILE, "PICTURE",
     "draw angle, moment and power of each joint over the cycle, .png, .svg, .pdf, .eps or .tex",
     FIELD(output)},
    {"script", 0, OPTION_FILE, "FOLDER",
     "keep gnuplot's script and data of the picture in this folder; without -o gnuplot is not run",
     FIELD(picture.script)},
    {"json", 0, OPTION_FLAG, NULL, "as JSON, angles in rad, numbers to the last bit", FIELD(json)},
    CHANGED,
    QUIET,
    END_OF_OPTIONS,
};

/* Of commands that run a study and print their findings. */
#define PRINTED                                                                                   \
    {"json", 0, OPTION_FLAG, NULL, "as JSON, numbers to the last bit", FIELD(json)}, ALL_THREADS, \
        SET, KERNEL,                                                                              \
        {"quiet", 'q', OPTION_FLAG, NULL, "print no notices and no time", FIELD(quiet)},          \
        END_OF_OPTIONS

static const struct option_row probability_options[] = {
    {"method", 0, OPTION_WORD, "NAME",
     "subset: subset simulation, levels of `sample.count` runs; form: the design point, FORM and "
     "SORM; importance: `sample.count` runs about the design point",
     FIELD(check.method), .words = failure_words, .default_value = "subset"},
    PRINTED,
};

static const struct option_row tune_options[] = {
    PRINTED,
};

static const struct option_row status_options[] = {
    {"json", 0, OPTION_FLAG, NULL, "as JSON, an object for each result", FIELD(json)},
    END_OF_OPTIONS,
};

static const struct option_row info_options[] = {CHANGED, END_OF_OPTIONS};

static const struct option_row sensitivity_options[] = {
    {"output", 'o', OPTION_FILE, "PICTURE",
     "also draw the indices, .png, .svg, .pdf, .eps or .tex: bars with intervals, a panel for each "
     "number; with --convergence or --over-time curves",
     FIELD(output)},
    {"script", 0, OPTION_FILE, "FOLDER",
     "keep gnuplot's script and data of the picture in this folder; without -o gnuplot is not run",
     FIELD(picture.script)},
    {"estimator", 0, OPTION_WORD, "NAME",
     "of first-order indices, of `design: saltelli` saltelli, jansen or janon; of points without a "
     "design bins, rank, rbd_fast, chaos, a fitted polynomial, which has total indices too, or "
     "shapley, effects of correlated inputs; of both derivatives, mean squares and active "
     "directions of derivatives by the inputs, if the result has these; auto: the first of these, "
     "or the design, and derivatives below",
     FIELD(table.estimator), .words = estimator_words, .default_value = "auto"},
    {"convergence", 0, OPTION_FLAG, NULL,
     "also of the first eighth, quarter and half of the points; not of fast and oat",
     FIELD(table.convergence)},
    {"over-time", 0, OPTION_FLAG, NULL,
     "of saved quantities at each saved time, as cells between commas", FIELD(table.over_time)},
    {"csv", 0, OPTION_FLAG, NULL, "print cells between commas", FIELD(table.csv)},
    END_OF_OPTIONS};

static const struct option_row best_options[] = {
    {"where", 0, OPTION_LIST, "CONDITION",
     "only runs that meet it, a comparison of formulas of columns, also several with and, or, not: "
     "abs(end_angle.upper) < 3 deg; of several options all are met",
     FIELD(table.where)},
    {"largest", 0, OPTION_FLAG, NULL,
     "larger numbers are better (default: smaller, but for margins)", FIELD(table.largest)},
    {"count", 0, OPTION_COUNT, "N", "rows", FIELD(table.count), 1, 100000, .default_value = "10"},
    {"over", 0, OPTION_TEXT, "AXIS",
     "one run at each point of the other axes: that of all values of AXIS", FIELD(table.over)},
    {"csv", 0, OPTION_FLAG, NULL, "cells between commas (the default)", FIELD(table.csv),
     .group = 't'},
    {"tsv", 0, OPTION_FLAG, NULL, "cells between tabs", FIELD(table.tsv), .group = 't'},
    {"columns", 0, OPTION_TEXT, "NAME,...",
     "these columns in place of the run, the swept and drawn numbers and OUTPUT",
     FIELD(table.columns)},
    END_OF_OPTIONS,
};

static const struct option_row table_options[] = {
    {"csv", 0, OPTION_FLAG, NULL, "cells between commas (the default)", FIELD(table.csv),
     .group = 't'},
    {"tsv", 0, OPTION_FLAG, NULL, "cells between tabs", FIELD(table.tsv), .group = 't'},
    {"columns", 0, OPTION_TEXT, "NAME,...",
     "only these columns, in this order: a dataset with all its components, or a component, "
     "end_angle.upper",
     FIELD(table.columns)},
    {"outcome", 0, OPTION_TEXT, "NAME", "only runs with these outcomes: finished, diverged",
     FIELD(table.outcome)},
    END_OF_OPTIONS,
};

static const struct option_row export_options[] = {
    RUN("the run (default: the only kept run)", NULL),
    {"output", 'o', OPTION_FILE, "FILE",
     "file to make, in the format of its ending: " MOTION_FORMATS_LIST, FIELD(output),
     .is_required = true},
    {"columns", 0, OPTION_TEXT, "NAME,...",
     "only these columns besides the time: a dataset with all its components, or a component, "
     "angle/upper",
     FIELD(table.columns), .group = 's'},
    {"cycles", 0, OPTION_FLAG, NULL,
     "curves over the cycle of a gait, 0 to 100 %, in place of those over time",
     FIELD(table.cycles)},
    {"summary", 0, OPTION_FLAG, NULL,
     "the summary of all runs instead of a run over time; FILE ends in .mat", FIELD(table.summary),
     .group = 's'},
    END_OF_OPTIONS,
};

static const struct option_row plot_options[] = {
    {"output", 'o', OPTION_FILE, "PICTURE",
     "picture to make, .png, .svg, .pdf, .eps or .tex (TikZ); of stick also an animation, .gif or "
     ".mp4 (default: "
     "OUT.png, OUT-NAME.png)",
     FIELD(output)},
    {"at", 0, OPTION_LIST, "PATH=VALUE",
     "fix an axis at the value nearest to it, or at a label; again for more (default: the middle "
     "of a swept axis); of trajectories: draw the saved run nearest to it",
     FIELD(picture.at)},
    {"run", 0, OPTION_TEXT, "N,...", "draw this run, or several runs over time: 3,7,9",
     FIELD(picture.runs)},
    {"x", 0, OPTION_TEXT, "PATH",
     "axis to draw along; of a phase portrait, with --y, a kept quantity: angle.SEGMENT",
     FIELD(picture.x)},
    {"y", 0, OPTION_TEXT, "PATH", "second axis to draw along; none: curves instead of a map",
     FIELD(picture.y)},
    {"by", 0, OPTION_TEXT, "PATH", "a curve for each value of this axis; run: for each kept run",
     FIELD(picture.by)},
    {"colour", 0, OPTION_TEXT, "PATH",
     "of points of a sample, the quantity in whose colour each is", FIELD(picture.colour)},
    {"return-map", 0, OPTION_TEXT, "NAME",
     "a kept quantity of events, peak_x or section_angle.lower, over its value at the event before",
     FIELD(picture.return_map), .group = 'h'},
    {"panels", 0, OPTION_TEXT, "PATH",
     "a panel for each entry of this axis, such as segment, in one picture", FIELD(picture.panels)},
    {"range", 0, OPTION_RANGE, "A:B", "range of the colours, or of the axis of curves",
     FIELD(picture.range)},
    {"contours", 0, OPTION_TEXT, "A,B,...",
     "contour lines over a map at these values; auto: at round values", FIELD(picture.contours)},
    {"histogram", 0, OPTION_FLAG, NULL, "histogram of the values of the finished runs",
     FIELD(picture.histogram), .group = 'h'},
    {"matrix", 0, OPTION_FLAG, NULL,
     "all that was swept or drawn and the number over each other, with rank correlations",
     FIELD(picture.matrix), .group = 'h'},
    {"bands", 0, OPTION_FLAG, NULL,
     "quantiles of the kept runs over time: the median, and the bands of 50 % and 90 %",
     FIELD(picture.bands), .group = 'h'},
    {"size", 0, OPTION_SIZE, "WxH", "size in pixels (default: 800x600); of a .pdf, 100 to the inch",
     FIELD(picture.size), 200, 10000},
    {"dpi", 0, OPTION_COUNT, "N",
     "of a .png, dots per 100 pixels of its size: for print, 300 (default: 100)",
     FIELD(picture.dpi), 50, 1200},
    {"title", 0, OPTION_TEXT, "TEXT", "title in place of the study's", FIELD(picture.title)},
    {"label", 0, OPTION_LIST, "AXIS=TEXT", "label of x, y or colour; again for more",
     FIELD(picture.labels)},
    {"font", 0, OPTION_TEXT, "NAME,POINTS", "font, or only its name or size: ,14",
     FIELD(picture.font)},
    {"palette", 0, OPTION_TEXT, "NAME", "colours: viridis, cividis, magma, grey or blue-red",
     FIELD(picture.palette)},
    {"aspect", 0, OPTION_TEXT, "RATIO",
     "height of the axes over their width; equal: a unit is as long upwards as across; free: as "
     "the picture is (default: equal where both axes have the same unit)",
     FIELD(picture.aspect)},
    {"from", 0, OPTION_NUMBER, "A", "draw curves from this x on, a stick figure from this time on",
     FIELD(picture.from)},
    {"to", 0, OPTION_NUMBER, "B", "draw curves up to this x, a stick figure up to this time",
     FIELD(picture.to)},
    {"script", 0, OPTION_FILE, "FOLDER",
     "keep gnuplot's script and data in this folder; without -o gnuplot is not run",
     FIELD(picture.script)},
    CHANGED,
    END_OF_OPTIONS,
};

static const struct option_row report_options[] = {
    {"output", 'o', OPTION_FILE, "OUT.html", "page to make (default: OUT.html)", FIELD(output)},
    {"motions", 0, OPTION_COUNT, "N",
     "the motions of at most this number of kept runs (default: 64); of a result without kept "
     "runs, compute this number of runs again",
     FIELD(page.motions), 0, MOST_RUNS},
    {"paths", 0, OPTION_FLAG, NULL, "also the name of the host, and paths with their folders",
     FIELD(page.paths)},
    ALL_THREADS,
    STUDY,
    PLUGIN,
    END_OF_OPTIONS,
};

static const struct option_row no_options[] = {END_OF_OPTIONS};

const struct command commands[] = {
    {.name = "init",
     .arguments = "[NAME]",
     .most = 1,
     .needs = "give a name, or no name for the list",
     .summary = "print a commented study to start from",
     .description = "Without a name: list the examples.\n\n"
                    "    manylink init chain >study.yaml\n"
                    "    manylink run study.yaml",
     .choice = init_template,
     .run = command_init,
     .options = no_options},
    {.name = "run",
     A_STUDY,
     .summary = "integrate every run of a study and write the result file",
     .description = CONTINUES,
     .run = command_run,
     .options = run_options},
    {.name = "plan",
     A_STUDY,
     .summary = "print the size of a run: runs, steps, memory, disk, time",
     .run = command_plan,
     .options = plan_options},
    {.name = "extend",
     A_RESULT,
     .summary = "add runs, a later end, indicators or events to a finished result",
     .description =
         "Reads the study in OUT.h5 again, with the changes of --samples, --end and --set, and "
         "makes its result. Runs that OUT.h5 has are taken from it with all their bits: the points "
         "of a shorter sample, the shared points of another grid. With other indicators, events or "
         "trajectories all runs are computed again, and the numbers that OUT.h5 has are compared "
         "bit for bit. With a later end runs are continued from the state at their end in OUT.h5, "
         "with the bits of runs asked for at once, where OUT.h5 has all that this takes; else all "
         "runs are computed again, and a notice names the reason. The same command again continues "
         "after an interruption; OUT.h5 stays until the new result is there.\n\n"
         "    manylink extend OUT.h5 --samples 4096\n"
         "    manylink extend OUT.h5 --set sweep.initial.angle.upper.count=129 -o FINE.h5\n"
         "    manylink extend OUT.h5 --set 'analyse.ftle={}'",
     .run = command_extend,
     .options = extend_options},
    {.name = "merge",
     .arguments = "SHARD.h5...",
     .least = 1,
     .most = INT_MAX,
     .needs = "no results of shards given",
     .summary = "join the results of shards",
     .description = "Inputs may have any order; missing and overlapping runs are named. The result "
                    "equals that of a single run of the whole study, to the bit.",
     .run = command_merge,
     .options = merge_options},
    {.name = "status",
     .arguments = "OUT.h5...",
     .least = 1,
     .most = INT_MAX,
     .needs = "give a result file, which may not exist yet",
     .summary = "print the progress of a result and its shards, and the processes at work",
     .description =
         "Only reads the disk, and disturbs no process. Shards are found beside OUT.h5 by their "
         "names, OUT.shard-I-of-N.h5. A process on another machine is seen where the file system "
         "shares locks; elsewhere the age of the last block shows the progress.",
     .run = command_status,
     .options = status_options},
    {.name = "verify",
     A_RESULT,
     .summary = "check every checksum of a result and compute a sample of its runs again",
     .description =
         "Exit code 0: the result is sound; 1: damaged or differing data is named. Tables are read "
         "from the paths of the study. A result may come from anybody, and a plugin is code: a "
         "plugin that the result names is loaded only with --plugin, or with a --study that names "
         "the plugin, and only if the checksum agrees.",
     .run = command_verify,
     .options = verify_options},
    {.name = "slurm",
     A_STUDY,
     .summary = "write a job script for Slurm: an array of tasks, then a merging job",
     .description =
         "The script goes to standard output:\n\n"
         "    manylink slurm study.yaml --tasks 200 --time 4:00:00 >study.slurm\n"
         "    sh study.slurm            # `manylink compile`, if a kernel pays, then sbatch\n"
         "    sbatch --array=3 study.slurm # task 3 again",
     .run = command_slurm,
     .options = slurm_options},
    {.name = "compile",
     A_STUDY,
     .summary = "compile the kernel of a study ahead of its runs",
     .description =
         "`run` compiles a kernel while it computes where that pays. Kernels are kept in "
         "$MANYLINK_CACHE, "
         "and compiled by $MANYLINK_CC for the instruction set of this machine, or $MANYLINK_ISA; "
         "for a GPU by $MANYLINK_GPU_CC.",
     .run = command_compile,
     .options = compile_options},
    {.name = "show-code",
     A_STUDY,
     .summary = "print the C code of a study's formulas in a compiled kernel",
     .description = "The first line names the kernel of the study.",
     .run = command_show_code,
     .options = show_code_options},
    {.name = "show-equations",
     A_STUDY,
     .summary = "print the equations of a study's own system",
     .description = "With the terms derived from energies or a Hamiltonian: M, C, G, Q, D, E, or "
                    "the rates. The output is keys of a system and can be run as a study.",
     .run = command_show_equations,
     .options = show_equations_options},
    {.name = "evaluate",
     A_STUDY,
     .summary = "print M, C, G, Q, D, E, q'' and energies at the initial state",
     .description = "The terms of M(q) q'' = C + G + Q + D + E: mass matrix, rate-squared terms, "
                    "gravity, joint torques, dampers and external forces.",
     .run = command_evaluate,
     .options = evaluate_options},
    {.name = "compare",
     A_STUDY,
     .summary = "print cost and accuracy of integrators on the runs of a study",
     .description = "Each integrator computes up to 64 runs, spread over the study: with "
                    "tolerances from 1e-3 to 1e-12, or with steps that are halved each time. The "
                    "output has errors of the end state, CPU time on one thread, and the cheapest "
                    "integrator for 1e-3, 1e-6, 1e-9 and 1e-12. Runs whose "
                    "end state is not determined, as in chaos, are counted and left out.\n\n"
                    "    manylink compare study.yaml -o precision.h5\n"
                    "    manylink plot precision.h5",
     .run = command_compare,
     .options = compare_options},
    {.name = "inverse",
     A_STUDY,
     .summary = "compute the joint torques and forces of a given motion",
     .description = CONTINUES,
     .run = command_inverse,
     .options = inverse_options},
    {.name = "gait",
     .arguments = "RIGHT.h5...",
     .least = 1,
     .most = INT_MAX,
     .needs = "give results of `inverse` with cycles: the trials of the right leg, or of any leg",
     .summary = "print a report of gait: cycles of several trials and of both legs, pooled",
     .description =
         "Of the cycles of all trials of a leg mean and standard deviation, and the standard "
         "deviation of the means of the trials: times of stance and support, signed peaks with "
         "their instants, work of joints, bursts of power, and the difference of the legs. Of "
         "results with several runs, such as a sample of bodies, each run is pooled alone; the "
         "report then has the standard deviation over the runs too.\n\n"
         "    manylink gait right1.h5 right2.h5 --left left1.h5 --left left2.h5 -o gait.pdf",
     .run = command_gait,
     .options = gait_options},
    {.name = "fit",
     A_STUDY,
     .summary = "fit numbers of a study to measured trajectories",
     .description =
         "Least squares of records at the times of the table that the key `fit` names, over the "
         "numbers that `sample` draws, or of torques of a given motion: every point is a start, "
         "the ranges are bounds. Prints the "
         "estimates with standard errors and 95 % intervals, the minima that the starts met, "
         "combinations of numbers that the data do not determine, and tests of the residuals.\n\n"
         "    manylink fit studies/fit_pendulum.yaml\n"
         "    manylink plot fit_pendulum_fit.h5",
     .run = command_fit,
     .options = fit_options},
    {.name = "probability",
     A_STUDY,
     .summary = "find the probability that a run fails a requirement, also a small one",
     .description =
         "Of each requirement of the key `require`, over the distributions of the key `sample`, at "
         "each point of a sweep: the probability with an interval of 95 %, and the number of runs. "
         "A run that does not finish, or lacks the number, fails. Subset simulation holds for any "
         "shape of the region of failures; FORM, SORM and importance sampling are about its one "
         "point next to the medians.\n\n"
         "    manylink probability study.yaml --set sample.count=2000\n"
         "    manylink probability study.yaml --method form",
     .run = command_probability,
     .options = probability_options},
    {.name = "tune",
     A_STUDY,
     .summary = "choose numbers of a study, such as gains, so that a cost is least",
     .description =
         "Of the ranges that the key `tune` has in `vary`, the numbers with the least `minimise`, "
         "of points that keep to `require`; of a sample or sweep the worst run, the mean or a "
         "quantile counts. An evolution strategy (CMA-ES) from several starts, the first of which "
         "has the study's own numbers. Prints the numbers, the cost, the requirements and a line "
         "of "
         "--set. Exit code 1: no point meets the requirements.\n\n"
         "    manylink tune study.yaml --set tune.points=5000",
     .run = command_tune,
     .options = tune_options},
    {.name = "motion",
     .arguments = "FILE",
     .least = 1,
     .most = 1,
     .needs = "give one file",
     .summary =
         "print the contents of a file with a motion, and the keys of a study that reads the file",
     .description = "Of a table (CSV, .mot, .sto, .trc): its columns with their ranges, rate, "
                    "gaps, and signs of wrapped angles, degrees or milliseconds. Then the key "
                    "`motion` of a study that reads the table, with a guess at the segments.\n\n"
                    "    manylink motion walk.trc\n"
                    "    manylink motion walk.trc --residuals",
     .run = command_motion,
     .options = motion_options},
    {.name = "sensitivity",
     .arguments = "OUT.h5 [OUTPUT...]",
     .least = 1,
     .most = 1000,
     .needs = "give a result file",
     .summary = "print global sensitivity indices of the outputs of a sample",
     .description =
         "Of the outputs of the summary, or of the named outputs, with 95 % intervals by 200 "
         "bootstrap resamples. Of `design: saltelli` first-order and total indices (Sobol'), with "
         "`second_order: true` those of pairs too. Of `design: morris` mean absolute effect, mean "
         "effect and deviation of effects. Of `design: fast` first-order and total indices. Of "
         "`design: oat` "
         "the change of the output at the lowest and highest value of each input, its swing and "
         "elasticity, without intervals, the largest swing first. Of a sample of points "
         "first-order indices, PAWN, "
         "coefficients of the linear regression of standardised numbers, and correlations of "
         "ranks. A point counts for an output if all of its runs have a finite number. Of the "
         "label of an attractor the indices of each label are found. With --over-time the "
         "arguments are saved quantities.",
     .run = command_sensitivity,
     .options = sensitivity_options},
    {.name = "info",
     A_RESULT,
     .summary = "print the contents of a result file",
     .run = command_info,
     .options = info_options},
    {.name = "plot",
     .arguments = "OUT.h5 [NAME]",
     .least = 1,
     .most = 2,
     .needs = "give one result file and, if need be, the name of a dataset",
     .summary = "draw a result, by gnuplot",
     .description = "NAME is a dataset of the summary (a map over two axes, curves over one axis) "
                    "or of the trajectories (curves over time), or stick: snapshots of a chain "
                    "(default: the dataset that viewers of the file show first).",
     .run = command_plot,
     .options = plot_options},
    {.name = "report",
     .arguments = "OUT.h5 [OTHER.h5]",
     .least = 1,
     .most = 2,
     .needs = "give one result file, or two to compare",
     .summary = "make a web page of a result, to explore it",
     .description =
         "A single file that any browser opens from disk, without network: a map, "
         "curves or points of every number, and of the run under the cursor all numbers "
         "and its motion. Numbers have six digits. With OTHER.h5, a result of the same runs, the "
         "page shows either result, both side by side, or the difference. The page of a fit has "
         "measured numbers, model, residuals, estimates and correlations, and that of `compare` "
         "errors over costs.",
     .run = command_report,
     .options = report_options},
    {.name = "best",
     .arguments = "OUT.h5 OUTPUT",
     .least = 2,
     .most = 2,
     .needs = "give a result file and a number of the summary",
     .summary = "print the runs with the smallest or largest number",
     .description =
         "A row for each run as of `table`, the best first. Runs count that ended as the study "
         "asks and have a finite number. Settling, rise and recovery times, first times of events "
         "and margins are the worst in runs without the number; of margins larger ones are "
         "better. OUTPUT is a number of the summary, end_angle.upper.\n\n"
         "    manylink best study.h5 settling_time --where \"overshoot < 0.05\" --count 5",
     .run = command_best,
     .options = best_options},
    {.name = "worst",
     .arguments = "OUT.h5 OUTPUT",
     .least = 2,
     .most = 2,
     .needs = "give a result file and a number of the summary",
     .summary = "print the runs with the worst number, or the worst case over an axis",
     .description =
         "As `best`, the worst first: a run without the number, then the largest number, with "
         "--largest the smallest.\n\n"
         "    manylink worst study.h5 settling_time --over sample\n\n"
         "prints for each point of the other axes, in their order, the run of the sample that is "
         "worst there, and `without` the number of runs that never settle, `of` how many.",
     .run = command_worst,
     .options = best_options},
    {.name = "table",
     A_RESULT,
     .summary = "print a table of a result: one row per run",
     .description =
         "A row has the run's number, the swept or drawn values, the outcome and every number of "
         "the summary, numbers of segments as NAME.SEGMENT. The first line names the columns, "
         "with units. Numbers read back to the same bits; a cell without a number is empty.\n\n"
         "    manylink table study.h5 --outcome finished >study.csv",
     .run = command_table,
     .options = table_options},
    {.name = "export",
     A_RESULT,
     .summary = "write a kept run over time for other programs",
     .description = "All kept quantities of the run, one column each, angle/SEGMENT, in SI units "
                    "and rad; of a result of `inverse` the motion and its torques.\n\n"
                    "    manylink export study.h5 --run 3 -o motion.sto\n"
                    "    manylink export study.h5 --run 3 --columns angle,rate -o motion.csv\n\n"
                    "The second file, of a chain, is a motion for `inverse --motion`.\n\n"
                    "    manylink export gait.h5 --cycles -o cycles.csv\n\n"
                    "writes angle, torque and power of each cycle, their means and deviations.\n\n"
                    "    manylink export study.h5 --summary -o study.mat\n\n"
                    "writes the numbers of all runs, for MATLAB and Octave.",
     .run = command_export,
     .options = export_options},
    {.name = "list",
     .arguments = "[NAME|FOLDER/FILE.so]",
     .most = INT_MAX, /* `list forces torque` is `list torque` */
     .summary = "list the systems, forces, keys and other parts of a study",
     .description = "NAME is one of these topics, or the name of a system, force, signal, "
                    "indicator, dataset, quantity or key; FOLDER/FILE.so is a plugin.",
     .choice = list_topic,
     .run = command_list,
     .options = no_options},
    {.name = "schema",
     .arguments = "",
     .needs = "it takes no arguments",
     .summary = "print the JSON Schema of the study file, for editors",
     .run = command_schema,
     .options = no_options},
    {NULL},
};

const char overview[] =
    "Runs thousands to millions of independent integrations of segment chains and other systems "
    "and writes them into one HDF5 file.";

const struct help_row overview_options[] = {
    {"--help", "print the commands; after one of them, its options"},
    {"--version", "print the version, the usable features of this machine and its GPUs"},
    {"--no-native", "with any command: load no plugin and compile no kernel, so that only "
                    "manylink's own code runs"},
    {"--man [COMMAND]", "print a man page: manylink --man run | man -l -"},
    {"--completion [SHELL]", "print the completion of command lines for bash, zsh or fish: eval "
                             "\"$(manylink --completion)\", "
                             "or in fish manylink --completion fish | source"},
    {"--complete FILE", "print words for that completion: keys of a study, names in a result"},
    {NULL, NULL},
};

const struct help_row exit_codes[] = {
    {"0", "done"},
    {"1", "failed"},
    {"2", "bad input: the study, the command line, or a file that is missing or of the wrong kind"},
    {"3", "finished, but some runs did not"},
    {"130", "interrupted and resumable: the same command continues"},
    {NULL, NULL},
};

const struct help_row environment[] = {
    {"MANYLINK_ISA", "instruction set to use, of those that --version lists (default: the last of "
                     "these, the best of this machine); results do not depend on it"},
    {"MANYLINK_CACHE", "folder of compiled kernels (default: $XDG_CACHE_HOME/manylink, else "
                       "~/.cache/manylink)"},
    {"MANYLINK_CC", "compiler of kernels (default: the compiler that the build of manylink chose)"},
    {"MANYLINK_GPU_CC",
     "clang that has the target nvptx64, for kernels of GPUs (default: the clang of "
     "PATH, else the newest clang-NN)"},
    {"MANYLINK_CUDA_LIBRARY", "library of the driver of GPUs (default: libcuda.so.1)"},
    {"OMP_NUM_THREADS", "threads without --threads (default: all cores)"},
    {NULL, NULL},
};
