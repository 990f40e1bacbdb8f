# bash, zsh and fish complete commands, options and their words, keys of a study and names in a result. Shells that are
# not installed are left out.
. "$SOURCE/tests/check.sh"
need_python

cat >rod.yaml <<'END'
manylink: 1
system: {type: chain, segments: [{name: upper, length: 1, mass: 1}]}
time: {step: 1e-2, end: 1}
sweep: [{set: initial.rate.upper, values: [0, 3]}]
END
expect 0 "$MANYLINK" run rod.yaml
ln -s "$MANYLINK" manylink
export PATH="$work:$PATH"

expect 0 manylink --complete rod.yaml
for word in time.end integrator.tolerance system.segments.upper.mass; do
    grep -qx "$word" out || fail "no $word: $(cat out)"
done
expect 0 manylink --complete rod.h5
[ "$(grep -cx initial.rate.upper out)" = 1 ] || fail "not the axis: $(cat out)"
grep -qx max_rate out || fail "no max_rate: $(cat out)"
expect 2 manylink --complete none.yaml
expect 2 manylink --completion csh
says err "bash zsh fish"
for shell in bash zsh fish; do
    expect 0 manylink --completion $shell
    mv out completion.$shell
done
expect 0 manylink --completion
cmp out completion.bash

# What each shell offers, or completes, behind "manylink".
cat >wanted <<'END'
ev > evaluate
run rod.yaml --time-l > --time-limit
run rod.yaml --set system.segments.upper.ma > system.segments.upper.mass
run rod.yaml --kernel gen > general
best rod.h5 max_ra > max_rate
plot rod.h5 --x initial.ra > initial.rate.upper
END
in_bash()
{
    # shellcheck disable=SC2086 # words
    bash -c '. ./completion.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _manylink
        printf "%s\n" "${COMPREPLY[@]}"' bash manylink $1
}
in_fish()
{
    fish --no-config -c "source completion.fish; complete -C 'manylink $1'" | cut -f 1
}
# The line that a terminal shows after Tab, of all lines of `wanted`.
in_zsh()
{
    "$PYTHON" - <<'END'
import os, pty, select

pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", PS1="> ")
    os.execvp("zsh", ["zsh", "-f", "-i"])


def see(until):
    seen = b""
    while until not in seen and select.select([terminal], [], [], 30)[0]:
        seen += os.read(terminal, 4096)
    return seen.decode()


# Ctrl-X prints the line, and empties it.
setup = r"""autoload -U compinit; compinit -u -D; source ./completion.zsh
show() { print -r -- "[[$BUFFER]]"; BUFFER= }; zle -N show; bindkey '^X' show; PS1=g''o'> '
"""
os.write(terminal, setup.encode())
see(b"go> ")
for line in open("wanted"):
    line = line.split(" > ")[0]
    os.write(terminal, f"manylink {line}\t\x18".encode())
    print(line, ">", see(b"]]").split("[[")[1].split("]]")[0].split()[-1])
os.write(terminal, b"exit\n")
END
}
for shell in bash fish zsh; do
    command -v $shell >/dev/null || continue
    $shell -n completion.$shell || fail "not a script"
    if [ $shell = zsh ]; then
        in_zsh >offered
    else
        while read -r line; do
            echo "${line% > *} > $(in_$shell "${line% > *}" 2>&1)"
        done <wanted >offered
    fi
    diff wanted offered || fail "$shell completes otherwise"
done
