/* The studies of src/cli/templates, as they were when the command was built: scripts/embed writes
 * their table. */
#ifndef ML_CLI_TEMPLATES_H
#define ML_CLI_TEMPLATES_H

struct template
{
    const char *name;         /* "chain" */
    const char *const *lines; /* NULL at the end; the first is a comment: the purpose */
};

/* Ends with a name of NULL. */
extern const struct template templates[];

#endif
