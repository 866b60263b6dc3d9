// Cases that the rows in testing/gnu do not cover: our patch is stricter than GNU patch.
import { describe, expect, it } from 'vitest'
import { runGnuCase } from '../../../../testing/gnu/run-gnu-case.ts'

const numbered = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('')
/** The first hunk applies and the second does not. */
const halfRight =
  '--- f\n+++ f\n@@ -1,3 +1,3 @@\n line 1\n-line 2\n+LINE 2\n line 3\n@@ -20,3 +20,3 @@\n line 20\n-not there\n+x\n line 22\n'

const cases: readonly (readonly [rule: string, patch: string, script: string, output: string])[] = [
  [
    'a file is changed by all of its hunks or by none, and all are kept',
    halfRight,
    'patch < p; echo $?; cmp f g; grep -c "^@@" f.rej; ls',
    'patching file f\nHunk #2 FAILED at 20.\n1 out of 2 hunks FAILED -- saving rejects to file f.rej\nf was left as it was: a file is changed by all of its hunks or by none.\n1\n2\nf\nf.rej\ng\np\n',
  ],
  [
    'what was rejected can be tried again',
    halfRight,
    'patch < p > /dev/null; sed -i "s/line 21/not there/" f; patch -s f f.rej; sed -n "2p;21p" f',
    'LINE 2\nx\n',
  ],
  ['a dry run writes nothing', halfRight, 'patch --dry-run < p > /dev/null; echo $?; ls', '1\nf\ng\np\n'],
  [
    'an absolute name is refused',
    '--- /w/f\n+++ /w/f\n@@ -1 +1 @@\n-line 1\n+x\n',
    'patch -p0 < p; echo $?; cmp f g',
    'Ignoring potentially dangerous file name /w/f\n1 out of 1 hunk ignored\n1\n',
  ],
  [
    'a hunk whose counts are wrong is refused before anything is written',
    '--- f\n+++ f\n@@ -1,3 +1,3 @@\n line 1\n-line 2\n+x\n line 3\n@@ -10,4 +10,3 @@\n line 10\n',
    'patch < p 2>&1; echo $?; cmp f g',
    'patch: **** malformed patch at line 10: the hunk of line 8 lacks 3 old and 2 new lines: its counts in the @@ line and its lines must agree; make the patch anew with diff -u or git diff.\n2\n',
  ],
  [
    'a line too many is refused, not passed over',
    '--- f\n+++ f\n@@ -1,2 +1,2 @@\n line 1\n-line 2\n+x\n+y\n',
    'patch < p 2>/dev/null; echo $?; cmp f g',
    '2\n',
  ],
  [
    'hunks without a file are no garbage',
    '@@ -1 +1 @@\n-line 1\n+x\n',
    'patch f p 2>&1; echo $?',
    'patch: **** line 1: a hunk without the --- and +++ lines that name its file; put them in front of it\n2\n',
  ],
]

describe('patch', () => {
  it.each(cases)('%s', async (_rule, patch, script, output) => {
    expect(await runGnuCase(script, { f: numbered, g: numbered, p: patch })).toMatchObject({ output })
  })

  it('applies ten thousand hunks, each moved by those before it', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `${index}\n`)
    const hunks = Array.from({ length: 10_000 }, (_, index) => {
      const at = index * 4
      return `@@ -${at + 1},4 +${at + 1 + index},5 @@\n ${at}\n ${at + 1}\n+new\n ${at + 2}\n ${at + 3}\n`
    })
    const files = { f: lines.join(''), p: `--- f\n+++ f\n${hunks.join('')}` }
    expect(await runGnuCase('patch < p; grep -c new f; wc -l < f', files)).toEqual({
      output: 'patching file f\n10000\n50000\n',
      exitCode: 0,
    })
  })

  it('keeps any number of lines before and in a hunk', async () => {
    const files = { f: 'x\n'.repeat(300_000), p: `--- f\n+++ f\n@@ -300000 +300000,200001 @@\n x\n${'+new\n'.repeat(200_000)}` }
    expect(await runGnuCase('patch < p; grep -c new f; wc -l < f', files)).toEqual({
      output: 'patching file f\n200000\n500000\n',
      exitCode: 0,
    })
  })
})
