// Conditions, loops, functions, options that end a script, redirections, traps and jobs.

import type { Random } from '../random.ts'
import { pattern, plainNumber, times, word, words } from './words.ts'

/** A command that succeeds or fails and prints little. */
function simple(random: Random): string {
  return random.pick([
    'true',
    'false',
    'echo hi',
    '[ -f a.txt ]',
    '[ -d none ]',
    'grep -q alpha a.txt',
    'grep -q zzz a.txt',
    'test 1 -eq 1',
    '(exit 3)',
    '{ false; }',
    'cat none 2>/dev/null',
    '[[ abc == a* ]]',
    '((0))',
    '((1))',
    'ok',
    'bad',
    ': ${x:=1}',
    'return_two',
    '! true',
    '! false',
  ])
}

const helpers = 'ok() { echo ok; }; bad() { echo bad; return 1; }; return_two() { return 2; echo never; }'

export function condition(random: Random): string {
  const operand = (): string => random.pick(['"$v"', '"$w"', word(random), '"abc"', '""'])
  const test = (): string =>
    random.pick([
      `[[ ${operand()} == ${pattern(random).replaceAll(' ', '\\ ')} ]]`,
      `[[ ${operand()} != "a"* ]]`,
      `[[ ${operand()} < ${operand()} ]]`,
      `[[ -n ${operand()} ]]`,
      `[[ -z $v || $w == x ]]`,
      `[[ $v =~ ^([a-z]+)([0-9]*)$ ]]`,
      `[[ $v =~ [[:space:]] ]]`,
      `[[ ! -e none && -d src ]]`,
      `[[ ${plainNumber(random)} -lt ${plainNumber(random)} ]]`,
      `[ ${operand()} = ${operand()} ]`,
      `[ -z ${operand()} ]`,
      `[ ${plainNumber(random)} -ge ${plainNumber(random)} ]`,
      '[ -f a.txt -a -r b.txt ]',
      '[ ! -f none ]',
      'test -s empty',
      '[ a.txt -ef ./a.txt ]',
      '[[ -v v ]]',
      `[[ ( $v == a* || $w ) && ! $v == b ]]`,
      `[ "$v" ]`,
      `[[ a.txt -nt none ]]`,
    ])
  const body = `echo yes "\${BASH_REMATCH[1]-}"`
  return random.pick([
    `v=${word(random)}; w=${word(random)}\nif ${test()}; then ${body}; elif ${test()}; then echo second; else echo no; fi`,
    `v=${word(random)}; w=abc12\n${test()} && ${body} || echo no\n${test()}; echo $?`,
    `v=${word(random)}\ncase "$v" in\n  ${pattern(random)}) echo 1 ;;\n  ${pattern(random)} | b*) echo 2 ${random.pick([';;', ';&', ';;&'])}\n  *\\ *) echo space ;;&\n  "") echo empty ;;\n  *) echo other ;;\nesac`,
    `for v in ${words(random, 4, 1)}; do case $v in -*) echo option;; *.*) echo dotted;; [0-9]*) echo digit;; ?) echo one;; *) echo "else"; esac; done`,
  ])
}

