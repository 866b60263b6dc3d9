// Real bash is the oracle: if it answers a row differently, the row is wrong.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inDeepRun, seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { gnuCases, gnuFiles } from '../../testing/gnu/gnu-cases.ts'
import { runGnuCase } from '../../testing/gnu/run-gnu-case.ts'
import { describeUnless } from '../../testing/suites.ts'

const version = spawnSync(
  'bash',
  ['-c', 'sort --version | head -n 1; command -v jq xxd cmp hexdump awk patch zip unzip | wc -l'],
  {
    encoding: 'utf8',
  },
)
const whyNot =
  version.error !== undefined
    ? 'no bash here'
    : version.stdout.startsWith('sort (GNU coreutils) 9') && version.stdout.endsWith('8\n')
      ? ''
      : 'not the GNU programs that the rows were taken from'

function inRealBash(script: string, files: Readonly<Record<string, string>>): { output: string; exitCode: number | null } {
  const root = mkdtempSync(join(tmpdir(), 'gnu-'))
  try {
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), bytes, 'latin1')
    }
    const env = { HOME: root, LANG: 'C.UTF-8', PATH: process.env['PATH'] ?? '', TZ: 'UTC' }
    const ran = spawnSync('bash', ['-c', script], { cwd: root, env, input: '', timeout: 20_000 })
    return { output: ran.stdout.toString('latin1'), exitCode: ran.status }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe('our commands answer as GNU does', () => {
  it.each(gnuCases)('%s', async (script, output, exitCode) => {
    expect(await runGnuCase(script, gnuFiles)).toEqual({ output, exitCode })
  })
})

/** Programs that few machines have; their rows are verified where they are installed. */
const uncommon = [
  'dos2unix',
  'unix2dos',
  'sponge',
  'getopt',
  'flock',
  'look',
  'col',
  'sdiff',
  'basenc',
  'iconv',
  'less',
  'more',
].filter(name => spawnSync('bash', ['-c', `command -v ${name}`]).status !== 0)

// Starts a process for each row. This verifies the rows; every run compares our answers with them.
inDeepRun(() =>
  describeUnless(whyNot, 'real bash answers so', () => {
    const verifiable = gnuCases.filter(([script]) => !uncommon.some(name => new RegExp(`\\b${name}\\b`).test(script)))
    it.each(verifiable)('%s', (script, output, exitCode) => {
      expect(inRealBash(script, gnuFiles)).toEqual({ output, exitCode })
    })
  }),
)

// Several filters in a pipeline, over all kinds of bytes.
function randomBytes(random: Random): string {
  const pieces = [
    'a',
    'B',
    'aa',
    '10',
    '9',
    '-1',
    ' ',
    '  ',
    '\t',
    '\n',
    '\n',
    '\n',
    '\r\n',
    ',',
    'x,y',
    '\xc3\xa9',
    '\xff',
    '\0',
    '_',
    'Zz',
    '0x1',
    '1e2',
    '.5',
  ]
  return Array.from({ length: random.below(60) }, () => random.pick(pieces)).join('')
}

function randomFilter(random: Random): string {
  const count = random.below(6)
  const filters = [
    `head -n ${count}`,
    `head -n -${count}`,
    `head -c ${count * 3}`,
    `head -c -${count}`,
    `tail -n ${count}`,
    `tail -n +${count}`,
    `tail -c ${count * 2}`,
    `tail -c +${count}`,
    'sort',
    'sort -r',
    'sort -u',
    'sort -n',
    'sort -k2',
    `sort -t, -k${count + 1},${count + 1}`,
    'sort -k1,1n -k2r',
    'sort -fs',
    'uniq',
    'uniq -c',
    'uniq -d',
    `uniq -f ${count % 2}`,
    `uniq -w ${count + 1}`,
    `cut -d, -f${count + 1}`,
    `cut -b${count + 1}-`,
    "cut -d' ' -f1,3-",
    "tr 'a-z' 'A-Z'",
    "tr -d '\\r'",
    "tr -s '\\n a'",
    "tr '\\000' 'N'",
    "tr -cd '[:alnum:]\\n'",
    "tr '\\377' '#'",
    'tac',
    'paste -sd,',
    'paste - -',
    'wc -lc',
    'wc',
    'od -An -tx1 -v',
    'od -c',
    'od -tx2',
    'xxd -p',
    'xxd',
    'xxd -p | xxd -r -p',
    'hexdump -C',
  ]
  return random.pick(filters)
}

describeUnless(whyNot, 'filters in a row', () => {
  it('give what real bash gives', async () => {
    await forSeeds(seeds({ quick: 8, deep: 600 }), async (_random, seed) => {
      const random = createRandom(seed * 7919)
      const files = { f: randomBytes(random) }
      const script = ['cat f', ...Array.from({ length: 1 + random.below(3) }, () => randomFilter(random))].join(' | ')
      expect({ script, ...(await runGnuCase(script, files)) }).toEqual({ script, ...inRealBash(script, files) })
    })
  })
})
