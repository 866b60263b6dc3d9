// Text tools with options in every combination, over tables and texts that are made for each script.

import type { Random } from '../random.ts'
import { times } from './words.ts'

const cells = [
  'a',
  'B',
  'b',
  'abc',
  'Abd',
  'x1',
  'x10',
  'x9',
  '10',
  '9',
  '-3',
  '+4',
  '1e2',
  '0x1f',
  '2K',
  '1M',
  '3.50',
  '.5',
  'é',
  'Zed',
  '_u',
  'v1.2.10',
  'v1.2.9',
  'v1.2',
  'Jan',
  'feb',
  'MAR',
  '',
  '1.txt',
  'a-b',
  "it's",
  '"q"',
  '%d',
  '00',
]

/** Lines of cells with one separator, as `printf` writes them. */
function table(random: Random, separator: string): string {
  const row = (): string => Array.from({ length: 1 + random.below(4) }, () => random.pick(cells)).join(separator)
  const rows = times(random, 7, 0, () => (random.chance(0.1) ? '' : row()))
  const text = rows.join('\\n').replaceAll('%', '%%').replaceAll('"', '\\"').replaceAll("'", "'\\''")
  return `printf '${text}${random.chance(0.9) ? '\\n' : ''}'`
}

const some = (random: Random, options: readonly string[], most = 2): string =>
  times(random, most, 0, () => random.pick(options))
    .filter((option, index, all) => all.indexOf(option) === index)
    .join(' ')

const n = (random: Random, most = 5): number => 1 + random.below(most)

const list = (random: Random): string =>
  times(random, 2, 1, () =>
    random.pick([`${n(random)}`, `${n(random, 2)}-${2 + n(random)}`, `-${n(random)}`, `${n(random)}-`]),
  ).join(',')

function sortKey(random: Random): string {
  const flags = (): string => random.pick(['', '', '', 'n', 'r', 'nr', 'f', 'b', 'd', 'i', 'h', 'V', 'M', 'g', 'bf'])
  const place = (): string => `${n(random, 3)}${random.chance(0.2) ? `.${n(random, 3)}` : ''}`
  return `-k${place()}${flags()}${random.chance(0.6) ? `,${place()}${flags()}` : ''}`
}

type Tool = (random: Random, separator: string) => string