export function loop(random: Random): string {
  return random.pick([
    `for v in ${words(random, 4)}; do echo "<$v>"; done`,
    `set -- ${words(random, 4)}; while [ $# -gt 0 ]; do echo "$# $1"; shift; done`,
    `set -- -v --name=x -f out ${words(random, 2)}\nwhile [[ $# -gt 0 ]]; do case "$1" in -v|--verbose) v=1; shift;; --name=*) name=\${1#*=}; shift;; -f) f=$2; shift 2;; *) rest+=("$1"); shift;; esac; done\necho "$v $name $f \${#rest[@]}" "\${rest[@]}"`,
    `i=0; until [ $i -ge ${1 + random.below(4)} ]; do i=$((i+1)); [ $i -eq 2 ] && continue; echo $i; done`,
    `for i in 1 2 3; do for j in a b c; do [ $j = b ] && continue ${1 + random.below(2)}; [ $i = 3 ] && break ${1 + random.below(2)}; echo $i$j; done; done`,
    `while IFS= read -r line; do echo "[$line]"; done < ${random.pick(['a.txt', 'b.txt', 'nonl.txt', 'crlf.txt', 'empty'])}`,
    `n=0; while read -r a b; do n=$((n+1)); echo "$a-$b"; done < b.txt; echo $n`,
    `n=0; cat b.txt | while read -r l; do n=$((n+1)); done; echo $n`,
    `while IFS=, read -r id name qty; do [[ $id == id ]] && continue; echo "$name has $qty"; done < data.csv`,
    `sum=0; for n in $(cut -d, -f3 data.csv | tail -n +2); do ((sum+=n)); done; echo $sum`,
    `for f in *.txt; do [ -e "$f" ] || continue; echo "\${f%.txt}: $(wc -l < "$f")"; done`,
    `select_from=(a b c); for i in "\${!select_from[@]}"; do printf '%d) %s\\n' $((i+1)) "\${select_from[i]}"; done`,
    `for i in {1..3}; do echo $i; done > out; tac out | paste -sd+ | sed 's/+/ + /g'`,
    `printf 'a\\nb\\n' | select x in p q; do echo "$x $REPLY"; break; done <<< 2 2>/dev/null`,
    `find . -name '*.js' | sort | while read -r f; do basename "$f" .js; done`,
    `printf 'a.txt\\nsrc/main.js\\nnum.txt\\n' | while read -r f; do ${random.pick(['wc -l "$f"', 'stat -c %s "$f"', 'sort "$f" | head -n 1', 'head -n 1 "$f"', 'tail -n 1 "$f"', 'grep -c a "$f"', 'cut -c1-3 "$f"', 'cat "$f" | wc -c', 'basename "$f"', 'sed -n 1p "$f"', 'awk \'END{print NR}\' "$f"', 'md5sum "$f" | cut -c1-4', 'find "$f" -type f', 'realpath --relative-to=. "$f"', 'echo "$f" | tr a-z A-Z', 'diff -q "$f" a.txt', 'uniq "$f" | wc -l', 'touch "$f"; echo $?', 'date -d @0 +%Y', 'od -c "$f" | head -n 1', 'xxd "$f" | head -n 1', 'tac "$f" | head -n 1', 'cmp "$f" a.txt', 'test -s "$f" && echo full'])}; done`,
    `for x; do echo $x; done; set -- p q; for x do echo $x; done`,
  ])
}

export function functions(random: Random): string {
  return random.pick([
    `f() { local a=$1 b="\${2:-def}"; shift; echo "$a|$b|$#|$*"; }; f ${words(random, 3, 1)}; echo "\${a-unset}"`,
    `fact() { local n=$1; if ((n<=1)); then echo 1; else echo $((n * $(fact $((n-1))))); fi; }; fact ${random.below(8)}`,
    `f() { return ${random.pick(['0', '1', '3', '255', '256'])}; }; f; echo $?; f && echo t || echo f; if f; then echo T; fi`,
    `f() { local x=in; g; echo "f:$x"; }; g() { echo "g:$x"; x=changed; }; x=out; f; echo "$x"`,
    `f() { local -n ref=$1; ref+=(${words(random, 2)}); }; arr=(a); f arr; printf '<%s>' "\${arr[@]}"; echo`,
    `f() { echo "$FUNCNAME \${#FUNCNAME[@]} $#"; for a in "$@"; do echo "[$a]"; done; }; f ${words(random, 3)}`,
    `f() { while getopts ':ab:c' o "$@"; do case $o in a) echo A;; b) echo "B=$OPTARG";; c) echo C;; :) echo "missing $OPTARG";; ?) echo "bad $OPTARG";; esac; done; shift $((OPTIND-1)); echo "rest: $*"; }; f ${random.pick(['-a -b x y', '-ab x -c z', '-b', '-z -a', '-- -a', '-abval w', 'x -a'])}`,
    `log() { printf '[%s] %s\\n' "$1" "\${*:2}" >&2; }; log info ${words(random, 2)} 2>&1`,
    `f() { local v; v=$(false); echo $?; local w=$(false); echo $?; }; f`,
    `outer() { inner() { echo inner; }; inner; }; outer; inner; unset -f inner; inner 2>/dev/null || echo gone`,
    `f() { cat; }; echo piped | f; f <<< here; f < b.txt | head -n 1`,
    `f() ( x=sub; cd src; pwd | sed 's/.*\\///' ); x=main; f; echo $x; pwd | sed 's/.*\\///'`,
    `f() { echo "\${@:2}" "\${@: -1}" "\${!#}" "\${#@}"; }; f ${words(random, 4, 2)}`,
    `declare -f nothere || echo none; f() { echo "a  b"; if true; then echo c; fi; }; declare -f f; type -t f echo if nothere`,
    `f() { set -- x y; echo $1; }; set -- p; f; echo $1`,
    `export -f ok 2>/dev/null; f() { echo "in child $1"; }; export -f f; bash -c 'f 1'`,
    `f() { echo out; echo err >&2; return 4; }; x=$(f 2>&1); echo "$? $x"; y=$(f 2>/dev/null) || echo "failed $?"`,
    `declare -r c=1; (c=2) 2>/dev/null; echo $?; readonly -p | grep -c 'c='`,
    `f() { local IFS=,; echo "$*"; }; f a b c; echo "$*"; f() { ((depth++ < 3)) && f; echo $depth; }; f`,
  ])
}

