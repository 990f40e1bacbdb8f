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
