# Time per step over the number of segments, a block of data per solver, the last one's slope
# compared with 1. gnuplot -e "data='...'; picture='...'" plot.gp
set terminal pngcairo size 900,600 font "sans,11"
set output picture
set logscale xy
set xrange [0.9:150]
set xlabel "segments n"
set ylabel "time per RK4 step of one run (ns)"
set xtics (1, 2, 3, 4, 8, 16, 32, 64, 128)
set format y "10^{%L}"
set grid
set key top left
stats data skip 1 using 1:2 nooutput
last = STATS_blocks - 1
stats data index last skip 1 using 1:2 nooutput
top = STATS_max_y
plot for [i=0:last] data index i using 1:2 with linespoints pt 7 lw 2 title columnheader(1), \
     top * x / 128 with lines dt 2 lc "gray" title "slope 1"
