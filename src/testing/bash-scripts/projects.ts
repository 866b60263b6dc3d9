// What coding agents write for a project: loops over options, functions that call each other, steps of builds, back-ups, reports.

import type { Random } from '../random.ts'
import { pattern, plainNumber, times, value, word, words } from './words.ts'

const file = (random: Random): string =>
  random.pick(['a.txt', 'b.txt', 'nonl.txt', 'num.txt', 'tab.tsv', 'words.txt', 'data.csv', 'log.txt', 'crlf.txt', 'empty'])

const options = '-v|-vv|-o out|-oout|--out=x|--out y|--|-|-z|in.txt|"a b"|\'\'|-n 3|-n|--no-color|-abc|-h'.split('|')

function byCase(random: Random): string {
  return `while ${random.pick(['[[ $# -gt 0 ]]', '(($#))', '[ $# -gt 0 ]', '[[ ${1-} ]]', '[ "${1+x}" ]'])}; do
  case ${random.pick(['$1', '"$1"', '${1}'])} in
    -h|--help) usage; return 0 ;;
    -v|--verbose) verbose=$((verbose + 1)); shift ;;
    -o|--out) out=\${2:?needs a value}; shift 2 ;;
    --out=*) out=\${1#*=}; shift ;;
    -n) count=$2; shift; shift ;;
    --no-*) declare -g "flag_\${1#--no-}=0"; shift ;;
    --) shift; ${random.pick(['break', 'rest+=("$@"); break', 'set -- "$@"; break'])} ;;
    -?*) echo "unknown option: $1" >&2; return ${1 + random.below(3)} ;;
    *) rest+=("$1"); shift ;;
  esac
done`
}

function byGetopts(random: Random): string {
  return `local OPTIND=1 opt
while getopts '${random.pick(['', ':'])}vo:n:h${random.pick(['', 'abc', '-:'])}' opt${random.pick([' "$@"', ''])}; do
  case $opt in
    v) ((verbose += 1)) ;;
    o) out=$OPTARG ;;
    n) count=$((OPTARG + 0)) ;;
    h) usage; return 0 ;;
    -) rest+=("long:$OPTARG") ;;
    :) echo "missing for $OPTARG"; return 2 ;;
    ${random.pick(['\\?', "'?'", '*'])}) echo "bad \${OPTARG-} $opt"; return 3 ;;
  esac
done 2>/dev/null
shift $((OPTIND - 1))
rest+=("$@")`
}

export function optionLoop(random: Random): string {
  const given = times(random, 5, 0, () => random.pick([...options, word(random)])).join(' ')
  return `verbose=0 out= count=1 rest=()
usage() { cat <<${random.pick(['END', "'END'"])}
usage: \${0##*/} [-v] $out \${#rest[@]}
END
}
parse() {
${random.pick([byCase, byGetopts])(random)}
${random.pick(['', 'rest+=("$@")', 'set -- "${rest[@]}"; echo "now $#"'])}
}
parse ${given}
echo "$? $verbose [$out] $count \${#rest[@]} \${flag_color-}" "\${rest[@]}"`
}

const body = (random: Random): string =>
  random.pick([
    'echo "$1:${2-none}"',
    'printf "%s|" "$@"; echo',
    'local n=$#; echo "n=$n"; return $((n % 3))',
    'local -a list=("$@"); list+=(end); echo "${list[@]: -1}"',
    '[[ -n ${1-} ]] || return 4; echo "has $1"',
    'local IFS=,; echo "$*"',
    'while (($# > 1)); do shift; done; echo "last ${1-}"',
    'local x=${1-} y; y=$(echo "$x" | tr a-z A-Z); echo "$y"',
    'case ${1-} in -*) return 2;; "") return 3;; *) echo "arg $1";; esac',
    'cat "${1-}" 2>/dev/null | head -n 2',
    'local -r fixed=${1-}; echo "${fixed^}"',
    'echo "${FUNCNAME[0]} < ${FUNCNAME[1]-top}"',
    'set -- "$@" added; echo "$#"',
    'local status=0; false || status=$?; echo "s$status"',
    'trap "echo left" RETURN; echo body; trap - RETURN',
    'read -r a b <<< "$*"; echo "$b,$a"',
    'mapfile -t m < <(printf "%s\\n" "$@"); echo "${#m[@]}:${m[0]}"',
    'local -A seen=(); for w; do [[ -v seen["k$w"] ]] && continue; seen["k$w"]=1; done; echo "${#seen[@]}"',
    'local -n to=target; to+=("${1-}"); echo "${#target[@]}"',
    'printf -v made "%s-%s" "${1-}" x; echo "$made"',
    'local f; for f in *.txt; do [[ $f == ${1-}* ]] && echo "$f"; done; return 0',
    'cat <<E\n${1-} of $#: $(( $# * 2 ))\nE',
    'local out; if ! out=$(grep -c a "${1-none}" 2>&1); then echo "none"; fi',
    'select c in a b; do echo "$c"; break; done <<< 2 2>/dev/null',
    '{ echo out; echo err >&2; } 2>/dev/null',
    'shopt -s nullglob; local n=(none*); echo "${#n[@]}"; shopt -u nullglob',
  ])

