/* Completion of command lines by shells, written from the table of commands. */
#ifndef ML_CLI_COMPLETION_H
#define ML_CLI_COMPLETION_H

/* Prints the script by which a shell, bash, zsh or fish, completes command lines; NULL: bash.
 * Returns an exit code. */
int print_completion(const char *shell);

/* Prints words of command lines about a file, one a line: keys that --set takes of a study, names
 * in a result. No code of others is run. Returns an exit code. */
int print_complete(const char *path);

#endif
