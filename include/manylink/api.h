/* Marks the public functions of the shared library; all other symbols are hidden. */
#ifndef MANYLINK_API_H
#define MANYLINK_API_H

#if defined __GNUC__
#define ML_API __attribute__((visibility("default")))
#else
#define ML_API
#endif

#endif