function call(random: Random, name: string): string {
  return random.pick([
    `${name} ${words(random, 3)}`,
    `${name} ${words(random, 2)} || echo "failed $?"`,
    `if ${name} ${words(random, 2)}; then echo ok; else echo "no $?"; fi`,
    `r=$(${name} ${words(random, 2)}); echo "$? <$r>"`,
    `${name} ${words(random, 3)} | ${random.pick(['cat -A', 'wc -l', 'sort', 'tr a-z A-Z', "sed 's/^/> /'"])}`,
    `for i in ${words(random, 3)}; do ${name} "$i" "$@"; done`,
    `${name} "\${args[@]}"`,
    `( ${name} ${words(random, 2)}; exit 7 ); echo "sub $?"`,
    `while IFS= read -r l; do ${name} "$l" < /dev/null; done < ${file(random)}`,
    `${name} < ${file(random)}`,
    `! ${name} ${words(random, 1)}; echo "not $?"`,
    `X=${word(random)} ${name} "\${X-}"`,
    `"${name}" ${words(random, 2)} && echo yes`,
    `export -f ${name}; bash -c '${name} "$@"; echo "child $?"' _ ${words(random, 2)}`,
    `declare -f ${name} | head -n 3`,
    `type -t ${name}; unset -f ${name}; ${name} 2>/dev/null; echo "$?"`,
  ])
}

export function program(random: Random): string {
  const names = ['build', 'check', 'report'].slice(0, 1 + random.below(3))
  const functions = names.map(
    name => `${random.pick([`${name}()`, `function ${name}`, `function ${name}()`])} {\n  ${body(random)}\n  ${body(random)}\n}`,
  )
  const header = random.pick(['', '', 'set -e', 'set -u', 'set -euo pipefail', 'set -o pipefail', 'set -E', "IFS=$'\\n\\t'"])
  const trap = random.pick([
    '',
    '',
    '',
    'trap \'echo "exit $?"\' EXIT',
    'trap \'echo "err $?"\' ERR',
    'set -E; trap \'echo "err ${FUNCNAME[0]-main} $?"\' ERR',
    "trap 'echo D' DEBUG; trap - DEBUG",
    'set -T; trap \'echo "ret $?"\' RETURN',
  ])
  const start = `target=() args=(${words(random, 3)}); set -- p 'q r'`
  return [header, trap, start, ...functions, ...times(random, 5, 2, () => call(random, random.pick(names)))]
    .filter(Boolean)
    .join('\n')
}

