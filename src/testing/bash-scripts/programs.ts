// The programs that scripts call: filters in a row, sed, awk, jq, grep, find, tar, and what they do to files.

import type { Random } from '../random.ts'
import { times, word } from './words.ts'

const textFile = (random: Random): string =>
  random.pick([
    'a.txt',
    'b.txt',
    'nonl.txt',
    'data.csv',
    'log.txt',
    'log.txt',
    'words.txt',
    'crlf.txt',
    'empty',
    'src/main.js',
    'num.txt',
    'tab.tsv',
  ])

function filter(random: Random): string {
  const n = random.below(5)
  return random.pick([
    `head -n ${n}`,
    `head -n -${n}`,
    `head -c ${n * 4}`,
    `tail -n ${n}`,
    `tail -n +${n}`,
    'sort',
    'sort -r',
    'sort -u',
    'sort -n',
    'sort -rn',
    `sort -k${n + 1}`,
    `sort -t, -k${(n % 3) + 1},${(n % 3) + 1}${random.pick(['', 'n', 'r', 'nr'])}`,
    'sort -V',
    'sort -h',
    'sort -f',
    'sort -s -k1,1',
    'uniq',
    'uniq -c',
    'uniq -d',
    'uniq -u',
    'uniq -i',
    'sort | uniq -c | sort -rn -k1,1 -k2',
    `cut -d, -f${(n % 3) + 1}`,
    `cut -d' ' -f${n + 1}`,
    `cut -c${n + 1}-${n + 4}`,
    'cut -f2-',
    "cut -d: -f1,3 --output-delimiter='|'",
    "cut -s -d' ' -f2",
    "tr 'a-z' 'A-Z'",
    "tr -d '0-9'",
    "tr -s ' '",
    "tr ' ' '\\n'",
    "tr -cd 'a-z\\n'",
    "tr '[:lower:]' '[:upper:]'",
    "tr -d '\\r'",
    'wc -l',
    'wc -w',
    'wc',
    'rev',
    'tac',
    'nl',
    'nl -ba -w3 -s:',
    'cat -n',
    'cat -A',
    'cat -s',
    `fold -w ${n + 5}`,
    `fold -s -w ${n + 8}`,
    'paste -sd,',
    'paste - -',
    'paste -d: - -',
    'column -t',
    'column -t -s,',
    'expand -t4',
    'unexpand -a',
    'fmt -w 20',
    'od -c',
    'od -An -tx1',
    'xxd',
    'base64',
    'md5sum',
    'sha256sum',
    'sha1sum',
    'cksum',
    `grep ${random.pick(['a', '-v a', '-c e', '-n o', '-i ERROR', "-E '^[a-z]+'", "-o '[0-9]\\+'", "-oE '[a-z]+@[a-z.]+'", '-w a', '-A1 -B1 e', "-E 'a|e'", "-vE '^$|^#'", "-P '\\d+'", '-F .', "-oP '(?<==)\\w+'", '-m1 a', "-x 'beta'"])}`,
    `sed ${sedProgram(random)}`,
    `sed -n ${random.pick(["'2,3p'", "'/a/p'", "'$='", "'$p'", "'1!p'", "'/alpha/,/gamma/p'", "'s/a/b/gp'", "'2{p;q}'"])}`,
    `awk ${awkProgram(random)}`,
    `xargs -n${n + 1} echo`,
    'xargs',
    `while read -r l; do echo "\${#l}"; done`,
    'tee copy',
    'shuf | sort',
    `split -l 2 - part_ && ls part_* && cat part_*`,
    'strings',
    'comm -12 - <(sort a.txt) 2>/dev/null',
    'join - <(sort b.txt) 2>/dev/null',
    "sed 's/.*/\"&\"/' | paste -sd, | sed 's/^/[/;s/$/]/'",
  ])
}

