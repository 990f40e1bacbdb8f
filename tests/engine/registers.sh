# gcc keeps the vectors of a kernel's state in registers. One index that it does not know when it compiles,
# be it in a loop that is never run, and the whole array is in memory: such a loop cost 1.2 to 1.4 times at
# two to eight segments. Read from gcc's own account of which arrays it took apart.
. "$SOURCE/tests/check.sh"
need_python
"$CC" --version | grep -q 'Free Software Foundation' || skip "the account is gcc's"
[ -z "$SANITIZE" ] || skip "sanitizers watch memory"
[ -r "$BUILD/compile_commands.json" ] || skip "no compile_commands.json"

# account KERNEL: what gcc says of the arrays of its functions that are called for every step, in ./account
account()
{
    "$PYTHON" - "$BUILD/compile_commands.json" "/$1.kern.c" >command <<'EOF'
import json, sys

entries = [e for e in json.load(open(sys.argv[1])) if e["file"].endswith(sys.argv[2])]
for e in entries[:1]:
    print("cd '" + e["directory"] + "' &&", e["command"].split(" -o ")[0], "-S -o /dev/null",
          "-fdump-tree-sra-details=" + "\"$FOLDER/dump\"", e["file"])
EOF
    [ -s command ] || return 1
    FOLDER=$PWD sh ./command
    awk '/^;; Function/ {name = $3} name == "kernel_advance" || name == "kernel_adapt"' dump >account
}
none=1
for isa in v3 v4; do
    for kernel in chain_2_interleaved_0_0_0 chain_3_interleaved_0_0_1 chain_3_interleaved_1_0_0; do
        account "${kernel}_$isa" || continue
        none=0
        grep -q '^Candidate ([0-9]*): local$' account && ! grep -q '^Rejected .*: local$' account ||
            fail "$kernel, $isa: gcc keeps the array \"local\" in memory"
    done
done
[ $none = 0 ] || skip "no kernel is built in"
