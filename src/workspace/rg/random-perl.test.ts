// Random patterns of PCRE2 on small texts: rg -P finds what ripgrep -P finds, or refuses the pattern by name. A failure names its seed;
// `RG_SEED=7 npx vitest run --project node src/workspace/rg/random-perl.test.ts` runs that one alone.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { declaredDifference, isRefused } from '../../testing/ripgrep/declared-differences.ts'
import { pinnedRipgrep } from '../../testing/ripgrep/pinned-ripgrep.ts'
import { randomPerl } from '../../testing/ripgrep/random-perl.ts'
import { inMemory, onDisk, ours, theirs } from '../../testing/ripgrep/run-both.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const ripgrep = await pinnedRipgrep()
const callsOfSeed = 10
const tree = {
  a: 'foo bar\nab abc\n\nAbA aab  foo\n',
  b: 'aaa\nbab\nfoo\tfoo\n  oof',
  c: 'é δΔ kK\u212a ſs\r\na\r\n\r\n½ ٣ ‿ x1_\n',
  d: 'abab(a(b)c)\naAbB\n12 1a\n',
}
const flags = [
  [],
  [],
  [],
  ['-i'],
  ['-w'],
  ['-x'],
  ['-v'],
  ['-S'],
  ['-F'],
  ['-U'],
  ['--crlf'],
  ['--null-data'],
  ['--no-unicode'],
  ['-r', '<$1>'],
]

async function compare(random: Random): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rg-perl-'))
  try {
    const root = join(directory, 't')
    onDisk(tree, root)
    const workspace = await inMemory(tree, root)
    for (let index = 0; index < callsOfSeed; index++) {
      const words = ['-P', '--json', ...random.pick(flags), '--', randomPerl(random)]
      const call = { words, cd: '', stdin: undefined }
      const own = await ours(workspace, call)
      const other = theirs(ripgrep ?? '', root, call)
      if (isRefused(own) || declaredDifference(call, tree) !== undefined) continue
      expect({ ...own, stderr: own.stderr !== '' }, JSON.stringify(words)).toEqual({ ...other, stderr: other.stderr !== '' })
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describeUnless(whyNotInstalled(ripgrep, 'ripgrep 15 of npm'), 'random patterns of rg -P', () => {
  test('match what ripgrep -P matches', async () => {
    const only = process.env['RG_SEED']
    await forSeeds(seeds({ quick: 5, deep: 400 }), compare, only === undefined ? undefined : Number(only))
  })
})