function sedProgram(random: Random): string {
  const address = (): string =>
    random.pick(['', '', '', '1', '$', '2,3', '/a/', '/a/,/e/', '0~2', '1!', '/^#/', '2,$', '/e/I', '$!'])
  const command = (): string =>
    random.pick([
      's/a/X/',
      's/a/X/g',
      's/[aeiou]/<&>/2',
      's/\\([a-z]*\\) \\([a-z]*\\)/\\2 \\1/',
      's/^/> /',
      's/$/;/',
      's/  */ /g',
      's|/|:|g',
      's/.*/\\U&/',
      's/\\b\\(.\\)/\\u\\1/g',
      's/[0-9]\\+/(&)/g',
      's/e/\\n/',
      's/\\t/TAB/g',
      's/a/b/w out',
      'd',
      'p',
      'q',
      '=',
      'N;s/\\n/+/',
      'G',
      'H;$!d;x',
      'y/abc/xyz/',
      'a\\\nadded',
      'i inserted',
      'c changed',
      'n;d',
      '{s/a/1/;s/b/2/}',
      ':a;s/aa/a/;ta',
      'l',
      'x;p;x',
      's/\\(.\\)\\1/[\\1]/',
      '$!N;P;D',
      's/[^,]*,//2',
    ])
  const program = times(random, 2, 1, () => address() + command()).join('\n')
  const flags = random.pick(['', '', '', '-E ', '-n '])
  const written = flags === '-E ' ? program.replaceAll('\\(', '(').replaceAll('\\)', ')').replaceAll('\\+', '+') : program
  return `${flags}'${written}'`
}

function awkProgram(random: Random): string {
  const separator = random.pick(['', '', '', '-F, ', "-F'[ ,]' ", "-F'\\t' ", '-v n=2 '])
  const program = random.pick([
    '{print $1}',
    '{print $NF, NF, NR}',
    'NR==2',
    'NR>1{s+=length($3)} END{print s}',
    'NR>1{s+=length($3)} END{if (NR>1) printf "%.2f %d\\n", s/(NR-1), NR}',
    '/a/{c++} END{print c+0}',
    '{n[$1]++} END{for(k in n) print k, n[k] | "sort"}',
    '{$2="X"; print}',
    '{print length($0), toupper($1)}',
    'BEGIN{OFS="-"}{$1=$1; print}',
    '{gsub(/[aeiou]/,"#"); print}',
    '{print substr($0,2,4), index($0,"a")}',
    'BEGIN{for(i=0;i<3;i++) printf "%d ", i; print ""}',
    '{split($0,p,/[ ,]/); print p[1], p[2]}',
    'NR%2{print; next}{print "-" $0}',
    '$1 ~ /^[a-m]/ && NF>1',
    '!seen[$1]++',
    'END{print NR, $0}',
    '{a[NR]=$0} END{for(i=NR;i>0;i--) print a[i]}',
    'match($0,/[0-9]+/){print RSTART, RLENGTH, substr($0,RSTART,RLENGTH)}',
    '{printf "%-10s|%5s|\\n", $1, $2}',
    'BEGIN{x["a"]=1; delete x["a"]; print length(x)} {print ($1 > "b") ? "gt" : "le"}',
    '{ sub(/^[ \\t]+/, ""); print NR ": " $0 }',
    '$3 > 4 {print $2}',
    'BEGIN { printf "%s %c %5.1f %x %e\\n", "s", 65, 3.14159, 255, 12345.678 }',
    '/alpha/,/gamma/',
    '{ while (match($0, /o/)) { n++; $0 = substr($0, RSTART+1) } } END { print n+0 }',
    'function f(x) { return x*2 } { print f(NF) }',
    '{ $0 = tolower($0); print $1 } NR == 3 { exit 2 }',
  ])
  return `${separator}'${program}'`
}