/** What `set -e` and its like let through. */
export function strict(random: Random): string {
  const header = random.pick(['set -e', 'set -eu', 'set -euo pipefail', 'set -o pipefail', 'set -u', 'set -eE', ''])
  const trap = random.pick([
    '',
    '',
    "trap 'echo exit $?' EXIT",
    "trap 'echo err $? $LINENO' ERR",
    "trap 'echo bye; exit 9' EXIT",
    "set -E; trap 'echo ERR' ERR",
  ])
  const line = (): string =>
    random.pick([
      simple(random),
      `${simple(random)} || ${simple(random)}`,
      `${simple(random)} && ${simple(random)}`,
      `if ${simple(random)}; then echo then; else echo else; fi`,
      `x=$( ${simple(random)}); echo "x=$x"`,
      `${simple(random)} | ${random.pick(['cat', 'true', 'false', 'wc -l'])}`,
      `(${simple(random)}; echo sub)`,
      `{ ${simple(random)}; echo group; }`,
      `f() { ${simple(random)}; echo inf; }; ${random.pick(['f', 'f || echo caught', 'if f; then :; fi', 'f && true', 'x=$(f)', 'f | cat', '! f'])}`,
      `for i in 1 2; do ${simple(random)}; done`,
      `while ${random.pick(['false', '! true'])}; do :; done`,
      `echo "\${undefined${random.pick(['', ':-d', '-', ':+x'])}}"`,
      'echo "${arr[@]}"; arr=(1); echo "${arr[@]}"',
      'echo "$1" "${2:-two}"',
      'local_test() { local y=$(false); echo $y; }; local_test',
      'export E=$(false); echo exported',
      'until true; do :; done; echo "code $?"',
      'trap - ERR',
      '((i=0)); echo $i',
      '((i++)) || true; let i=0 || echo zero',
      'eval "false; echo evaled"',
      'command false; echo c',
      'case x in x) false;; esac; echo after',
    ])
  return [helpers, header, trap, ...times(random, 4, 1, line), 'echo end'].filter(Boolean).join('\n')
}

export function redirection(random: Random): string {
  return random.pick([
    `echo one > o; echo two >> o; cat o; wc -l < o`,
    `{ echo out; echo err >&2; } > o 2> e; cat o e`,
    `{ echo out; echo err >&2; } 2>&1 | sort`,
    `{ echo a; cat none; } &> all; grep -c a all`,
    `cat none > o 2>&1; cat o`,
    `exec 3> o; echo x >&3; echo y >&3; exec 3>&-; cat o`,
    `exec 3< a.txt; read -r l <&3; read -r m <&3; echo "$l,$m"; exec 3<&-`,
    `exec 4>&1 > o; echo hidden; exec >&4 4>&-; cat o`,
    `(echo a; echo b >&2) 2>/dev/null`,
    `set -C; echo 1 > o; echo 2 > o 2>/dev/null || echo refused; echo 3 >| o; cat o`,
    `diff <(sort a.txt) <(sort b.txt) | head -n 4; echo \${PIPESTATUS[0]}`,
    `tee o p < b.txt | wc -l; cmp o p && echo same`,
    `cat <<A <<B\nfirst\nA\nsecond\nB`,
    `cat << EOF > o\n$(echo generated)\nEOF\ncat o`,
    `while read -r a <&3 && read -r b <&4; do echo "$a-$b"; done 3< a.txt 4< b.txt`,
    `> o; [ -e o ] && [ ! -s o ] && echo empty; : > p; echo $?`,
    `echo x 2>&1 > o; cat o; ls none 2>&1 >/dev/null | wc -l`,
    `f() { echo out; echo err >&2; }; x=$(f 2>&1 >/dev/null); echo "[$x]"; x=$( { f 2>&1 1>&3; } 3>/dev/null ); echo "[$x]"`,
    `cat < none; echo $?; echo a > none/x; echo $?`,
    `read -r first < a.txt; echo $first; { read -r a; read -r b; } < a.txt; echo $a $b`,
    `paste <(printf '1\\n2\\n') <(printf 'a\\nb\\n'); cat <(echo x) - <<< y`,
    `printf 'a\\nb\\n' > >(cat > o); sleep 0.05; cat o 2>/dev/null | wc -l > /dev/null; echo`,
    `sort -o b.txt b.txt; cat b.txt; sed -i 's/a/A/' a.txt; cat a.txt`,
    `echo data | { read -r x; echo "got $x"; }; cat <<< "$(cat a.txt)" | tail -n 1`,
    `exec 5<> o; echo hello >&5; cat o; exec 5>&-; { echo 1; echo 2; } | tee -a o | tail -n 1; cat o`,
    `if ! out=$(cat none 2>&1); then echo "E: $out"; fi`,
    `cat a.txt | tee >(wc -l > cnt) > /dev/null; sleep 0.05; echo`,
    `echo "a b" | xargs -n 1 echo - ; printf '%s\\0' 'x y' z | xargs -0 -I{} echo "<{}>"`,
  ])
}

