// What `fsck` says of objects that can be read and are wrong, beside real git.

import { afterEach, beforeEach, expect, it } from 'vitest'

import { GitTwins, hasGit } from '../../testing/git-twins.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const tree = (entries: string): string =>
  `perl -e 'print map { my ($m, $n) = split / /, $_, 2; "$m $n\\0" . pack("H*", $ARGV[0]) } split /,/, "${entries}"' $(git rev-parse HEAD:a) | git hash-object -t tree -w --stdin --literally`
const commit = (head: string): string =>
  `printf "tree $(git rev-parse HEAD^{tree})\\n${head}\\n\\nx\\n" | git hash-object -t commit -w --stdin --literally`

const rows: readonly (readonly [what: string, script: string])[] = [
  ['nothing', 'true'],
  ['zero-padded modes', tree('0100644 a')],
  ['an old mode', tree('100664 a')],
  ['entries out of order', tree('100644 b,100644 a')],
  ['an entry twice', tree('100644 a,100644 a')],
  ["an entry '.git'", tree('100644 .git')],
  ['no committer', commit('author A <a@b> 1 +0000')],
  ['a bad time', commit('author A <a@b> x +0000\\ncommitter A <a@b> 1 +0000')],
  ['a bad zone', commit('author A <a@b> 1 0000\\ncommitter A <a@b> 1 +0000')],
]

describeUnless(whyNotInstalled(hasGit, 'git'), 'fsck of a repository with', () => {
  let twins: GitTwins
  beforeEach(() => {
    twins = new GitTwins()
    twins.prepare('git init -q -b main . && echo a > a && git add a && git commit -qm one')
  })
  afterEach(() => twins.dispose())

  it.each(rows)('%s', async (_what, script) => {
    twins.prepare(script)
    for (const args of [['fsck'], ['fsck', '--strict']]) {
      const real = twins.runReal(args)
      const ours = await twins.runOurs(args)
      const failed = (code: number): boolean => code !== 0
      expect([args, failed(ours.exitCode), ours.stderr]).toEqual([
        args,
        failed(real.exitCode),
        real.stderr.replace(/^Checking.*\n/gm, ''),
      ])
    }
  })
})
