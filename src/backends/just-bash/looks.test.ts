// Large work looks for an abort as it goes on: a script on a shared thread hears of it only then. Looks are counted, because time says
// nothing on a busy machine.
import { beforeAll, describe, expect, it } from 'vitest'
import { isDeep, sample } from '../../testing/depth.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { tableOf } from './commands/own-commands.ts'
import { runScriptRequest } from './interpreter/run-script.ts'

const mebibyte = 1024 * 1024
const lines = Array.from({ length: 40_000 }, (_, index) => `${(index * 7919) % 40_000} a line of words ${index}\n`).join('')
const sorted = Array.from({ length: 40_000 }, (_, index) => `${100_000 + index} the same again\n`).join('')
const inputs: Readonly<Record<string, string | Uint8Array>> = {
  '/w/lines': lines,
  '/w/sorted': sorted,
  '/w/changed': lines.replaceAll('words 1', 'WORDS 1'),
  '/w/long': 'abcdefgh'.repeat(mebibyte / 8),
  '/w/bytes': Uint8Array.from({ length: mebibyte }, (_, index) => (index * index) % 251),
  '/w/pairs': Array.from({ length: 60_000 }, (_, index) => `n${index} n${index + 1}\n`).join(''),
  '/w/json': `[${Array.from({ length: 60_000 }, (_, index) => `{"id":${index}}`).join(',')}]`,
}

interface Ran {
  readonly code: number
  readonly looks: number
  /** How often others may run. */
  readonly pauses: number
  readonly complaints: string
}

/** Runs `script`, which is told to stop at look number `endsAt`. */
async function run(script: string, endsAt = Infinity): Promise<Ran> {
  let looks = 0
  let pauses = 0
  let complaints = ''
  const look = (): boolean => {
    looks += 1
    return looks >= endsAt
  }
  const code = await runScriptRequest({
    script,
    env: { HOME: '/w', LANG: 'C.UTF-8' },
    files: createVfs(memory(inputs)),
    cwd: '/w',
    commands: tableOf([]),
    hasOwnPrograms: false,
    signal: new AbortController().signal,
    isStopped: look,
    pause: async () => {
      pauses += 1
      return Promise.resolve()
    },
    onOutput: (channel, bytes) => {
      if (channel === 'stderr') complaints += new TextDecoder().decode(bytes)
    },
  })
  return { code, looks, pauses, complaints }
}