/** Recipes of make, steps of a continuous integration, and scripts of package.json. */
export function steps(random: Random): string {
  return random.pick([
    `set -euo pipefail\nVERSION=$(jq -r .name data.json)-$(wc -l < a.txt | tr -d ' ')\nmkdir -p dist && cp -r src/. dist/\nfind dist -name '*.md' -delete\nprintf '{"version":"%s","files":%d}\\n' "$VERSION" "$(find dist -type f | wc -l)" > dist/meta.json\njq -c . dist/meta.json\n(cd dist && find . -type f | sort | xargs wc -c | tail -n 1)`,
    `for f in $(find src -name '*.js' | sort); do grep -q ${random.pick(['export', 'TODO', 'import', 'zzz'])} "$f" && echo "yes $f" || { echo "no $f"; status=1; }; done; (exit \${status:-0}); echo $?`,
    `test -d node_modules || echo "install"; [ -f data.json ] && jq -e '.${random.pick(['name', 'none', 'tags[0]', 'deep.k'])}' data.json > /dev/null; echo $?; rm -rf dist build && mkdir build; cp *.txt build/ && ls build | wc -l`,
    `log() { printf '[%s] %s\\n' "$1" "\${*:2}"; }\ndie() { log error "$@" >&2; exit ${1 + random.below(4)}; }\nstep() { log run "$*"; "$@" || die "failed: $*"; }\nstep mkdir -p out\nstep cp ${file(random)} out/\nstep ${random.pick(['ls out', 'cat out/none', 'test -s out/a.txt', 'true', 'grep -c a a.txt'])}\nlog done`,
    `backup() { local n=3 i; for ((i = n - 1; i >= 1; i--)); do [[ -e $1.$i ]] && mv -- "$1.$i" "$1.$((i + 1))"; done; [[ -e $1 ]] && cp -p -- "$1" "$1.1"; return 0; }\nfor v in ${words(random, 4, 1)}; do backup a.txt; printf '%s\\n' "$v" >> a.txt; done; wc -l a.txt*; ls a.txt*`,
    `while IFS='=' read -r key value; do [[ $key =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || continue; value=\${value%\\"}; value=\${value#\\"}; export "$key=$value"; done <<'ENV'\n# comment\nNAME="${random.pick(['a b', 'x', '$HOME', ''])}"\nPORT=${plainNumber(random)}\n1BAD=2\nURL=http://h/?a=b=c\nENV\nenv | grep -E '^(NAME|PORT|URL)=' | sort`,
    `render() { local t k; t=$(cat); for k in "\${!vars[@]}"; do t=\${t//"{{$k}}"/"\${vars[$k]}"}; done; printf '%s\\n' "$t"; }\ndeclare -A vars=([name]=${word(random)} [n]=${plainNumber(random)})\nrender <<'T'\nHello {{name}}, {{n}} & {{none}}\nT`,
    `declare -A count=(); while read -r _ _ level rest; do [[ $level ]] || continue; count[$level]=$((\${count[$level]:-0} + 1)); done < log.txt; for l in "\${!count[@]}"; do printf '%-6s %3d\\n' "$l" "\${count[$l]}"; done | sort -k2,2nr -k1,1`,
    `awk -F, 'NR > 1 { sum[$2] += $3; n++ } END { for (k in sum) printf "%s\\t%.1f\\n", k, sum[k] / ${1 + random.below(3)}; print n }' data.csv | sort; awk '/${random.pick(['ERROR', 'WARN', 'INFO', 'x'])}/ { c++ } END { print c + 0; exit (c > 1) }' log.txt; echo $?`,
    `find . -type f -name '*.${random.pick(['txt', 'js', 'none'])}' -print0 | sort -z | { n=0; while IFS= read -r -d '' f; do n=$((n + 1)); new=\${f%.*}_$n.\${f##*.}; mv -- "$f" "$new"; echo "\${f#./} -> \${new##*/}"; done; echo "n=$n"; }; ls`,
    `cat > conf.ini <<'INI'\n[main]\nname = ${value(random).replaceAll('\n', '_')}\n; note\n[other]\nname=second\nINI\nget() { sed -n "/^\\[$1\\]/,/^\\[/{s/^$2 *= *//p}" conf.ini | head -n 1; }; echo "$(get main name)|$(get other name)|$(get none x)"; sed -i '/^\\[main\\]/,/^\\[/s/^name.*/name = new/' conf.ini; cat conf.ini`,
    `pass=0 fail=0; t() { local want=$1 got; shift; got=$("$@" 2>&1); if [[ $got == "$want" ]]; then ((++pass)); else ((++fail)); printf 'FAIL %s: want %q got %q\\n' "$*" "$want" "$got"; fi; }; t a echo a; t ${word(random)} printf '%s' ${word(random)}; t '' true; t 3 wc -l < a.txt; echo "$pass passed, $fail failed"; ((fail == 0))`,
    `tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT; cp ${file(random)} "$tmp/x"; (cd "$tmp" && ${random.pick(['sort x | uniq -c | sort -rn | head -n 2', 'wc x | tr -s " "', 'gzip x && gunzip -c x.gz | tail -n 1', 'sed -i "1d" x; cat x', 'split -l 1 x p; ls | wc -l'])})`,
    `set -- ${random.pick(['major', 'minor', 'patch', ''])} 1.2.3; IFS=. read -r a b c <<< "\${2-0}"; case $1 in major) v=$((a + 1)).0.0;; minor) v=$a.$((b + 1)).0;; *) v=$a.\${b:-0}.$((\${c:-0} + 1));; esac; echo "v$v"; printf '%s\\n' 1.10.0 1.9.0 "$v" 1.2 | sort -V | tail -n 1; [[ "$(printf '%s\\n' 1.9 1.10 | sort -V | head -n 1)" == 1.9 ]] && echo older`,
    `diff -u a.txt <(sed 's/${random.pick(['a', 'beta', 'z'])}/X/' a.txt) | sed 1,2d; comm -23 <(sort -u a.txt) <(sort -u b.txt | cut -d' ' -f1); join -a1 <(sort a.txt) <(sort b.txt)`,
    `test -z "$CI" && echo local; : "\${TARGET:=release}" "\${JOBS:=2}"; echo "$TARGET-$JOBS"; { echo '#!/bin/bash'; echo 'echo "run $*"; exit ${random.below(4)}'; } > run && chmod +x run && ./run ${words(random, 2)} || echo "exit $?"`,
    `p=${word(random)}; for f in *; do [[ $f == $p || $f == ${pattern(random).replaceAll(' ', '\\ ')} ]] && echo "$f"; done; xargs -n 2 < a.txt; xargs -I{} sh -c 'echo "[{}]"' < a.txt | paste -sd' '`,
  ])
}
