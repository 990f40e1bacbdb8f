"""A leg of three segments that walks over a force plate, and the ways in which a table of the plate can be wrong.

usage: gait_doubts.py        writes leg.csv (angles and base) and plate tables plate_KIND.csv
"""

import numpy as np

RATE, SPAN, WEIGHT = 100, 1.2, 70 * 9.81  # Hz, s, N
t = np.arange(int(RATE * SPAN) + 1) / RATE
# in stance, 0.2 to 0.7 s, the foot rests at (0.3, 0); then the leg swings forwards
swing = np.clip((t - 0.7) / 0.4, 0, 1)
way = swing**3 * (10 - 15 * swing + 6 * swing**2)
foot_x, foot_y = 0.3 + 1.2 * way, 0.12 * np.sin(np.pi * way) ** 2
base = np.stack([0.3 + 1.2 * way * 0.7 - 0.1 + 0.2 * t / SPAN, 0.85 + 0 * t], -1)
x, y = foot_x - base[:, 0], foot_y - base[:, 1]
a, b = 0.45, 0.45
knee = np.arccos(np.clip((x * x + y * y - a * a - b * b) / (2 * a * b), -1, 1))
thigh = np.arctan2(x, -y) + np.arctan2(b * np.sin(knee), a + b * np.cos(knee))
with open("leg.csv", "w") as file:
    print("time,angle/thigh,angle/shank,angle/foot,base/x,base/y", file=file)
    for k in range(len(t)):
        print(t[k], thigh[k], thigh[k] - knee[k], np.pi / 2, base[k, 0], base[k, 1], sep=",", file=file)

on = (t > 0.2) & (t < 0.7)
phase = np.clip((t - 0.2) / 0.5, 0, 1)
up = on * WEIGHT * (1.2 * np.sin(np.pi * phase) + 0.3 * np.sin(3 * np.pi * phase))
along = on * -0.15 * WEIGHT * np.sin(2 * np.pi * phase)


def write(kind, fx, fy, time=t, point=0.35):
    with open(f"plate_{kind}.csv", "w") as file:
        print("time,fx,fy,px,py,mz", file=file)
        for k in range(len(t)):
            print(time[k], fx[k], fy[k], point, 0, (0.35 - point) * fy[k], sep=",", file=file)


write("good", along, up)
write("ms", along, up, 1e3 * t)
# The other foot steps on the plate, 0.6 m before this foot, which leaves it at 0.7 s; or stands 0.6 m behind when this foot
# comes; or touches the plate for 0.03 s while this foot stands.
standing = WEIGHT + 0 * t
for name, force, share in (("next", up, np.clip((t - 0.6) / 0.1, 0, 1)), ("last", up, np.clip((t - 0.3) / 0.1, -1, 0)),
                           ("touched", standing, 0.6 * (abs(t - 0.655) < 0.02)), ("stand", standing, 0 * t)):
    np.savetxt(f"plate_{name}.csv", np.stack([t, 0 * t, force, 0.35 + 0.6 * share, 0 * t], -1), delimiter=",", header="time,fx,fy,px,py",
               comments="")
np.savetxt("stand.csv", np.stack([t, 0 * t, 0.01 * np.sin(t), np.pi / 2 + 0 * t, 0.3 + 0 * t, 0.9 + 0 * t], -1), delimiter=",",
           header="time,angle/thigh,angle/shank,angle/foot,base/x,base/y", comments="")
write("swapped", up, along)
write("sideways", along, 0.05 * up)
write("tenfold", 10 * along, 10 * up)
write("drift", along, up + 10 + 20 * t)
write("dropped", along * ((t < 0.4) | (t > 0.43)), up * ((t < 0.4) | (t > 0.43)))
write("origin", along, up, point=0)
write("far", along, up, point=-3)