/** A command, and how often it looks at least. Most look for each phase of their work: reading, splitting, sorting, joining, writing. */
const rows: readonly (readonly [script: string, leastLooks: number])[] = [
  ['x=$(<lines); y=${x^^}', 4],
  ['x=$(<lines); y=${x//a/b}', 8],
  ['x=$(<lines); y=${x@Q}', 12],
  ['x=$(<long); y=${x@Q}', 12],
  ['x=$(<lines); printf %q "$x" > out', 12],
  ['x=$(<lines); set -- $x', 20],
  ['mapfile -t a < lines; b=("${a[@]}"); echo "${b[*]}" > out', 40],
  ['mapfile -t a < lines; b=("${a[@]/a/b}")', 20],
  ['printf "%s\\n" $(<lines) > out', 50],
  ['base32 bytes > out', 12],
  ['base32 lines > p; base32 -d p > out', 20],
  ['basenc --base16 bytes > out', 12],
  ['basenc --base64 bytes > p; basenc -d --base64 p > out', 20],
  ['seq 40000 | bc > out', 100],
  ['seq 40000 > p; bc p > out', 100],
  ['cmp -l lines changed > out', 30],
  ['column lines > out', 40],
  ['column -t lines > out', 40],
  ['dd if=bytes of=out conv=swab', 12],
  ['diff lines changed > out', 60],
  ['expand long > out', 12],
  ['unexpand -a long > out', 12],
  ['fmt lines > out', 60],
  ['fmt long > out', 8],
  ['join sorted sorted > out', 60],
  ['seq 10000 | factor > out', 60],
  ['gzip -k bytes', 12],
  ['gzip -k bytes; gzip -t bytes.gz', 16],
  ['gzip -k lines; zcat lines.gz > out', 16],
  ['head -n -5 lines > out', 8],
  ['jq . json > out', 200],
  ['jq -s . json > out', 200],
  ['jq -c --stream . json > out', 600],
  ['diff -u lines changed > p; patch -o out lines p', 100],
  ['diff -c lines changed > p; patch -o out lines p', 100],
  ['rev long > out', 12],
  ['shuf lines > out', 30],
  ['shuf -o out lines', 30],
  ['sort lines > out', 120],
  ['sort -R lines > out', 120],
  ['sort -c sorted', 16],
  ['sort -m sorted sorted > out', 40],
  ['sort -u -o out lines', 120],
  ['split -l 1000 lines', 16],
  ['split -n r/3 lines', 20],
  ['split -C 1000 long', 5],
  ['iconv -f latin1 -t utf16 bytes -o out', 8],
  ['iconv -f latin1 -t utf8 bytes > out', 8],
  ['iconv -f utf8 -t utf16 lines > p; iconv -f utf16 -t ascii p > out', 12],
  ['sum bytes', 5],
  ['sum -s bytes', 5],
  ['truncate -s +1M bytes', 3],
  ['tac lines > out', 20],
  ['tac -s l lines > out', 20],
  ['tail -n +5 lines > out', 8],
  ['tar czf out.tgz bytes', 10],
  ['tar czf out.tgz bytes; mkdir d; tar xzf out.tgz -C d', 20],
  ['tsort pairs > out', 60],
  ['wc lines', 30],
  ['wc -m lines', 12],
  ['wc -w long', 12],
  ['wc -L long', 12],
  ['xxd bytes > p; xxd -r p > out', 60],
  ['xxd -p bytes > p; xxd -r -p p > out', 40],
  ['zip out.zip bytes', 10],
  ['zip -0 out.zip bytes', 6],
  ['zip out.zip lines; unzip -p out.zip lines > out', 20],
]

describe('a large input', () => {
  beforeAll(async () => {
    // Loads the commands.
    await run('seq 3 | sort | tac')
  })

  // Each handles a megabyte several times.
  it.each(sample(rows, 16))('%s looks for an abort', async (script, leastLooks) => {
    const whole = await run(script)
    expect(whole.looks).toBeGreaterThanOrEqual(leastLooks)
    // Ended anywhere, it stops soon, and does not report the end as a failure of its own.
    for (const share of isDeep ? [0.3, 0.8] : [0.3]) {
      const endsAt = Math.ceil(whole.looks * share)
      const ended = await run(script, endsAt)
      expect(ended).toMatchObject({ code: 143, complaints: '' })
      expect(ended.looks - endsAt).toBeLessThan(40)
    }
  })
})

