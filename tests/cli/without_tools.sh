# A command that is linked with the library's objects without those of tools computes, and names the build
# with tools where a tool is asked for. Help and completion are the same.
. "$SOURCE/tests/check.sh"

MANYLINK=$BUILD/manylink_without_tools
print_chain 100 20 >study.yaml
expect 0 "$MANYLINK" run study.yaml
expect 0 "$MANYLINK" table study.h5
for words in "compare study.yaml" "export study.h5 -o run.csv" "gait study.h5" "slurm study.yaml --tasks 2 --cpus 1 --time 1h"; do
    # shellcheck disable=SC2086 # words of no user
    expect 2 "$MANYLINK" $words
    says err "cannot run \`manylink ${words%% *}\`: this build is without tools; build with -DML_TOOLS=ON"
done
"$MANYLINK" --completion >completion
"$BUILD/manylink" --completion >of_all
diff completion of_all || fail "completion differs without tools"
