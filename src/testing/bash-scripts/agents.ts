// What coding agents write to look through a project: reports, counts, tables, option loops, descriptors and child shells.

import type { Random } from '../random.ts'
import { pattern, plainNumber, times, word, words } from './words.ts'

const file = (random: Random): string =>
  random.pick(['a.txt', 'b.txt', 'nonl.txt', 'num.txt', 'tab.tsv', 'words.txt', 'data.csv', 'log.txt', 'crlf.txt', 'empty'])

/** Associative arrays as they are walked, without sorting. */
export function counted(random: Random): string {
  const key = (): string => word(random)
  return random.pick([
    `declare -A n; for w in $(cat ${file(random)}); do ((n[x$w]++)); done 2>/dev/null; for k in "\${!n[@]}"; do echo "$k=\${n[$k]}"; done`,
    `declare -A m; while IFS=, read -r id name rest; do m[$name]=$id; done < data.csv; echo "\${!m[@]}" "\${m[@]}"; declare -p m`,
    `declare -A m=([a]=1 [k${plainNumber(random)}]=2); for k in ${words(random, 4)}; do [[ -n $k ]] && m[$k]+="x"; done; echo "\${#m[@]}" "\${!m[@]}"; unset "m[a]"; echo "\${m[*]}"`,
    `declare -A seen; for f in ${words(random, 5)} ${key()}; do [[ \${seen["k$f"]+set} ]] && { echo "twice: $f"; continue; }; seen["k$f"]=1; done; echo "\${#seen[@]}"`,
    `declare -A m; for w in {a..${random.pick(['e', 'k', 'z'])}}; do m[$w]=\${#m[@]}; done; echo "\${!m[@]}"; printf '%s ' "\${m[@]}"; echo; echo "\${m[@]@K}"`,
    `declare -A by; while read -r first second _; do by[\${first:-none}]+="\${second},"; done < ${file(random)}; for k in "\${!by[@]}"; do printf '%-8s|%s\\n' "$k" "\${by[$k]%,}"; done`,
  ])
}

export function lines(random: Random): string {
  return random.pick([
    `mapfile -t rows < ${file(random)}; echo "\${#rows[@]}"; printf '[%s]' "\${rows[@]:${random.below(3)}:${1 + random.below(3)}}"; echo; echo "\${rows[-1]-}" "\${rows[0]-}"`,
    `readarray -d ${random.pick(['a', ',', "''", "$'\\n'"])} -t parts < ${file(random)}; printf '<%s>' "\${parts[@]}"; echo`,
    `mapfile -t -s ${random.below(3)} -n ${random.below(3)} -O ${random.below(3)} part < ${file(random)}; declare -p part`,
    `IFS=${random.pick(["','", "':'", "' '", "$'\\t'", "', '"])} read -r${random.pick(['', 'a'])} ${random.pick(['one two rest', 'one', 'one two'])} <<< ${word(random)}; echo "[$one][\${two-}][\${rest-}]\${#one[@]}"`,
    `while read -r -n ${1 + random.below(4)} part; do printf '<%s>' "$part"; done < ${file(random)}; echo`,
    `while IFS= read -r line || [[ -n $line ]]; do [[ $line =~ ${random.pick(['[0-9]+', '^([a-z]+)', '(.)\\1*$', 'ERROR|WARN', '^$', '\\.', '[[:space:]]+([^ ]*)'])} ]] && echo "\${BASH_REMATCH[@]}" || echo "-"; done < ${file(random)}`,
    `i=0; while read -r x; do lines[i++]=$x; done < ${file(random)}; for ((j=\${#lines[@]}-1; j>=0; j--)); do echo "$j:\${lines[j]}"; done`,
    `while read -r key value; do case $key in ${pattern(random).replaceAll(' ', '\\ ')}) echo "p $value";; [a-m]*) echo "low $key";; *[0-9]*) echo "digit $key" ;;& *) echo "any \${key@Q}";; esac; done < ${file(random)}`,
    `sum=0; while read -r n; do [[ $n =~ ^-?[0-9]+$ ]] || continue; sum=$((sum + n)); done < num.txt; echo "$sum"`,
    `{ read -r header; while IFS=, read -r id name n; do printf '%s\\t%s\\n' "$name" "\${n:-0}"; done; } < data.csv | sort -t $'\\t' -k2,2nr`,
    `exec 7< ${file(random)}; while read -r -u 7 a; do echo "7:$a"; read -r b <&7 && echo "8:$b"; done; exec 7<&-`,
  ])
}