function jqProgram(random: Random): string {
  return random.pick([
    '.',
    '-c .',
    '-r .name',
    '.items[0]',
    '-r ".items[].id"',
    "-c '.items[] | select(.n > 2)'",
    "'.items | length'",
    "-c '.items | map(.n) | add'",
    '\'.tags | join("-")\'',
    '-r \'.items[] | "\\(.id): \\(.n)"\'',
    "-c 'keys'",
    "-c '.items |= map(.n += 1)'",
    "-c 'del(.items[0])'",
    '\'.missing // "none"\'',
    '-e .missing',
    "-c '.a.b = 1'",
    "-r '.items[] | [.id, .n] | @csv'",
    "-r '.items[] | [.id, .n] | @tsv'",
    "-c 'to_entries | map(.key)'",
    "-c '.items | group_by(.n > 2) | map(length)'",
    "-c '[.items[].n] | sort | reverse'",
    "-c '.items | sort_by(-.n) | .[0]'",
    '-c \'.tags + ["z"]\'',
    "-c '[paths]'",
    '-r \'.name | ascii_upcase, length, test("^a")\'',
    "--arg v 7 -c '{v: $v, n: ($v|tonumber)}'",
    "-c 'reduce .items[] as $i (0; . + $i.n)'",
    '-c \'[.items[] | if .n > 2 then "big" else "small" end]\'',
    '-S -c .',
    '-c \'with_entries(select(.value | type == "string"))\'',
    "'.items[5].id'",
    "'.name.x'",
    "-c '.items | first, last'",
    '-c \'[.tags[] | split("") | first]\'',
    "-c '[limit(1; .items[])]'",
    "-c '.items | map({(.id): .n}) | add'",
    "-c 'any(.items[]; .n == 3), all(.items[]; .n > 0)'",
    "-r '.tags | @json, @html, @sh'",
    '-c \'[range(0;10;3)], ("a,b" | split(","))\'',
    '-c \'.tags | index("y"), contains(["x"]), unique\'',
    "-c '. as {name: $n, tags: [$t]} | [$n, $t]'",
    '-c \'try error("x") catch .\'',
    "-c '[.. | numbers]'",
    "-c 'tostream' | head -n 3",
    '-n "[1,2,3] | .[1:]"',
    '--tab . | head -n 3',
    '-s -c length',
    '-R -c . < a.txt',
  ])
}

export function pipeline(random: Random): string {
  const input = random.chance(0.8)
    ? `cat ${textFile(random)}`
    : `printf '%s\\n' ${times(random, 4, 1, () => word(random)).join(' ')}`
  return [input, ...times(random, 3, 1, () => filter(random))].join(' | ')
}

