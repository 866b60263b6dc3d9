// git is the truth about merges: the same three versions are put to `git merge-file`.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { plainGitEnvironment } from '../../testing/git-environment.ts'
import { seeds } from '../../testing/depth.ts'
import { FileVersions, rewrite } from '../../testing/file-versions.ts'
import { createRandom, type Random } from '../../testing/random.ts'
import { mergeFiles, type MergeFilesOptions } from './merge-files.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

const labels = { ours: 'ours', base: 'base', theirs: 'theirs' }

const rows: readonly (readonly [args: readonly string[], options: MergeFilesOptions])[] = [
  [[], {}],
  [['--diff3'], { style: 'diff3' }],
  [['--zdiff3'], { style: 'zdiff3' }],
  [['--ours'], { favor: 'ours' }],
  [['--theirs'], { favor: 'theirs' }],
  [['--union'], { favor: 'union' }],
  [['--marker-size=9'], { markerSize: 9 }],
]

/** A few short lines, many of them equal, in which changes meet all the time. */
function smallVersions(random: Random): readonly Buffer[] {
  const ending = random.pick(['\n', '\n', '\r\n'])
  const line = (): string => random.pick(['', '}', 'a', 'b', 'c', `x${random.below(9)}`])
  const base = Array.from({ length: random.below(25) }, line)
  const side = (): string[] => {
    const lines = [...base]
    for (let change = random.below(5); change > 0; change--) {
      const at = random.below(lines.length + 1)
      lines.splice(at, random.below(4), ...Array.from({ length: random.below(4) }, line))
    }
    return lines
  }
  return [base, side(), side()].map(lines => {
    const text = lines.map(text => text + (random.chance(0.05) ? '\n' : ending)).join('')
    return Buffer.from(random.chance(0.3) ? text.replace(/\r?\n$/, '') : text, 'latin1')
  })
}

describeUnless(whyNotInstalled(hasGit, 'git'), 'merges are those of git merge-file', () => {
  let folder = ''
  const versions = new FileVersions()
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'git-merge-'))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function real(args: readonly string[], [base, ours, theirs]: readonly Buffer[]): { text: string; conflicts: number } {
    for (const [name, bytes] of Object.entries({ base, ours, theirs })) writeFileSync(join(folder, name), bytes ?? '')
    const names = Object.values(labels).flatMap(label => ['-L', label])
    const { stdout, status } = spawnSync('git', ['merge-file', '-p', ...args, ...names, 'ours', 'base', 'theirs'], {
      cwd: folder,
      maxBuffer: 2 ** 28,
      env: plainGitEnvironment(folder),
    })
    return { text: stdout.toString('latin1'), conflicts: status ?? -1 }
  }

  it.each(rows)('git merge-file %j', (args, options) => {
    const seed = 11
    const random = createRandom(seed)
    const count = seeds({ quick: 4, deep: 200 })
    const different: number[] = []
    let conflicting = 0
    for (let index = 0; index < count; index++) {
      const files = random.chance(0.6) ? smallVersions(random) : realVersions(random)
      const expected = real(args, files)
      if (expected.conflicts > 0) conflicting++
      const [base = Buffer.of(), ours = Buffer.of(), theirs = Buffer.of()] = files
      const merged = mergeFiles(base, ours, theirs, { labels, ...options })
      const isSame = Buffer.from(merged.bytes).toString('latin1') === expected.text
      if (!isSame || Math.min(127, merged.conflicts) !== expected.conflicts) different.push(index)
    }
    const share = (100 * (count - different.length)) / count
    console.info(
      `git merge-file ${args.join(' ')}: ${count} merges of seed ${seed}, ${conflicting} conflicting, ${share} % equal`,
    )
    expect(share, `merges ${different.slice(0, 20).join(' ')} of seed ${seed} differ`).toBeGreaterThanOrEqual(99)
  })

  function realVersions(random: Random): readonly Buffer[] {
    const { before } = versions.next(random)
    return [before, rewrite(random, before), rewrite(random, before)]
  }
})