export function namesAndTypes(random: Random): string {
  const value = word(random)
  return random.pick([
    `declare -i n=${plainNumber(random)}; n+=5; n=n*2; echo $n; declare -p n`,
    `declare -l low=${value}; declare -u up=${value}; echo "$low|$up"; declare -p low up`,
    `target=${value}; declare -n ref=target; ref+=x; echo "$target \${!ref}"; f() { local -n out=$1; out=(${words(random, 3)}); }; f result; declare -p result`,
    `declare -r fixed=${value}; (fixed=1) 2>/dev/null; echo $?; declare -p fixed; readonly -p | grep -c fixed`,
    `declare -a list=(${words(random, 4)}); declare -p list; echo "\${list[@]@Q}" "\${list[@]@A}"; list+=(${value}); echo "\${#list[@]}" "\${!list[@]}"`,
    `v=${value}; printf '%q|' "$v" "\${v@Q}"; echo; declare -x v; declare -p v; bash -c 'printf "[%s]" "$v"'; echo`,
    `x=${value}; name=x; echo "\${!name}" "\${!name:-d}" "\${!name/a/A}"; printf -v "$name" '%s-%d' new ${plainNumber(random)}; echo "$x"`,
    `set -- ${words(random, 4)}; args=("$@"); printf '<%s>' "\${args[@]/#/pre}" "\${@/%/post}" "\${args[@]//a/}"; echo "\${#args[@]}" "\${@: -1}" "\${*:2:1}"`,
    `unset u; echo "\${u-a}" "\${u:-b}" "\${u+c}" "\${u:+d}"; u=; echo "\${u-a}" "\${u:-b}" "\${u+c}" "\${u:+d}"; echo "\${u:=${random.pick(['e', '"f g"', '$HOME'])}}" "$u"`,
    `f() { local a=1; g; echo "f $a \${b-none}"; }; g() { a=2; local b=3; declare -g top=4; }; f; echo "\${a-gone} \${top}"`,
    `shopt -s extglob; v=${value}; echo "\${v##+([a-z])}|\${v%%@(b|c|*.gz)}|\${v//!(a)/_}|\${v/?(x)*([0-9])/#}|\${v#*([[:space:]])}"`,
  ])
}

export function expressions(random: Random): string {
  const number = (): string => random.pick([plainNumber(random), '0x1F', '017', '2#1011', '36#z', '16#ff', 'n', 'k', '(n+k)'])
  const operator = (): string =>
    random.pick(['+', '-', '*', '/', '%', '**', '<<', '>>', '&', '|', '^', '<', '>=', '==', '!=', '&&', '||'])
  const once = (): string => `${number()} ${operator()} ${number().replace(/^-/, '')}`
  return `n=${plainNumber(random)} k=${1 + random.below(9)}\n${times(random, 4, 1, () =>
    random.pick([
      `echo $(( ${once()} )) 2>/dev/null`,
      `(( ${once()} )) && echo yes || echo no`,
      `echo $(( ${once()} ? n++ : --k )) $n $k`,
      `let "r = ${once()}" 2>/dev/null; echo "$? \${r-}"`,
      `(( n ${random.pick(['+=', '-=', '*=', '|=', '&=', '^=', '<<='])} ${random.below(5)}, k++ )); echo $? $n $k`,
      `for ((i=0, j=${random.below(5)}; i<=j; i++, j--)); do printf '%d,%d ' i j 2>/dev/null || printf '%d,%d ' $i $j; done; echo`,
      `a=(3 1 2); echo $(( a[n % 3 < 0 ? 0 : n % 3] + a[k % 3] )) $(( a[0]++ )) "\${a[@]}"`,
      `printf '%s ' $(( ~n )) $(( !n )) $(( -n )) $(( +k )) $(( n , k ))`,
    ]),
  ).join('\n')}`
}

