"""Joint torques and forces of a planar chain, from the balance of momenta of all that hangs on each joint, and the
accelerations that given torques make.

Derivation. Segment i has its joint at p_i, its centre of mass at c_i = p_i + d_i u_i and its end at p_(i+1) = p_i +
l_i u_i, with u_i = (cos phi_i, sin phi_i); p_0 is where the base is. With n = (-sin phi, cos phi), u' = phi' n and
u'' = phi'' n - phi'^2 u, so every acceleration is a sum of such terms over the segments before, and that of the base.
Newton and Euler for all segments from joint i on as one body, about the point p_i that need not be at rest:

    R_i = sum_{j >= i} m_j (c_j'' - g) - sum F
    T_i = sum_{j >= i} [I_j phi_j'' + (c_j - p_i) x m_j (c_j'' - g)] - sum [(x_F - p_i) x F + N]

with R_i, T_i force and torque on segment i at its joint, and forces F at the points x_F and moments N on segments >= i.
There is no recursion and no generalised force: nothing is shared with the engine. Arrays: [segment or joint, time],
points and vectors [.., 2]; angles are absolute, from +x.
"""

import numpy as np


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


class Chain:
    """The way of a chain, by position and the first two derivatives."""

    def __init__(self, segments, phi, rate, acceleration, base=None):
        """segments: (length, mass, com, inertia) each; base: [3, time, 2], position, velocity and acceleration."""
        n, n_time = phi.shape
        self.segments, self.phi, self.rate, self.acceleration = segments, phi, rate, acceleration
        self.u = np.stack([np.cos(phi), np.sin(phi)], -1)
        self.n = np.stack([-np.sin(phi), np.cos(phi)], -1)
        self.u1 = rate[..., None] * self.n
        self.u2 = acceleration[..., None] * self.n - (rate**2)[..., None] * self.u
        self.base = np.zeros((3, n_time, 2)) if base is None else base

    def point(self, i, at):
        """Position, velocity, acceleration of the point of segment i at that distance from its joint."""
        way = [q.copy() for q in self.base]
        for j in range(i + 1):
            arm = self.segments[j][0] if j < i else at
            way = [q + arm * u[j] for q, u in zip(way, (self.u, self.u1, self.u2))]
        return way

    def joint(self, i):
        return self.point(i, 0.0)[0]

    def inverse(self, gravity, loads=()):
        """Torques [joint, time] and forces [joint, time, 2]; loads: (segment, point, force, moment) each."""
        n, n_time = self.phi.shape
        torque, force = np.zeros((n, n_time)), np.zeros((n, n_time, 2))
        for i in range(n):
            for j in range(i, n):
                length, mass, com, inertia = self.segments[j]
                where, _, acceleration = self.point(j, com)
                push = mass * (acceleration - gravity)
                force[i] += push
                torque[i] += inertia * self.acceleration[j] + cross(where - self.joint(i), push)
            for segment, where, pull, moment in loads:
                if segment >= i:
                    force[i] -= pull
                    torque[i] -= cross(where - self.joint(i), pull) + moment
        return torque, force


def spring(chain, segment, at, stiffness, rest_length, anchor):
    where = chain.point(segment, at)[0]
    extent = where - anchor
    length = np.sqrt((extent**2).sum(-1, keepdims=True))
    return segment, where, -stiffness * (length - rest_length) * extent / length, 0.0


def ground(chain, segment, level, stiffness, damping, friction, slip_speed):
    """Hunt, Crossley with the exponent 1.5, at the distal end."""
    where, velocity, _ = chain.point(segment, chain.segments[segment][0])
    depth = np.maximum(level - where[:, 1], 0.0)
    up = np.maximum(stiffness * depth**1.5 * (1.0 - damping * velocity[:, 1]), 0.0)
    along = -friction * up * velocity[:, 0] / np.sqrt(velocity[:, 0] ** 2 + slip_speed**2)
    return segment, where, np.stack([along, up], -1), 0.0


def contact(chain, segment, at, point, stiffness, exponent, damping, friction, slip_speed, normal=None, radius=None):
    """Hunt, Crossley, of a point with a line, or with the circle around `point`, whose inside is for a radius < 0."""
    where, velocity, _ = chain.point(segment, at)
    away = where - point
    if radius is None:
        out = np.array(normal) / np.linalg.norm(normal) + 0.0 * where
        depth = -(away * out).sum(-1)
    else:
        distance = np.linalg.norm(away, axis=-1)
        out = np.sign(radius) * away / distance[:, None]
        depth = radius - distance if radius > 0 else distance + radius
    along = np.stack([out[:, 1], -out[:, 0]], -1)
    rising, sliding = (velocity * out).sum(-1), (velocity * along).sum(-1)
    push = np.maximum(stiffness * np.maximum(depth, 0.0) ** exponent * (1.0 - damping * rising), 0.0)
    grip = -friction * push * sliding / np.sqrt(sliding**2 + slip_speed**2)
    return segment, where, push[:, None] * out + grip[:, None] * along, 0.0


def joint_friction(rate, coulomb, static, stribeck_speed, viscous, velocity_scale):
    """Torque on the distal segment of a joint that turns at `rate`."""
    dry = coulomb + (static - coulomb) * np.exp(-((rate / stribeck_speed) ** 2))
    return -dry * rate / np.sqrt(rate**2 + velocity_scale**2) - viscous * rate


def forward(segments, phi, rate, torque, gravity, loads):
    """Accelerations [segment] at one instant, and the forces [joint, 2]: the torques that accelerations take are
    M phi'' + T(0), column by column. torque [joint]; loads: of the chain, as of Chain.inverse."""
    n = len(segments)

    def inverse(acceleration):
        chain = Chain(segments, phi[:, None], rate[:, None], acceleration[:, None])
        torques, forces = chain.inverse(gravity, loads(chain))
        return torques[:, 0], forces[:, 0]

    still = inverse(np.zeros(n))[0]
    mass = np.stack([inverse(unit)[0] - still for unit in np.eye(n)], 1)
    acceleration = np.linalg.solve(mass, torque - still)
    return acceleration, inverse(acceleration)[1]
