/* Half a turn, rad. */
#ifndef ML_BASE_PI_H
#define ML_BASE_PI_H

#define ML_PI 3.14159265358979323846

#endif
