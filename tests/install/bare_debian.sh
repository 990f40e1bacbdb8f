# label: slow
# The Debian package in a Debian that has nothing else: apt installs it with the packages that it depends on, it runs
# there, and leaves nothing when it is removed.
. "$SOURCE/tests/check.sh"
need cpack dpkg-shlibdeps file mmdebstrap
[ -z "$SANITIZE" ] || skip "a user's package is built without sanitizers"
[ "$(id -u)" = 0 ] || unshare --user true 2>/dev/null || skip "neither root nor namespaces of users"

cpack --config "$BUILD/CPackConfig.cmake" -B made -D CPACK_DEBIAN_FILE_NAME=manylink.deb >log 2>&1 || fail "$(cat log)"
print_chain 1000 4 >study.yaml
cat >try.sh <<'END'
set -eu
echo "a bare Debian is made"
export DEBIAN_FRONTEND=noninteractive
cd /root
find / -xdev ! -type d ! -path '/root/*' ! -path '/var/*' ! -path '/etc/ld.so.cache' | sort >before
apt-get install -y --no-install-recommends ./manylink.deb
dpkg-query --status manylink | grep '^Status: install ok installed'
manylink run study.yaml -o bare.h5
manylink verify bare.h5
apt-get purge -y --autoremove manylink
find / -xdev ! -type d ! -path '/root/*' ! -path '/var/*' ! -path '/etc/ld.so.cache' | sort >after
diff before after
END
# shellcheck disable=SC2016 # $1 is that system's root
mmdebstrap --variant=apt --format=null --dpkgopt=force-unsafe-io --customize-hook='copy-in made/manylink.deb study.yaml try.sh /root' \
    --customize-hook='chroot "$1" sh /root/try.sh' --customize-hook='copy-out /root/bare.h5 .' \
    "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" - >log 2>&1 || {
    grep -q "^a bare Debian is made" log || skip "no other Debian without network, root or namespaces: $(tail -n 3 log)"
    fail "$(tail -n 40 log)"
}
expect 0 "$MANYLINK" run study.yaml -o own.h5
same bare.h5 own.h5