export function children(random: Random): string {
  const code = random.below(6)
  return random.pick([
    `bash -c 'set -e; echo "$0 $#"; false || true; exit ${code}' name ${words(random, 3)}; echo $?`,
    `printf '%s\\n' 'set -euo pipefail' 'for f in "$@"; do [[ -e $f ]] || { echo "no $f" >&2; exit ${code}; }; wc -l < "$f"; done' > t.sh; bash t.sh a.txt b.txt; echo $?; bash t.sh a.txt none 2>&1; echo $?`,
    `trap 'echo "end $?"' EXIT; trap 'echo "err $?"' ERR; ${random.pick(['false', '(exit 3)', 'f() { return 4; }; f', 'true | false', 'x=$(exit 5)'])}; echo next; exit ${code}`,
    `cleanup() { echo "clean $1"; rm -f tmp.x; }; trap 'cleanup done' EXIT; echo x > tmp.x; [ -f tmp.x ] && echo made; (trap - EXIT; exit ${code}); echo $?`,
    `(cd src && ls | head -n 2; exit ${code}) && echo ok || echo "failed $?"; pwd | sed 's|.*/||'`,
    `{ (exit ${code}); echo "in $?"; } | cat; echo "\${PIPESTATUS[@]}"; if ! (exit ${code}); then echo "not $?"; fi`,
    `for i in 1 2 3; do { sleep 0.0$i; exit $i; } & pids[i]=$!; done; for i in 1 2 3; do wait "\${pids[i]}"; echo "$i $?"; done`,
    `out=$(bash -c 'echo out; echo err >&2; exit ${code}' 2>err.txt); echo "$? $out $(cat err.txt)"`,
    `export A=${word(random)}; env B=2 sh -c 'printf "%s|%s\\n" "$A" "$B"'; A=local bash -c 'echo "$A"'; echo "$A"`,
    `while getopts ':o:vh' opt ${words(random, 3)} -v -o ${word(random)} -x; do case $opt in o) echo "o=$OPTARG";; v) echo v;; h) echo h;; :) echo "need $OPTARG";; '?') echo "bad $OPTARG";; esac; done; echo $OPTIND`,
    `exec {log}> log.out; echo one >&$log; { echo two; echo three >&2; } >&$log 2>&1; exec {log}>&-; cat log.out; diff <(sort log.out) <(printf '%s\\n' one three two) && echo same`,
    `f() { echo "$1"; return $1; }; f ${code} && echo yes || echo "no $?"; if f 0 > /dev/null; then echo quiet; fi; x=$(f ${code}) || echo "sub $? $x"`,
    `select c in ${words(random, 3, 1)}; do echo "$REPLY:$c"; break; done <<< ${1 + random.below(4)} 2>/dev/null; echo $?`,
    `set -o pipefail; grep -c ${random.pick(['a', 'zzz', 'ERROR'])} ${file(random)} | tr -d ' '; echo $?; ${random.pick(['cat none', 'false', 'true'])} 2>/dev/null | sort | head -n 1; echo "\${PIPESTATUS[*]}"`,
  ])
}

