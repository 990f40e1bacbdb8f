# The Debian package of a build: made, installed into a root of its own, run there, and removed without a trace.
. "$SOURCE/tests/check.sh"
need cmake cpack dpkg-deb dpkg-shlibdeps file
[ -z "$SANITIZE" ] || skip "a user's package is built without sanitizers"

cpack --config "$BUILD/CPackConfig.cmake" -B made >log 2>&1 || fail "$(cat log)"
package=$(echo made/*.deb)
dpkg-deb --field "$package" Depends >depends
for library in libc6 libgomp1 libhdf5 libyaml libjansson libxxhash; do
    grep -q "$library" depends || fail "the package does not name $library: $(cat depends)"
done

# The maintainer has no address yet, one package holds command and library, and CMake calls ldconfig itself.
if command -v lintian >/dev/null; then
    lintian --allow-root --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,lacks-ldconfig-trigger,maintscript-calls-ldconfig,package-name-doesnt-match-sonames,pkg-config-unavailable-for-cross-compilation \
        "$package" >log 2>&1 || fail "$(cat log)"
    [ ! -s log ] || fail "$(cat log)"
fi

mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info
touch root/var/lib/dpkg/status root/var/lib/dpkg/available
mkdir bin
printf '#!/bin/sh\n' >bin/ldconfig # the machine's libraries stay as they are
chmod +x bin/ldconfig
# install_there OPTION...: dpkg in that root, where nothing else is, without being root
install_there()
{
    PATH="$PWD/bin:$PATH:/usr/sbin:/sbin" dpkg --root="$PWD/root" --force-not-root --force-depends \
        --force-script-chrootless --log="$PWD/dpkg.log" "$@" >log 2>&1 || fail "$(cat log)"
}
install_there --install "$package"
export PATH="$PWD/root/usr/bin:$PATH" MANYLINK_CACHE="$work/cache"
cat >rod.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
initial: {angle: 1}
time: {step: 1e-2, end: 1}
END
expect 0 manylink run rod.yaml -o rod.h5
expect 0 "$MANYLINK" run rod.yaml -o own.h5
same rod.h5 own.h5
for file in bin/manylink share/man/man1/manylink.1.gz share/doc/manylink/changelog.gz include/manylink/manylink.h share/bash-completion/completions/manylink \
    share/zsh/vendor-completions/_manylink share/fish/vendor_completions.d/manylink.fish share/doc/manylink/copyright; do
    [ -e "root/usr/$file" ] || fail "the package lacks $file"
done
install_there --remove manylink
find root -path root/var -prune -o ! -type d -print >left
[ ! -s left ] || fail "files that are left: $(cat left)"