const tools: readonly Tool[] = [
  (random, separator) =>
    `sort ${some(random, ['-n', '-r', '-f', '-b', '-d', '-u', '-s', '-h', '-V', '-M', '-g', '-i', '-z', `-t'${separator}'`, sortKey(random), sortKey(random)], 4)}`,
  random => `sort ${sortKey(random)} ${sortKey(random)} ${some(random, ['-s', '-u', '-r', '-c', '-C'])}; echo $?`,
  random =>
    `sort ${some(random, ['-f'])} | uniq ${some(random, ['-c', '-d', '-u', '-i', `-f${n(random, 2)}`, `-s${n(random, 3)}`, `-w${n(random, 4)}`, '-z'], 3)}`,
  random =>
    `sort | uniq ${random.pick(['-D', '--group', '--group=both', '--group=prepend', '--group=append', '--all-repeated=separate', '-D -i', '--all-repeated=prepend -w2'])}`,
  (random, separator) =>
    `cut -d'${separator}' -f${list(random)} ${some(random, ['-s', '--complement', "--output-delimiter='<>'", '-n'])}`,
  random => `cut ${random.pick(['-c', '-b'])}${list(random)} ${some(random, ['--complement', '--output-delimiter=,'])}`,
  random =>
    `tr ${some(random, ['-s'])} ${random.pick([`'a-f' 'A-F'`, `'[:upper:]' '[:lower:]'`, `'0-9' '[x*]'`, `'a-z' '[A-C*2]#'`, `'\\n' ','`, `' ,:' '\\n\\n\\n'`, `'[:punct:]' '-'`, `'ab' 'xy'`, `'\\141-c' 1-3`, `'[:alnum:]' 'A-Z'`, `'abc' ''`])}; echo $?`,
  random =>
    `tr ${random.pick(['-d', '-dc', '-cd', '-sc', '-s', '-cs'])} ${random.pick([`'a-z\\n'`, `'[:digit:]\\n'`, `'[:space:]'`, `'\\n'`, `'[:alpha:]'`, `'x,\\n'`])} ${random.chance(0.3) ? "'#'" : ''}; echo $?`,
  random => `fold -w${n(random, 9)} ${some(random, ['-s', '-b'])}`,
  random =>
    `nl ${some(random, ['-ba', '-bt', '-bn', "-bp'^[a-z]'", '-nln', '-nrz', '-nrn', `-w${n(random)}`, "-s': '", `-v${n(random, 9)}`, `-i${n(random, 3)}`, `-l${n(random, 3)}`, '-p'], 4)}`,
  random =>
    `od ${random.pick(['-c', '-b', '-x', '-d', '-o', '-tx1', '-tx2', '-tx4', '-tx8', '-td1', '-td2', '-td4', '-tu1', '-to2', '-ta', '-tc', '-tx1z', '-tx1 -tc', '-An', '-tfF', '-tf8'])} ${some(random, ['-An', '-Ax', '-Ad', `-j${n(random, 4)}`, `-N${n(random, 20)}`, `-w${n(random, 3) * 8}`, '-v', '-w8'], 3)}; echo $?`,
  random =>
    `xxd ${some(random, ['-p', '-u', `-c${n(random, 20)}`, `-g${random.below(5)}`, `-l${n(random, 20)}`, `-s${n(random, 4)}`, '-b', '-i', '-u'], 2)}`,
  random => `xxd -p ${some(random, [`-c${n(random, 30)}`])} | xxd -r -p`,
  random => `base64 ${some(random, [`-w${random.below(20)}`])}${random.chance(0.4) ? ' | base64 -d' : ''}`,
  random =>
    `${random.pick(['md5sum', 'sha1sum', 'sha256sum', 'sha512sum', 'sha224sum', 'cksum', 'sum', 'sum -s', 'b2sum', 'b2sum -l 128'])} ${some(random, ['-'])}`,
  random =>
    `paste ${some(random, ['-s', "-d',:'", "-d'\\t\\n'", "-d'\\0x'", '-z'])} ${random.pick(['-', '- -', '- a.txt', '- - b.txt', 'a.txt - num.txt'])}`,
  random =>
    `sort | comm ${some(random, ['-1', '-2', '-3', '--total', "--output-delimiter='|'", '--nocheck-order', '-z'], 3)} - <(sort ${random.pick(['a.txt', 'b.txt', 'num.txt'])})`,
  (random, separator) =>
    `sort -t'${separator}' -k1,1 > j1; ${table(random, separator)} | sort -t'${separator}' -k1,1 | join -t'${separator}' ${some(random, ['-a1', '-a2', '-v1', '-v2', '-o 1.1,2.2,0', "-e '-'", '-i', '--nocheck-order', '--header'], 3)} j1 -; echo $?`,
  random =>
    `head ${random.pick([`-n${random.below(4)}`, `-n-${random.below(4)}`, `-c${random.below(20)}`, `-c-${random.below(20)}`, '-q', '-v', '-z -n1'])} ${random.pick(['', '- a.txt', '-'])}`,
  random =>
    `tail ${random.pick([`-n${random.below(4)}`, `-n+${random.below(4)}`, `-c${random.below(20)}`, `-c+${random.below(20)}`, '-q', '-v', '-z -n1'])} ${random.pick(['', '- a.txt', '-'])}`,
  random => `wc ${some(random, ['-l', '-w', '-c', '-m', '-L'], 3)} ${random.pick(['', '- a.txt', '-'])}; echo $?`,
  (random, separator) =>
    `column -t ${some(random, [`-s'${separator}'`, "-o' | '", '-N one,two,three', '-R1', '-R1,2'], 3)}; echo $?`,
  random => `expand ${some(random, ['-t4', '-t2,5,9', '-i', '-t1', '-t3,+2'], 1)} | cat -A`,
  random => `unexpand ${some(random, ['-a', '-t4', '--first-only', '-t2,4'], 1)} | cat -A`,
  random => `fmt ${some(random, [`-w${8 + n(random, 20)}`, '-s', '-u'])}`,
  random => `tac ${some(random, ['-b', "-s','"])}`,
  random => `cat ${some(random, ['-A', '-n', '-b', '-s', '-E', '-T', '-v', '-e', '-t', '-ns', '-bE'])}`,
  random =>
    `split ${random.pick([`-l${n(random)}`, `-b${n(random, 9)}`, `-C${4 + n(random, 9)}`, `-n r/${n(random, 3)}`])} ${some(random, ['-d', '-x', '-a3', '--numeric-suffixes=3', '--additional-suffix=.p', '-e'])} - S.; echo $?; head -c 99 S.* 2>/dev/null`,
  random =>
    `csplit -s ${some(random, ['-f p', '-n 3', '-z', "-b '%03d.t'", '--suppress-matched'])} - ${random.pick(['2', '/a/', "/b/ '{*}'", "'%a%' 3", "/x/+1 '{1}'", "2 '{2}'", '/1/-1'])}; echo $?; head -v -c 99 p* xx* 2>/dev/null`,
  random => `rev | ${random.pick(['tac', 'sort', 'cat -n', 'tr -d x', 'rev', 'cut -c2-'])}`,
  random =>
    `numfmt ${random.pick(['--to=iec', '--to=si', '--from=iec', '--from=auto', '--to=iec-i --suffix=B', '--padding=8', '--field=2', '--invalid=ignore', "--format='%.2f'", '--header'])} ${some(random, ['--invalid=ignore', '--invalid=warn', '-d,'])}; echo $?`,
  random =>
    `xargs ${some(random, ['-n2', '-L1', '-r', '-t', "-d'\\n'", '-s 60', '-x', '-I{}', '-P1', '-n1'])} echo ${random.pick(['', 'p', '"{}"', '-'])}; echo $?`,
  random => `strings ${some(random, ['-n3', '-n1', '-t x', '-a', '-t d'])}`,
  (random, separator) =>
    `{ cat > d1; ${random.pick(['tac d1', "sed '2d;s/a/b/' d1", 'sort d1', 'cat d1 a.txt d1', table(random, separator), "sed 'n;n;p' d1"])} > d2; diff ${some(random, ['-u', '-U1', '-c', '-y -W60', '-i', '-w', '-b', '-B', '-q', '-s', '-e', '-n', '-d', '--strip-trailing-cr', '-Z'], 3)} --label a --label b d1 d2; echo $?; }`,
  random => `tee ${some(random, ['-a'])} t1 ${random.pick(['', 't2'])} | wc -c; cat t1`,
  random => `dd ${random.pick(['bs=4 count=2', 'bs=3 skip=1', 'bs=4 seek=1 of=o'])}; echo $?; cat o 2>/dev/null | od -c`,
  random =>
    `grep ${some(random, ['-n', '-c', '-v', '-i', '-w', '-x', '-o', '-b', '-m2', '-A1', '-B1', '-C1', '-s', '-q', '-H', '-E', '-F', '-l', '-L', '-z', '--label=in', '-T', '-a'], 4)} ${random.pick(["-e a -e '1'", "'[0-9]'", "'^.$'", "'.*'", "''", "'x1*'", "'\\(.\\).*\\1'", "'a\\|b'", "'[[:upper:]]'", "'\\<a'", "'b\\>'", '-f a.txt', "'^$'", "'v1\\.2'", '-- -3'])} ${random.pick(['', '- a.txt', '-'])}; echo $?`,
]

export function textTool(random: Random): string {
  const separator = random.pick([' ', ' ', ',', ':', '\t', '  '])
  const written = separator === '\t' ? '\\t' : separator
  const chosen = (): string => random.pick(tools)(random, separator === '  ' ? ' ' : separator)
  const input = table(random, written)
  const source = random.chance(0.7)
    ? input
    : `cat ${random.pick(['num.txt', 'words.txt', 'log.txt', 'tab.tsv', 'crlf.txt', 'data.csv', 'empty'])}`
  return `${source} | ${chosen()}`
}
