# label: values
# Every command of docs/gallery.md makes the picture that the page shows; studies that take long do so with
# fewer runs.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "the build without sanitizers runs it"
need gnuplot
[ "$(gnuplot -e 'set terminal gif' 2>&1)" = "" ] || skip "gnuplot draws no .gif"

fewer() # of a study
{
    case $1 in
    arm_sensitivity) echo --set sweep.0.count=8 --set sweep.1.count=8 --set save.trajectory.runs.every=8 ;;
    basins) echo --set sweep.0.count=16 --set sweep.1.count=16 ;;
    delay_stability) echo --set sweep.0.count=9 --set sweep.1.count=9 ;;
    driven_pendulum) echo --set sweep.0.count=16 ;;
    flip_map) echo --set sweep.0.count=16 --set sweep.1.count=16 ;;
    furuta) echo --set sweep.0.count=4 --set sweep.1.count=4 --set time.end=3 ;;
    pid_robustness) echo --set sample.count=16 --set time.end=2 ;;
    poincare) echo --set sample.count=8 ;;
    roessler_maxima) echo --set sweep.0.count=20 ;;
    magnets) echo --set sweep.0.count=8 --set sweep.1.count=8 ;;
    lyapunov_map) echo --set sweep.0.count=8 --set sweep.1.count=8 ;;
    lyapunov_energy) echo --set sample.count=16 --set time.end=100 ;;
    lorenz_96) echo --set sweep.0.count=16 --set time.end=60 ;;
    lorenz_rho) echo --set sweep.0.count=60 --set time.end=100 ;;
    pid_gains) echo --set sweep.1.count=4 --set sweep.2.count=4 ;;
    poised_rods) echo --set sweep.0.count=8 --set sweep.1.count=8 ;;
    spring_wall) echo --set sweep.0.count=4 --set sweep.1.scale_by.count=4 ;;
    stick_slip) echo --set sweep.0.scale_by.count=4 --set sweep.1.count=4 --set save.trajectory.runs.every=3 ;;
    swing_up) echo --set sweep.0.count=4 --set sweep.1.count=4 --set time.end=5 ;;
    quarter_car) echo --set sweep.0.count=4 --set sweep.1.count=4 --set time.end=20 ;;
    esac
}

commands docs/gallery.md
ln -s "$SOURCE/studies" studies
cat blocks/*.sh | while read -r command; do
    case $command in
    "manylink run "*) command="$command $(fewer "$(basename "$command" .yaml)")" ;;
    "manylink compare "*) command="$command --levels 2 --integrators rk4,tp86" ;;
    esac
    expect 0 sh -c "$command"
done
sed -nE 's/^!\[.*\]\((.*)\)$/\1/p' "$SOURCE/docs/gallery.md" | while read -r picture; do
    name=$(basename "$picture")
    case $name in # a screenshot of a page
    page-*) name=${name#page-} && name=${name%.png}.html ;;
    esac
    [ -s "$name" ] || fail "no command makes $picture"
done
kilobytes=$(du -ck "$SOURCE"/docs/*.png "$SOURCE"/docs/gallery/*.png | tail -n 1 | cut -f 1)
[ "$kilobytes" -lt 3400 ] || fail "pictures take $kilobytes kB"
