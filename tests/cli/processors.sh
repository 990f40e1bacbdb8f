# label: slow
# aarch64: under emulation its kernels pass their tests (preset aarch64), and its results have the bits
# of this processor's.
. "$SOURCE/tests/check.sh"
[ -z "$SANITIZE" ] || skip "the build without sanitizers compares"
need aarch64-linux-gnu-gcc qemu-aarch64
code=0
"$SOURCE/scripts/sysroot" >sysroot.log 2>&1 || code=$?
[ $code != 77 ] || skip "$(tail -n 1 sysroot.log)"
[ $code = 0 ] || fail "$(cat sysroot.log)"

build_preset aarch64
cd "$SOURCE" && ctest --preset aarch64 --parallel 2
reference=$MANYLINK
MANYLINK=$BUILD/emulated/manylink
mkdir -p "$BUILD/emulated"
cat >"$MANYLINK" <<END
#!/bin/sh
exec qemu-aarch64 -L "$SOURCE/build/aarch64-root" "$SOURCE/build/aarch64/manylink" "\$@"
END
chmod +x "$MANYLINK"
REFERENCE=$reference
. "$SOURCE/tests/cli/same_bits.sh"

# The other systems, a moment of each.
cat >stars.yaml <<'END'
manylink: 1
system: {type: henon_heiles}
initial: {y: -0.1, px: 0.5, py: 0.1}
time: {step: 0.01, end: 1}
sweep: [{set: initial.x, from: 0, to: 0.1, count: 16}]
analyse: {lyapunov: {exponents: 4}}
END
same_bits 2 stars.yaml
same_bits 2 "$SOURCE/studies/roessler_maxima.yaml" --set time.step=1e-3 --set time.end=1 --set events.peak.from=0
same_bits 2 "$SOURCE/studies/runner.yaml" --set time.step=1e-3 --set time.end=0.1
same_bits 2 "$SOURCE/studies/quarter_car.yaml" --set time.step=1e-3 --set time.end=0.1 --set analyse.lyapunov.transient=0
