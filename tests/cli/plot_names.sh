# `plot`: no name of a file is a command of gnuplot's shell, no title breaks a picture, no file that
# is not of a picture is overwritten, and an end in the middle leaves nothing behind.
. "$SOURCE/tests/check.sh"

mkdir temporary
TMPDIR=$PWD/temporary
export TMPDIR
cat >study.yaml <<'END2'
manylink: 1
system: {type: chain, segments: [{length: 1, mass: 1}]}
time: {step: 1e-2, end: 0.5}
sweep: [{set: initial.angle.1, from: -2, to: 2, count: 9}]
END2
expect 0 "$MANYLINK" run --quiet study.yaml -o r.h5

# A gnuplot that takes its time. It says its number.
mkdir slow
cat >slow/gnuplot <<END2
#!/bin/sh
echo \$\$ >"$PWD/pid.new"
mv "$PWD/pid.new" "$PWD/pid"
exec sleep 100
END2
chmod +x slow/gnuplot
# signalled SIGNAL CODE: once gnuplot runs
signalled()
{
    rm -f pid
    PATH=$PWD/slow:$PATH "$MANYLINK" plot r.h5 -o slow.png >out 2>err &
    process=$!
    while [ ! -e pid ]; do
        kill -0 $process || fail "plot ended: $(cat out err)"
        sleep 0.01
    done
    kill -"$1" $process
    code=0
    wait $process || code=$?
    [ $code = "$2" ] || fail "SIG$1: exit code $code, not $2: $(cat err)"
    child=$(cat pid)
    for try in 1 2 3 4 5 6 7 8 9 10; do # the system ends it as soon as its parent has gone
        ! kill -0 "$child" 2>/dev/null || sleep 0.1
    done
    if kill -0 "$child" 2>/dev/null && ! grep -q '^State:.*Z' "/proc/$child/status"; then
        kill -KILL "$child"
        fail "SIG$1: gnuplot outlives it"
    fi
}
for signal in TERM HUP; do
    signalled $signal 130
    says err "there is no new picture"
    [ -z "$(ls temporary)$(ls ./*.png* 2>/dev/null)" ] || fail "SIG$signal leaves files: $(ls . temporary)"
