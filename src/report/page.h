/* The files of the page, as they were when the library was built: scripts/embed writes their table.
 */
#ifndef ML_REPORT_PAGE_H
#define ML_REPORT_PAGE_H

struct ml_report_file {
    const char *name;         /* "page.html" */
    const char *const *lines; /* NULL at the end */
};

/* Ends with a name of NULL. */
extern const struct ml_report_file ml_report_files[];

#endif
