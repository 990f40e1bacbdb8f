/* Names of files. */
#ifndef ML_BASE_PATH_H
#define ML_BASE_PATH_H

#include <stdbool.h>

/* A path put together as by printf, to be freed; NULL without memory. */
char *ml_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The folder a path is in, to be freed; NULL without memory. */
char *ml_path_folder(const char *path);

/* A path that means the same in every folder, to be freed; NULL and errno. */
char *ml_path_absolute(const char *path);

/* The file that a name of a program means by PATH, to be freed; NULL if there is none. */
char *ml_path_program(const char *name);

/* A name that begins so and is different for every process on every host; to be freed. */
char *ml_path_own(const char *beginning);

/* A name for a file on its way to `path`, beside it and different for every process on every host;
 * to be freed. It ends in ML_PATH_TEMPORARY. */
char *ml_path_temporary(const char *path);

/* Whether this is a symbolic link, a link to a file that is missing, and a file that nobody may
 * write to. */
bool ml_path_is_link(const char *path);
bool ml_path_dangles(const char *path);
bool ml_path_is_read_only(const char *path);

/* Whether two paths, by whatever names and links, are of one file that is there. */
bool ml_path_is_same(const char *a, const char *b);

#define ML_PATH_TEMPORARY ".tmp"

/* Removes a folder with its files and folders, as far as permissions allow; follows no link. */
void ml_tree_remove(const char *path);

#endif