done
signalled KILL 137
tries=0
while [ "$(ls temporary)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || fail "killed, it leaves files: $(ls temporary)"
    sleep 0.05
done
rm -f ./*.tmp

# Neither its own result nor what is no file.
cp r.h5 own.png
for name in own.png ./own.png temporary/../own.png; do
    expect 2 "$MANYLINK" plot own.png -o $name
    says err "is the result itself"
done
expect 2 "$MANYLINK" plot own.png
says err "is the result itself"
cmp own.png r.h5 || fail "a result was overwritten"
mkfifo fifo.png
expect 2 "$MANYLINK" plot r.h5 -o fifo.png
says err "is not an ordinary file"
[ -p fifo.png ] || fail "a FIFO was replaced"
rm own.png fifo.png

# --script takes no place of files of others, and its own again.
for name in plot.gp data.bin; do
    mkdir scripts
    echo mine >scripts/$name
    expect 2 "$MANYLINK" plot r.h5 --script scripts
    says err "scripts/$name: is there already"
    [ "$(cat scripts/$name)" = mine ] && [ "$(ls scripts)" = $name ] || fail "$name is lost"
    rm -r scripts
done
expect 0 "$MANYLINK" plot r.h5 --script scripts
echo mine >scripts/messages.txt
expect 0 "$MANYLINK" plot r.h5 end_angle --script scripts
[ "$(cat scripts/messages.txt)" = mine ] || fail "messages.txt is lost"
[ -z "$(ls temporary)" ] || fail "temporary files are left"

need gnuplot
is_picture()
{
    [ "$(head -c 4 "$1" | tr -d '\211')" = PNG ] || fail "$1 is no picture"
}

# Names that begin as a pipe, an option, a home or the standard input.
for name in '|touch owned;.h5' '<touch owned;.h5' '-x.h5' '~.h5' "it's \"a\" \`touch owned\` \$x %d.h5" \
    '@a #.h5'; do
    cp r.h5 "./$name"
    expect 0 "$MANYLINK" plot -- "$name"
    is_picture "./${name%.h5}.png"
    rm "./$name" "./${name%.h5}.png"
done
expect 0 "$MANYLINK" plot r.h5 -o '| touch owned ;#.png'
is_picture './| touch owned ;#.png'
for folder in '|touch owned;' '<touch owned;' '-e' '~'; do
    mkdir "./$folder"
    cp r.h5 "./$folder/r.h5"
    expect 0 "$MANYLINK" plot -- "$folder/r.h5"
    is_picture "./$folder/r.png"
    expect 0 "$MANYLINK" plot r.h5 --script "$folder" -o k.png
    is_picture k.png
    rm k.png
    expect 0 env TMPDIR="$folder" "$MANYLINK" plot r.h5 -o k.png
    is_picture k.png
    rm k.png
done
[ -z "$(find . -name 'owned*')" ] || fail "a name was run as a command"

# Long names take several lines in a small picture, of 36 letters upwards, and none is lost.
cat >long.yaml <<'END'
manylink: 1
title: A study whose title is much longer than there is room for above a picture, and then has some more words
system: {type: chain, segments: [{name: left_upper_arm_segment, length: 1, mass: 1}, {name: left_lower_arm_segment, length: 1, mass: 1}]}
forces: [{name: left_shoulder_viscous_damper, type: damper, joint: left_upper_arm_segment, coefficient: 0.05}]
time: {step: 1e-2, end: 0.1}
sweep:
  - {set: forces.left_shoulder_viscous_damper.coefficient, from: 0.01, to: 10, count: 16, scale: log}
  - {set: initial.angle.left_lower_arm_segment, from: 0.1, to: 2, count: 5}
END
expect 0 "$MANYLINK" run --quiet long.yaml
for y in forces.left_shoulder_viscous_damper.coefficient none; do
    expect 0 "$MANYLINK" plot long.h5 --y $y --size 480x360 --script long -o long.png
    is_picture long.png
    sed -n 's/^set \(y\|cb\)label /print /p' long/plot.gp >labels.gp
    gnuplot labels.gp 2>printed
    awk 'length > 36 { exit 1 }' printed || fail "labels of plot are cut: $(cat printed)"
    tr -d '\n' <printed | grep -q 'end_angle_wrapped.left_lower_arm_segment' || fail "no whole label: $(cat printed)"
    sed -n 's/^set title /print /p' long/plot.gp >title.gp
    gnuplot title.gp 2>printed
    awk 'length > 45 { exit 1 }' printed || fail "the title of plot is cut: $(cat printed)"
done

# Titles with quotes, wherever they are.
number=0
for title in "'Swing-up' of an arm" "a ''b''" "''" "'" '"' 'a "b" \n \' '`touch owned` $(touch owned)' \
    '@a %d {/Symbol a}_b #' "$(printf '%88s' x) 'wrapped' ''" "μ ⟨é⟩ '\\'"; do
    number=$((number + 1))
    printf "title: '%s'\n" "$(printf '%s' "$title" | sed "s/'/''/g")" >titled.yaml
    cat study.yaml >>titled.yaml
    expect 0 "$MANYLINK" run --quiet titled.yaml -o t$number.h5
    expect 0 "$MANYLINK" plot t$number.h5 --script t$number -o t.png
    is_picture t.png
    sed -n 's/^set title /print /p' t$number/plot.gp >title.gp
    gnuplot title.gp 2>printed || fail "gnuplot does not read: $(cat title.gp)"
    lines=$(sed '/^run/d; /^initial/d' printed)
    case $title in
    *x*wrapped*) says printed "'wrapped' ''" ;;
    *) [ "$lines" = "$title" ] || fail "gnuplot reads '$lines', not '$title'" ;;
    esac
done
[ ! -e owned ] || fail "a title was run as a command"
[ -z "$(ls temporary)$(find . -name '*.tmp')" ] || fail "temporary files are left"