export function textPrograms(random: Random): string {
  return random.pick([
    () => `sed ${sedProgram(random)} ${textFile(random)}`,
    () => `sed ${sedProgram(random)} ${textFile(random)} ${textFile(random)}`,
    () => `sed -i${random.pick(['', '.bak'])} 's/a/A/${random.pick(['', 'g'])}' ${textFile(random)}; cat a.txt; ls`,
    () => `awk ${awkProgram(random)} ${textFile(random)}`,
    () => `awk ${awkProgram(random)} ${textFile(random)} ${textFile(random)}; echo $?`,
    () => {
      const program = jqProgram(random)
      return program.includes('|') && /\| head|< a/.test(program.slice(-12))
        ? `jq ${program.replace(/ (\| head.*|< a.txt)$/, ' data.json $1').replace('data.json < a.txt', '< a.txt')}; echo $?`
        : `jq ${program} data.json; echo $?`
    },
    () =>
      `x=$(jq -r .name data.json); n=$(jq '.items|length' data.json); echo "$x has $n"; jq '.name="new"' data.json > t && mv t data.json; cat data.json`,
    () =>
      `grep ${random.pick(['-n', '-c', '-l', '-h', '-H', '-v', '-i', '-w', '-L', '-o'])} ${random.pick(['a', 'error', "'[0-9]'", 'main', "'^$'", "'e$'"])} ${textFile(random)} ${textFile(random)}; echo $?`,
    () =>
      `grep -r${random.pick(['n', 'l', 'c', 'i', 'h', ''])} ${random.pick(['main', 'a', 'error', 'TODO'])} ${random.pick(['.', 'src', '. --include=*.js', '--include=*.txt .', 'src a.txt'])} | sort`,
    () =>
      `sort ${random.pick(['-n', '-r', '-k2', '-t, -k2', '-u', '-rn', '-c', '-m', '-z', '-b -k2'])} ${textFile(random)}; echo $?`,
    () => `comm ${random.pick(['', '-12', '-23', '-3'])} <(sort ${textFile(random)}) <(sort ${textFile(random)})`,
    () =>
      `diff ${random.pick(['', '-u', '-q', '-w', '-i', '-y', '-c', '--brief', '-U1', '-s', '-e', '-n', '-y -W 40'])} ${textFile(random)} ${textFile(random)} | grep -v '^---\\|^+++\\|^\\*\\*\\*'; echo \${PIPESTATUS[0]}`,
    () =>
      `join ${random.pick(['', '-t,', '-a1', '-v1', '-1 1 -2 2'])} <(sort ${textFile(random)}) <(sort ${textFile(random)}) 2>/dev/null; echo $?`,
    () => `paste ${random.pick(['', '-d,', '-s', '-s -d,', "-d'\\n'"])} ${textFile(random)} ${textFile(random)}`,
    () =>
      `printf ${random.pick(["'%5d|%-5s|%05.1f\\n' 42 ab 3.14159", "'%s=%d\\n' a 1 b 2 c", "'%x %o %c %%\\n' 255 8 abc", "'%*d|%-*d|\\n' 5 1 5 2", "'%.3s|%10.2s|\\n' abcdef xyz", "'%e %g\\n' 12345.678 0.0001", "'%(%Y)T\\n' 0", "'%d\\n' abc", "'%d %d\\n' 0x1f 010", "'\\x41\\t\\101\\n'", "'%b' 'a\\nb\\n'", "'%q %s\\n' 'a b' \"it's\"", "'%+d % d %05d\\n' 5 5 -5", "'%s\\n'", "'%i %u\\n' -1 1", "'%.0f %.1f\\n' 2.5 0.25"])}; echo " $?"`,
    () =>
      `seq ${random.pick(['3', '2 5', '1 2 7', '5 1', '5 -2 1', '-w 8 11', '-s, 4', '0 0.5 2', '-f %02g 3', '1 3 2'])} | tr '\\n' ' '; echo`,
    () =>
      `expr ${random.pick(['1 + 2', "5 '*' 3", '7 / 2', '7 % 3', 'abc : a', "abc : 'a\\(.\\)c'", 'length hello', 'substr hello 2 3', 'index hello l', "3 '<' 5", 'a = b', "0 '|' 5", "'(' 1 + 2 ')' '*' 3", '1 / 0'])}; echo $?`,
    () =>
      `echo ${word(random)} | ${random.pick(['base64', 'base64 -w0', 'md5sum', 'sha256sum', 'wc -c', 'xxd', 'od -c', 'rev', 'tr a-z A-Z', 'cut -c1-3', 'fold -w3', 'sed "s/./&-/g"', 'gzip | gunzip', 'base64 | base64 -d', 'cat -v', 'awk "{print NF}"', 'xxd -p', 'od -An -c', 'sha1sum | cut -c1-8', 'wc -m'])}`,
    () =>
      `date -u -d ${random.pick(["'2024-01-31 +1 month'", "'2024-02-28 12:30'", '@1700000000', "'2024-03-10 10:00 -2 hours'", "'Jan 5 2024'", "'2024-01-05T10:20:30Z'", "'5 days ago 2024-01-10'", "'bad date'"])} ${random.pick(['+%F', "'+%Y-%m-%d %H:%M:%S'", '+%s', '+%j', '-Iseconds', '-R', "'+%a %b %e'"])}; echo $?`,
    () =>
      `numfmt --to=${random.pick(['iec', 'si'])} ${random.pick(['1024', '1500000', '999', '1048576'])}; echo ${random.below(5000)} | numfmt --grouping 2>/dev/null | wc -l`,
    () =>
      `tr ${random.pick(["-d 'a'", "'abc' 'xyz'", "-s 'a-z'", "-c 'a-z\\n' '_'", "'a-c' 'A'", "-ds 'a' 'b'", "'[:space:]' '_'", "-t 'abc' 'x'"])} < ${textFile(random)}`,
    () => `wc ${random.pick(['', '-l', '-w', '-c', '-m', '-L', '-lw'])} ${textFile(random)} ${textFile(random)}`,
    () => `head -n ${random.below(4)} ${textFile(random)} ${textFile(random)}; tail -n ${random.below(3)} ${textFile(random)}`,
    () =>
      `cmp ${random.pick(['', '-s', '-l'])} a.txt ${textFile(random)}; echo $?; od ${random.pick(['-c', '-x', '-An -tx1', '-tu1', '-b', '-d'])} ${textFile(random)} | head -n 4`,
    () => `echo '${random.pick(['$HOME ${USER}', 'no vars', '$X'])}' | X=1 HOME=/h USER=u envsubst 2>/dev/null || echo none`,
  ])()
}

