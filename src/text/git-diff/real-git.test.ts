// git defines the line diff: the same pairs of versions are compared with `git diff --no-index`.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { plainGitEnvironment } from '../../testing/git-environment.ts'
import { seeds } from '../../testing/depth.ts'
import { FileVersions, type VersionPair } from '../../testing/file-versions.ts'
import { createRandom } from '../../testing/random.ts'
import { diffLines, type LineDiffOptions } from './diff-lines.ts'
import { renderHunks, type HunkOptions } from './hunks.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

interface Row {
  readonly args: readonly string[]
  readonly diff?: LineDiffOptions
  readonly hunks?: HunkOptions
  /** The required share of pairs with identical hunks. */
  readonly atLeast: number
  readonly pairs: number
}

const pairCount = seeds({ quick: 20, deep: 1500 })
const few = seeds({ quick: 8, deep: 300 })

const rows: readonly Row[] = [
  { args: [], atLeast: 0.985, pairs: pairCount },
  { args: ['-U0'], diff: { cutsCommonTail: true }, hunks: { context: 0 }, atLeast: 0.985, pairs: few },
  { args: ['-U10', '--inter-hunk-context=3'], hunks: { context: 10, interHunkContext: 3 }, atLeast: 0.985, pairs: few },
  { args: ['--no-indent-heuristic'], diff: { indentHeuristic: false }, atLeast: 0.985, pairs: few },
  { args: ['--minimal'], diff: { algorithm: 'minimal' }, atLeast: 0.985, pairs: few },
  { args: ['--histogram'], diff: { algorithm: 'histogram' }, atLeast: 0.985, pairs: few },
  { args: ['--patience'], diff: { algorithm: 'patience' }, atLeast: 0.985, pairs: few },
  { args: ['-w'], diff: { whitespace: 'all' }, atLeast: 0.985, pairs: few },
  { args: ['-b'], diff: { whitespace: 'change' }, atLeast: 0.985, pairs: few },
  { args: ['--ignore-space-at-eol'], diff: { whitespace: 'at-end' }, atLeast: 0.985, pairs: few },
  { args: ['--ignore-cr-at-eol'], diff: { whitespace: 'cr-at-end' }, atLeast: 0.985, pairs: few },
  { args: ['--ignore-blank-lines'], hunks: { ignoreBlankLines: true }, atLeast: 0.985, pairs: few },
  {
    args: ['-w', '--ignore-blank-lines'],
    diff: { whitespace: 'all' },
    hunks: { ignoreBlankLines: true, anyBlanksAreBlank: true },
    atLeast: 0.985,
    pairs: few,
  },
]

describeUnless(whyNotInstalled(hasGit, 'git'), 'hunks are those of git diff', () => {
  const versions = new FileVersions()

  it('has real pairs of versions', () => {
    expect(versions.relatedCount).toBeGreaterThan(100)
  })

  it.each(rows)('git diff $args', ({ args, diff, hunks, atLeast, pairs }) => {
    const seed = 7
    const random = createRandom(seed)
    const chosen = Array.from({ length: pairs }, () => versions.next(random))
    const expected = realHunks(chosen, args)
    const different = chosen.flatMap((pair, index) => {
      const ours = Buffer.from(renderHunks(diffLines(pair.before, pair.after, diff), hunks)).toString('latin1')
      return ours === expected[index] ? [] : [index]
    })
    const share = 1 - different.length / pairs
    console.info(`git diff ${args.join(' ')}: ${pairs} pairs of seed ${seed}, ${(share * 100).toFixed(2)} % equal`)
    expect(share, `pairs ${different.slice(0, 20).join(' ')} of seed ${seed} differ`).toBeGreaterThanOrEqual(atLeast)
  })
})

/** git's output from the first `@@` for each pair; '' if it finds no difference. */
function realHunks(pairs: readonly VersionPair[], args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'git-diff-'))
  try {
    for (const side of ['before', 'after'] as const) {
      mkdirSync(join(folder, side))
      pairs.forEach((pair, index) => writeFileSync(join(folder, side, `f${index}`), pair[side]))
    }
    const git = ['-c', 'core.attributesFile=/dev/null', 'diff', '--no-index', '--no-color', '--text', ...args, 'before', 'after']
    const { stdout } = spawnSync('git', git, {
      cwd: folder,
      maxBuffer: 2 ** 30,
      env: plainGitEnvironment(folder),
    })
    const hunks: string[] = pairs.map(() => '')
    for (const part of stdout.toString('latin1').split(/^(?=diff --git )/m)) {
      const name = /^diff --git a\/before\/f(\d+) /.exec(part)?.[1]
      const start = part.indexOf('\n@@ ')
      if (name !== undefined && start >= 0) hunks[Number(name)] = part.slice(start + 1)
    }
    return hunks
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
