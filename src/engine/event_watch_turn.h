/* Turning points, within a step, of the number that an event looks at: between two of them it goes
 * one way, and passes each level once. */
#ifndef ML_ENGINE_EVENT_WATCH_TURN_H
#define ML_ENGINE_EVENT_WATCH_TURN_H

#include "engine/event_watch_find.h"

enum { ML_EVENT_NODES = 16 };

/* A point of a lane's step. */
struct event_node {
    double s;            /* s behind the origin */
    double value, slope; /* there */
    double place;        /* as of ml_event_place: of the value, or of an extreme's slope */
};

/* The points of a lane, in the order of time. */
struct event_path {
    int n;
    struct event_node node[ML_EVENT_NODES];
};

/* Places of the nodes behind the first, whose place is known. */
void ml_event_path_place(const struct watched *w, int lane, struct event_path *path);

/* Whether the value of a node is so near to a level, as part of the way to go, that a search
 * between nodes may take the node for the level. */
bool ml_event_node_is_at_level(const struct ml_event_numbers *event, const struct event_node *node,
                               double way);

/* Adds to each path [ML_LANES] of these lanes, which has both ends of the step, the turning points
 * within that may be beyond a level. Changes batch->x. */
void ml_event_watch_turns(const struct watched *w, const struct origin *origin,
                          struct event_path *path, unsigned lanes);

#endif