export function processes(random: Random): string {
  return random.pick([
    `trap 'echo cleanup' EXIT; echo body; exit ${random.below(4)}`,
    `trap 'echo got' USR1; kill -USR1 $$; echo after`,
    `trap 'rm -f tmp; echo removed' EXIT; touch tmp; ls tmp; (exit 3); echo $?`,
    `(trap 'echo sub' EXIT; echo in); echo out; trap -p EXIT`,
    `{ echo bg; exit 3; } & wait $!; echo $?`,
    `for i in 1 2 3; do (exit $i) & pids+=($!); done; for p in "\${pids[@]}"; do wait $p; echo $?; done`,
    `sleep 0.02 & wait; echo $?; jobs | wc -l; false & wait $! || echo failed`,
    `(sleep 5) & p=$!; kill $p; wait $p 2>/dev/null; echo $?`,
    `timeout 0.1 sleep 5; echo $?; timeout 5 echo fine; timeout 2 false; echo $?`,
    `x=1; (x=2; echo $x); echo $x; y=$(x=3; echo $x); echo $x $y; { x=4; }; echo $x`,
    `bash -c 'echo $0 $1 $#; exit 5' name ${word(random)}; echo $?`,
    `echo 'echo from $1; x=9; return 3' > lib.sh; . ./lib.sh arg; echo $? $x; source lib.sh; echo $?`,
    `printf '#!/bin/bash\\necho "args: $#"; for a; do echo "<$a>"; done; exit 7\\n' > s.sh; chmod +x s.sh; ./s.sh ${words(random, 3)}; echo $?; bash s.sh; sh s.sh x`,
    `export X=1; Y=2; bash -c 'echo "\${X-no} \${Y-no}"'; Z=3 bash -c 'echo $Z'; env A=b sh -c 'echo $A'; env -i sh -c 'echo "\${X-none}"'`,
    `eval "a=1; b=\\$((a+1))"; echo $b; cmd='echo "x y"'; eval $cmd; $cmd`,
    `command -v echo cat nothere; echo $?; type -t cat cd nothere; hash -r`,
    `nosuchcommand; echo $?; ./none; echo $?; ./a.txt; echo $?`,
    `false | true | false; echo "\${PIPESTATUS[@]}"; true | (exit 4); echo $?; set -o pipefail; false | true; echo $?`,
    `yes | head -n 3; seq 1000000 | head -n 2; echo \${PIPESTATUS[0]} > /dev/null`,
    `echo "$-" | tr -d 'hBc' | wc -c > /dev/null; echo $# $? "$0" | wc -w; shopt -q extglob && echo on || echo off`,
    `cd src && pwd | sed 's/.*\\///'; cd - > /dev/null; cd none 2>/dev/null || echo nodir; pushd src > /dev/null; dirs | wc -w; popd > /dev/null`,
    `umask 077; touch f; stat -c %a f; umask; mkdir dd; stat -c %a dd`,
    `x=5; x=6 true; echo $x; f() { echo $x; }; x=7 f; echo $x`,
    `set -- a b c; echo "$@" | xargs -n1 | while read -r i; do echo "i=$i"; done; shift 2; echo $1; shift 5; echo $? $1`,
    `exec 2>&1; cd nodir; cat none; ls none; rm none; mkdir src; rmdir src; cp none x; mv none x; [ 1 -eq a ]; echo $?`,
    `trap 'echo int; exit 130' INT; kill -INT $$; echo never`,
    `set -x; echo traced 2>/dev/null; { set +x; } 2>/dev/null; echo done`,
    `(exit 2) & (exit 2) & wait -n; echo $?; wait`,
    `let i=5 'j = i * 2'; echo $i $j; printf -v s '%03d' $i; echo $s; declare -i k=i+1; echo $k; declare -u up=abc; echo $up; declare -l lo=ABC; echo $lo`,
    `time_out=$( { time true; } 2>&1 | grep -c real ); echo $time_out;`,
  ])
}