/** What computes, or handles one long line, and how often it lets others run at least. */
const computing: readonly (readonly [script: string, leastPauses: number])[] = [
  ['jq -n "reduce range(100000) as \\$i (0; . + \\$i)"', 20],
  ['jq -n "[range(100000)] | map(. + 1) | add"', 40],
  ['jq -n "last(range(100000))"', 20],
  ['jq -n "0 | until(. == 100000; . + 1)"', 20],
  ['jq -n "[limit(100000; repeat(1))] | length"', 20],
  ['jq "sort_by(-.id) | length" json', 100],
  ['jq "group_by(.id % 7) | length" json', 100],
  ['jq "unique_by(.id) | length" json', 100],
  ['jq "min_by(.id)" json', 60],
  ['jq "[.. | numbers] | length" json', 60],
  ['jq "map_values(.id) | length" json', 60],
  ['jq ".[].id += 1 | length" json', 60],
  ['jq "sort | length" json', 100],
  ['jq "[.[] | .id] | @json | length" json', 40],
  ['jq -n "[inputs] | length" json', 40],
  ['jq "tojson | fromjson | length" json', 100],
  ['jq "flatten | length" json', 60],
  ['jq "map({(.id | tostring): .id}) | add | length" json', 100],
  ['jq -R "test(\\"xyz\\")" long', 6],
  ['jq -R "[match(\\"h\\"; \\"g\\")] | length" long', 100],
  ['jq -R "[splits(\\"h\\")] | length" long', 100],
  ['jq -R "split(\\"h\\") | length" long', 100],
  ['jq -R "explode | implode | length" long', 8],
  ['jq -R "@base64 | @base64d | length" long', 8],
  ['jq -R "@uri | length" long', 4],
  ['jq -Rs . lines > out', 8],
  ['awk "BEGIN { while (i < 100000) i++ }"', 20],
  ['awk "BEGIN { do i++; while (i < 100000) }"', 20],
  ['awk "BEGIN { for (;;) if (i++ > 100000) exit }"', 20],
  ['awk "{ a[\\$0] } END { for (k in a) n++ }" lines', 20],
  ['awk "function f(n) { while (n < 100000) n++; return n } BEGIN { print f(1) + f(2) }"', 40],
  ['awk "{ for (i = 0; i < 10; i++) n++ }" lines', 60],
  ['awk "BEGIN { while (i++ < 100000) print i }" > out', 20],
  ['bc <<< "while (i < 40000) { i = i + 1 }"', 8],
  ['bc <<< "for (i = 0; i < 200; i++) { if (i) for (j = 0; j < 200; j++) 0 }" > out', 8],
  ['sed -n "$=" lines', 8],
  ['sed s/e/x/g long > out', 18],
  ["sed 's/\\(a\\)\\(b\\)/\\2\\1/g' long > out", 18],
  ['grep -o e long > out', 4],
  ['grep -b -o e long > out', 4],
  ['grep --color=always e long > out', 4],
  ['awk "{ gsub(/e/, \\"x\\"); print }" long > out', 4],
  ['awk "{ gsub(/h*x|e+/, \\"[&]\\"); print }" long > out', 8],
  ['awk "{ print gensub(/(a)(b)/, \\"\\\\\\2\\\\\\1\\", \\"g\\") }" long > out', 4],
  ['awk "function f(t) { gsub(/e/, \\"x\\", t); return t } { print f(\\$0) }" long > out', 4],
  ['sed "s/h*x/y/" long > out', 4],
  ['x=$(<long); [[ $x =~ h*x ]] || true', 8],
  ['echo {1..40000} > out', 39],
  ['seq 400 | xargs -n 1 echo > out', 400],
  ['grep -P "a(?!b)" long || true', 16],
  ['grep -oP "[xyz](?=q)|h$" long', 16],
  ['tr "\\n" " " < lines > p; read -ra x < p || true', 40],
  ['tr "\\n" " " < lines > p; fmt p > out', 40],
  ['shopt -s extglob; x=$(head -c 600 lines); y=${x//+(Q|Z)/}', 80],
]

describe('a program that only computes', () => {
  it.each(sample(computing, 11))('%s lets others run', async (script, leastPauses) => {
    const { code, complaints, pauses } = await run(script)
    expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
    expect(pauses).toBeGreaterThanOrEqual(leastPauses)
  })
})

/** They succeed if the work in parts gives what the work at once gives. */
const unchanged: readonly string[] = [
  'x=$(<lines); eval "y=${x@Q}"; [ "$x" = "$y" ]',
  'q="\'"; x=$(<long); x=${x//h/$q}; eval "y=${x@Q}"; [ "$x" = "$y" ]',
  'x=$(<lines); eval "y=$(printf %q "$x")"; [ "$x" = "$y" ]',
  'x=$(<long); x=${x//bcdefg/:~}; eval "y=$(printf %q "$x")"; [ "$x" = "$y" ]',
  'x=$(<long)q; [[ $x =~ g*(h+)q$ ]] && [ "${#BASH_REMATCH}" = 3 ] && [ "${BASH_REMATCH[1]}" = h ]',
  'awk "{ gsub(/[g-z]+/, \\"[&]\\"); printf \\"%s\\", \\$0 }" long > out; sed "s/[g-z][g-z]*/[&]/g" long | cmp - out',
  'awk "{ gsub(/x*/, \\"-\\"); printf \\"%s\\", \\$0 }" long > out; sed "s/x*/-/g" long | cmp - out',
  'x=$(<long); echo -e "$x\\n" > out; [ "$x" = "$(<out)" ]',
]

describe('a long text', () => {
  it.each(sample(unchanged, 4))('%s', async script => {
    expect(await run(script)).toMatchObject({ code: 0, complaints: '' })
  })
})