export function fileWork(random: Random): string {
  const show = "find . -not -path './.*' | sort"
  return random.pick([
    `mkdir -p p/q/r; touch p/a p/q/b; ${show}; rm -r p/q; ${show}`,
    `cp a.txt c.txt; cp -r src src2; mv c.txt src2/; ${show}`,
    `mkdir d1 && mv a.txt b.txt d1; ls d1; mv d1 d2; ls`,
    `ln -s a.txt link; readlink link; cat link; [ -L link ] && echo L; rm link; ls link 2>/dev/null || echo gone; ln -sf b.txt a.lnk; ln -sfn src s; ls -l a.lnk | awk '{print $NF}'; readlink -f s | sed 's/.*\\///'`,
    `chmod ${random.pick(['600', 'u+x', 'a-w', '755', 'go=', '+x', 'u=rw,go=r', 'g+w,o-r'])} a.txt; stat -c '%a %s %F %n' a.txt; [ -x a.txt ] && echo x || echo no`,
    `find . ${random.pick(['-type f', '-type d', "-name '*.txt'", "-name '*.js' -o -name '*.md'", '-maxdepth 1', '-empty', '-type f -size +0', "-path './src/*'", "! -name '*.txt' -type f", '-mindepth 2', "-iname 'A*'", "-regex '.*\\.js'", '-name lib -prune -o -type f -print', '-newer nothere', '-perm 644 -type f', '-perm -u+x', '-perm /111', '-type f -size -1k', "-name 'a*' -printf '%f %s %y\\n'", '-type f -exec wc -l {} +', "-name '*.js' -exec basename {} \\;", "-name '*.txt' -delete"])} | sort; ls`,
    `find . -name '*.js' -print0 | sort -z | xargs -0 ${random.pick(['ls', 'wc -l', 'grep -l main', 'cat', '-n1 echo', '-I{} echo [{}]', 'head -n1'])}`,
    `find src -type f | sort | xargs ${random.pick(['grep -c a', 'cat', '-n2 echo', '-I% sh -c "echo %"', 'wc -c', 'dirname', '-L1 echo', '-r echo', "-d '\\n' echo"])}`,
    `tar czf t.tgz src; tar tzf t.tgz | sort; mkdir x; tar xzf t.tgz -C x; (cd x; ${show})`,
    `tar -C src -cf - . | (mkdir y; tar -C y -xf -); ls y; tar cf b.tar a.txt b.txt; tar tf b.tar; tar xOf b.tar a.txt | head -n1`,
    `tar cf t.tar --exclude='*.md' src a.txt; tar tf t.tar | sort; tar xf t.tar --strip-components=1 -C . ; ls`,
    `gzip -k a.txt; ls a.txt*; zcat a.txt.gz | head -n1; gzip b.txt; ls b.txt* ; gunzip b.txt.gz; cat b.txt | head -n1`,
    `basename /a/b/c.txt .txt; dirname /a/b/c.txt; basename a/; dirname a; basename -s .js src/main.js src/lib/f1.js; realpath --relative-to=src a.txt; realpath -m /x/../y`,
    `f=dir/sub/file.tar.gz; echo "\${f##*/} \${f%/*} \${f%%.*} \${f##*.} \${f#*.}"`,
    `touch -d '2024-01-02 03:04' a.txt; stat -c %y a.txt | cut -d. -f1; date -u -r a.txt +%F; [ a.txt -ot b.txt ] && echo older`,
    `ls ${random.pick(['-1', '-a', '-d */', '-r', '-1 src', '-R src', '-p', '-F', '*.txt', '-A', '-m', '-1a src', 'src a.txt', '-lR src | wc -l'])}`,
    `du -a src 2>/dev/null | cut -f2 | sort; test -d src && echo dir; file a.txt 2>/dev/null | wc -l > /dev/null; truncate -s 3 a.txt; cat a.txt; wc -c < a.txt`,
    `d=$(mktemp -d); echo x > "$d/f"; cat "$d/f"; rm -rf "$d"; [ -e "$d" ] || echo removed; t=$(mktemp); [ -f "$t" ] && rm "$t" && echo ok`,
    `for f in *.txt; do mv "$f" "\${f%.txt}.bak"; done; ls; for f in *.bak; do cp -- "$f" "new-$f"; done; ls new-*`,
    `diff -u a.txt b.txt > p.diff; cp a.txt c.txt; patch c.txt p.diff > /dev/null; cmp c.txt b.txt && echo patched; patch -R c.txt < p.diff > /dev/null; cmp a.txt c.txt && echo back`,
    `diff -r src src && echo equal; cp -r src s2; echo x >> s2/main.js; rm s2/lib/f1.js; diff -rq src s2; echo $?`,
    `sed -n '1,2p' log.txt > h; cat h a.txt > j; wc -l j; sort -u j -o j; wc -l < j; install -m 755 -D a.txt bin/tool; stat -c %a bin/tool`,
    `rm -f none; echo $?; rm none 2>/dev/null; echo $?; rm src 2>/dev/null; echo $?; rmdir src 2>/dev/null; echo $?; mkdir src 2>/dev/null; echo $?; cp src x 2>/dev/null; echo $?; rm -rf src; ls`,
    `split -l 2 log.txt L; ls L*; cat L* | cmp - log.txt && echo same; split -b 10 -d a.txt N; ls N*; split -n 2 a.txt Q; wc -c Q*`,
    `cat a.txt b.txt > all; head -c 5 all; echo; tail -c 5 all; dd if=all bs=4 count=2 skip=1 2>/dev/null; echo; cp -p all all2; [ all -nt all2 ] || echo notnewer; cp -n a.txt all; cmp -s a.txt all || echo kept`,
    `zip -qr z.zip src; unzip -l z.zip | tail -n 1 | awk '{print $2}'; mkdir u; cd u; unzip -q ../z.zip; ${show}`,
    `printf '%s\\n' b a c | tee l1 | sort > l2; paste l1 l2; md5sum l1 l2 | awk '{print $2}'; sha256sum l1 > sums; sha256sum -c sums; echo x >> l1; sha256sum -c sums 2>/dev/null; echo $?`,
    `mv -n a.txt b.txt; cat b.txt | head -n 1; mv -t src a.txt b.txt 2>/dev/null; ls src; cp -t . src/a.txt; cp -a src keep; ls keep; cp --parents src/lib/f1.js keep; ${show}`,
    `[ -e a.txt ] && echo e; [ -s empty ] || echo zero; [ -d src ] && [ ! -L src ] && echo realdir; [ -w a.txt ] && [ -r a.txt ] && echo rw; stat -c '%n %s' *.txt; stat -c %F src a.txt`,
  ])
}
