/* Folders with all that is in them. */
#ifndef ML_BASE_TREE_H
#define ML_BASE_TREE_H

/* Removes a folder and what is in it as far as it may; follows no link. */
void ml_tree_remove(const char *path);

#endif