export function reports(random: Random): string {
  return random.pick([
    `awk '{c[$${1 + random.below(3)}]++} END{for (k in c) print c[k], k}' ${file(random)} | sort -k1,1nr -k2`,
    `sort ${file(random)} | uniq -c | sort -rn | head -n ${1 + random.below(4)}`,
    `grep -n '' ${file(random)} | ${random.pick(['cut -d: -f1', 'tail -n 2', "sed 's/:/ -> /'", 'sort -t: -k2', "awk -F: '{print $2, $1}'", 'head -c 20', 'column -t -s:', 'nl -w2', 'tac', 'rev', 'paste -sd,', "xargs -I{} echo '[{}]'"])} 2>&1`,
    `find . -type f -name '*.${random.pick(['txt', 'js', 'csv'])}' -printf '%f %s\\n' | sort -k2,2n -k1,1`,
    `find . -type f ! -path './.*' ! -name '*.tgz' -exec ${random.pick(['wc -c', 'head -n 1', 'grep -l a', 'basename -a', 'md5sum'])} {} + | sort`,
    `find src -name '*.js' -exec sh -c 'for f; do echo "$(wc -l < "$f") $f"; done' _ {} + | sort`,
    `for f in src/*.js src/**/*.js; do [ -f "$f" ] || continue; sed -i 's/${random.pick(['const', 'export', 'x'])}/${random.pick(['let', '&&', '\\U&'])}/g' "$f"; done; grep -rn '' src --include='*.js' | sort`,
    `cut -d${random.pick(["','", "' '"])} -f${random.pick(['1', '2-', '1,3', '-2'])} ${file(random)} | sort -u | ${random.pick(['wc -l', 'paste -sd" "', 'tr a-z A-Z', 'head -n 2', 'cut -c1-3', 'comm -12 - <(sort -u a.txt)'])}`,
    `awk -F, 'NR>1 {s+=$3; n++} END {printf "%d rows, mean %.2f\\n", n, n ? s/n : 0}' data.csv; awk -F, -v OFS='\\t' '{$1=$1} 1' data.csv`,
    `jq -r '.items[] | [.id, .n] | @tsv' data.json | while IFS=$'\\t' read -r id n; do echo "$id -> $((n * 2))"; done`,
    `jq ${random.pick(["'.items | map(select(.n > 1)) | length'", "-c '.items | sort_by(.n) | map(.id)'", "-c 'del(.deep) | keys'", '-r \'.items | group_by(.n > 2)[] | map(.id) | join("+")\'', "-c '.items |= map(.n *= 10)'", "-c --argjson k 2 '[.items[] | .n + $k]'", '-r \'to_entries[] | "\\(.key)=\\(.value|type)"\'', '-c \'[paths(scalars) | join("."; tostring)]\' 2>/dev/null'])} data.json; echo $?`,
    `seq ${1 + random.below(20)} | ${random.pick(['xargs -n 3', "xargs -I% echo '%-%'", 'paste - - -', 'split -l 2 - part.; cat part.*', "awk 'NR%3==0'", "sed -n '2~3p'", 'head -n -2', 'tail -n +3', 'shuf | sort -n | tail -n 1', 'tac | head -n 2', "sed '$!N;s/\\n/ /'", 'nl -ba -w1 -s.', 'fold -w2', 'tr "\\n" ,'])}`,
    `diff ${random.pick(['', '-u', '-q', '-y -W 30'])} <(head -n ${1 + random.below(3)} ${file(random)}) <(tail -n ${1 + random.below(3)} ${file(random)}) | tail -n +3; echo "\${PIPESTATUS[0]}"`,
    `cp -r src copy; sed -i '1s/^/\\/\\/ head\\n/' copy/main.js; diff -ru src copy | grep '^[-+][^-+]'; rm -r copy; ls`,
    `printf '%-10s %5s\\n' name n; while IFS=, read -r _ name n; do printf '%-10s %5s\\n' "$name" "$n"; done < data.csv`,
    `stat -c '%n %s' *.txt | sort -k2,2n | tail -n 3; du -ab src/lib | sort -k2; wc -lwc *.txt | tail -n 1`,
    `tar czf s.tgz src && mkdir out && tar xzf s.tgz -C out --strip-components=1 && find out -type f | sort && tar tzf s.tgz | wc -l`,
    `date -u -d '2024-0${1 + random.below(9)}-1${random.below(9)} ${random.pick(['', '+1 day', '-1 week', '12:30', 'next month', '+36 hours'])}' '+%F %a %j %T %s'`,
    `sed -n '/${random.pick(['INFO', 'ERROR', 'b', '^2'])}/,/${random.pick(['WARN', 'ERROR', 'net', '$'])}/{=;p}' ${file(random)}; sed -E '${random.pick(['s/([a-z]+) ([a-z]+)/\\2 \\1/', '/^$/d;s/^/> /', 'y/abc/xyz/', '1!G;h;$!d', '$!{N;P;D}', 's/[0-9]+/<&>/2g', '/a/{s//A/;t;d}'])}' ${file(random)}`,
  ])
}
