# A command that is linked with the library's objects without those of tools computes, and names the build
# with tools where a tool is asked for. Help and completion are the same.
. "$SOURCE/tests/check.sh"

MANYLINK=$BUILD/manylink_without_tools
cat >study.yaml <<'EOF'
manylink: 1
system: {type: lorenz}
initial: {x: 1, y: 1, z: 1}
time: {step: 0.01, end: 1}
sweep: [{set: system.rho, from: 1, to: 30, count: 20}]
EOF
expect 0 "$MANYLINK" run study.yaml
expect 0 "$MANYLINK" table study.h5
for words in "compare study.yaml" "export study.h5 -o run.csv" "slurm study.yaml --tasks 2 --cpus 1 --time 1h"; do
    # shellcheck disable=SC2086 # words of no user
    expect 2 "$MANYLINK" $words
    says err "cannot run \`manylink ${words%% *}\`: this build is without tools; build with -DML_TOOLS=ON"
done
"$MANYLINK" --completion >completion
"$BUILD/manylink" --completion >of_all
diff completion of_all || fail "completion differs without tools"
