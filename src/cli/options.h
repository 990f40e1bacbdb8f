/* Arguments and options of a command: a row of the table in cli/commands.c, by which command lines
 * are read, and from which help, man pages and completion are written. */
#ifndef ML_CLI_OPTIONS_H
#define ML_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Kind of an option's value, and the type of its field. */
enum option_kind {
    OPTION_FLAG,      /* nothing; bool */
    OPTION_TEXT,      /* const char * */
    OPTION_FILE,      /* a name that is not empty; const char * */
    OPTION_LIST,      /* text, as often as needed; struct word_list */
    OPTION_WORD,      /* one of `words`; int, its index */
    OPTION_COUNT,     /* a whole number from `low` to `high`; long long */
    OPTION_NUMBER,    /* as in a study; double */
    OPTION_TIME,      /* above 0, see DURATION_FORMS of options.c; double, s */
    OPTION_WAIT,      /* the same, or 0 */
    OPTION_TASK_TIME, /* a minute or more, with a unit; double, s */
    OPTION_RANGE,     /* A:B, either may be left out; double[2], NaN for an end left out */
    OPTION_SIZE,      /* WxH, each from `low` to `high`; int[2] */
};

struct option_row {
    const char *name; /* without "--"; NULL after the last */
    char letter;      /* 0: none */
    enum option_kind kind;
    const char *argument; /* name of the value in help */
    const char *doc;
    size_t field; /* of struct command_line */
    long long low, high;
    const char *const *words;  /* NULL at the end */
    const char *default_value; /* read as if it were given, if the option is not */
    bool is_required;
    bool is_not_repeated; /* by the command line that continues an interrupted one */
    char group;           /* of those with the same letter at most one is given, once; 0: none */
};

struct command_line;

struct choice {
    char word[32];
};

struct command {
    const char *name, *arguments; /* "STUDY.yaml" */
    const char *summary;
    const char *description; /* paragraphs with an empty line between; lines that begin with four
                                spaces stay as they are. NULL: no further text */
    int least, most;         /* how many arguments */
    const char *needs;       /* message for another number of arguments */
    /* Word i that the argument can be; false past the last. NULL: any text. */
    bool (*choice)(int i, struct choice *out);
    int (*run)(const struct command_line *line); /* returns an exit code */
    const struct option_row *options;
};

extern const char *const slurm_device_words[];   /* of --device of slurm; NULL at the end */
extern const char *const failure_words[];        /* of --method of probability; the same */
extern const struct command commands[];          /* ends with a name of NULL */
extern const struct option_row common_options[]; /* of every command */

struct word_list {
    const char **words;
    int n;
};

/* Values of a command line; false, NULL and 0 of absent options, unless noted. Texts are those of
 * the process's arguments. */
struct command_line {
    const struct command *command;
    char **words; /* [n_word] all of them, from the command's name on; NULL: not to be repeated */
    int n_word;
    const char *const *arguments; /* [n_argument] words that are no options */
    int n_argument;
    const char **memory; /* of the lists */

    /* Of most commands. */
    bool help, no_native, quiet, changed, json;
    const char *output, *study, *plugin, *motion; /* files */
    struct word_list set;
    long long run; /* the run to look at; -1 */
    long long threads;

    /* Of commands that integrate. */
    struct {
        bool no_accuracy, restart, strict_space, watch, failed_runs_ok, profile;
        int kernel;  /* enum ml_kernel_mode */
        int for_gpu; /* of compile: 1: a GPU */
        const char *shard, *pick;
        const char *donor;  /* of run: a result that has some runs already */
        const char *device; /* of run */
        long long member;   /* the only run of a study to make; -1 */
        long long samples, accuracy;
        double end;                     /* NaN */
        double time_limit, grace, wait; /* s */
    } make;

    /* Of slurm, and of merge for the shards of an array. */
    struct {
        bool partial;
        long long tasks, cpus, at_most;
        int device;  /* of slurm */
        double time; /* s */
        struct word_list sbatch, merge;
    } array;

    /* Of commands that test a study, a result or a motion: show, evaluate, compare, verify,
     * probability, motion. */
    struct {
        bool latex, derivatives, residuals;
        const char *integrators;
        long long levels, runs;
        long long seed; /* -1 */
        int method;     /* enum ml_failure_method */
    } check;

    /* Of commands that print cells, and of export. */
    struct {
        bool csv, tsv, largest, summary, convergence, over_time, cycles;
        int estimator; /* enum ml_estimator */
        const char *columns, *outcome, *over;
        struct word_list where;
        long long count;
    } table;

    /* Of gait. */
    struct {
        struct word_list left;
        const char *norm, *curves; /* files */
    } gait;

    /* Of commands that draw. */
    struct {
        bool histogram, matrix, bands;
        const char *script, *x, *y, *by, *runs, *contours, *panels, *return_map, *title, *font,
            *palette, *aspect, *colour;
        struct word_list at, labels;
        long long dpi;
        double from, to, range[2]; /* NaN */
        int size[2];               /* 0 */
    } picture;

    /* Of report. */
    struct {
        bool paths;
        long long motions; /* -1 */
    } page;
};

/* Reads the words of a command line, the command's name first, into `line`, to be freed with
 * command_line_free whatever is returned: -1, or an exit code after a message. Words behind --help
 * are not read. */
int command_line_read(const struct command *command, int argc, char **argv,
                      struct command_line *line);

void command_line_free(struct command_line *line);

/* Prints "manylink NAME: ..." to stderr and where help is; returns EXIT_BAD_INPUT. */
int fail_usage(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
