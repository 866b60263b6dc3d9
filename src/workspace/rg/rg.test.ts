// The installed rg is the reference: each command line is run by it, in a real directory, and by ours, on the same files.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { justBash } from '../../backends/just-bash/index.ts'
import { memory } from '../../backends/memory/index.ts'
import { defaultLimits } from '../../core/limits.ts'
import { parsePath } from '../../core/path.ts'
import { SearchIndex } from '../../session/search-index.ts'
import { runCommand } from '../../shell/run.ts'
import type { Shell } from '../../shell/shell.ts'
import { installedCommand } from '../../testing/search-oracle/installed-command.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { rgCommand } from './command.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'
import { sample } from '../../testing/depth.ts'

const files: Readonly<Record<string, string>> = {
  '.gitignore': 'build/\n*.log\n',
  '.hidden/secret.ts': 'needle hidden\n',
  'a.ts': 'import x from "y"\nconst Needle = 1\nneedle(needle)\n\nlast needle',
  'b.js': 'no match here\nneedles\n',
  'crlf.txt': 'one\r\nneedle two\r\nthree\r\n',
  'empty.txt': '',
  'build/out.ts': 'needle built\n',
  'deep/er/c.ts': '1\n2\n3\n  needle at four\n5\n6\n7\nneedle at eight\n9\n',
  'deep/d.md': '# needle\n',
  'noise.log': 'needle logged\n',
  'utf8.txt': 'naïve needle — ünï\n',
  'special.txt': 'a.b(c)[d]\nf(x) = x^2 + $1\n',
}
const root = parsePath('/workspace')
const rg = installedCommand('rg')

let directory: string
let shell: Shell

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'anchorage-rg-'))
  // ripgrep obeys .gitignore only in a repository.
  mkdirSync(join(directory, '.git'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const vfs = createVfs(memory(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text]))))
  await vfs.mkdir(`${root}/.git`)
  const index = SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes)
  const commands = [rgCommand({ vfs, root, limits: defaultLimits, index: () => index })]
  shell = await justBash({ worker: 'none' })({ fs: vfs, root, commands })
})

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true })
  await shell.dispose()
})

async function ours(script: string): Promise<{ lines: readonly string[]; stderr: string; code: number | string }> {
  const { stdout, stderr, exit } = await runCommand(
    shell,
    { kind: 'script', script },
    { maxCaptureBytes: 1e6, timeoutMs: 20_000 },
  )
  return { lines: sorted(script, stdout), stderr, code: exit.kind === 'exited' ? exit.code : exit.kind }
}

function theirs(script: string): { lines: readonly string[]; code: number | null } {
  // Without a terminal, and with files in a defined order.
  const run = spawnSync('bash', ['-c', `rg() { "${rg}" --no-config --sort path "$@"; }; export -f rg; ${script}`], {
    cwd: directory,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { lines: sorted(script, run.stdout), code: run.status }
}

/** ripgrep sorts files and directories together, and we list files first: compared without order where the order does not matter. */
function sorted(script: string, stdout: string): readonly string[] {
  const lines = stdout.split('\n')
  return /-[ABC]|--heading|--context/.test(script) ? lines : lines.sort()
}

const scripts: readonly string[] = [
  'rg needle',
  'rg -n needle',
  'rg needle a.ts',
  'rg -n needle a.ts',
  'rg needle .',
  'rg -n needle deep',
  'rg -n needle deep/',
  'rg -n needle ./deep a.ts',
  'rg -i NEEDLE a.ts',
  'rg -S needle a.ts',
  'rg -S Needle a.ts',
  'rg -s Needle',
  'rg -w needle',
  'rg -c needle',
  'rg --count-matches needle',
  'rg -c needle a.ts',
  'rg -l needle',
  'rg --files-without-match needle',
  'rg -v needle a.ts',
  'rg -vc needle a.ts',
  'rg -o need..',
  'rg -on "n[a-z]+" a.ts',
  'rg -x "needle at eight" deep',
  'rg -F "a.b(c)[d]"',
  'rg -F "x^2 + $1"',
  "rg -F 'x^2 + $1' special.txt",
  'rg -e Needle -e three',
  'rg -eNeedle a.ts',
  'rg -g "*.ts" needle',
  'rg -g "!*.ts" needle',
  'rg -g "deep/**" needle',
  'rg -g "!deep" needle',
  'rg -g "*.{js,md}" needle',
  'rg -g "*.ts" -g "!a.ts" needle',
  'rg --iglob "*.TS" needle',
  'rg -t ts needle',
  'rg -tjs -tmd needle',
  'rg -T ts needle',
  'rg --hidden needle',
  'rg -. needle',
  'rg --no-ignore needle',
  'rg -uu needle',
  'rg -n -C1 needle deep/er/c.ts',
  'rg -n -A 2 needle deep/er/c.ts',
  'rg -B1 needle deep/er/c.ts',
  'rg -n --context=10 needle deep/er/c.ts',
  'rg -n -C1 needle crlf.txt a.ts',
  'rg --heading -n needle a.ts crlf.txt',
  'rg -H needle a.ts',
  'rg -I needle',
  'rg --no-filename -n needle deep',
  'rg --column needle a.ts',
  'rg --vimgrep Needle a.ts',
  'rg -m1 needle a.ts deep/er/c.ts',
  'rg --max-depth 1 needle',
  'rg --max-depth 2 needle',
  'rg --trim needle deep/er/c.ts',
  'rg -q needle && echo yes',
  'rg -q nothing-like-this || echo no',
  'rg nothing-like-this',
  'rg --files',
  'rg --files deep',
  'rg --files -g "*.ts"',
  'rg --files --hidden -g "!.git"',
  'rg "" special.txt',
  'rg "^$" a.ts',
  'rg "ü.ï"',
  'rg needle empty.txt',
  'rg needle no-such-file',
  'rg needle a.ts no-such-file',
  'cat a.ts | rg needle',
  'cat a.ts | rg -n needle -',
  'cat a.ts | rg -c needle',
  'true | rg needle',
  'rg needle < empty.txt',
  'rg needle < a.ts',
  'f() { true | rg needle; }; f; bash -c "true | rg needle"',
  'cat a.ts | { rg -c needle; }',
  'cd deep && rg -n needle',
  'cd deep && rg -n needle ../a.ts',
  'rg needle build/out.ts',
  'rg needle build',
  'rg -l --null needle a.ts',
  'rg -c0 needle a.ts b.js',
  'rg -- -x a.ts',
  'rg',
  'rg -t nonsense needle',
  'rg --what needle',
  'rg -A x needle',
]

describeUnless(whyNotInstalled(rg, 'rg'), 'rg answers as ripgrep does', () => {
  // Each starts a program of the machine.
  it.each(sample(scripts, 6))('%s', async script => {
    const [{ lines, code }, expected] = [await ours(script), theirs(script)]
    expect({ lines, code }).toEqual(expected)
  })
})

describe('rg says what it cannot do', () => {
  it.each([
    ['rg --pre cat needle', '--pre is not available here: '],
    ['rg --hyperlink-format file needle', '--hyperlink-format is not available here: '],
    ['rg "f(" special.txt', 'regex parse error:'],
    ['rg "(?=x)"', 'regex parse error:'],
    ['rg -g "{a" -g "**/**/**/**/**/**/**/**/**/**/**/**/**/x" needle', 'error parsing glob'],
  ])('%s', async (script, message) => {
    const { stderr, code } = await ours(script)
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining(`rg: ${message}`), code: 2 })
  })
})

it('sees what the same script wrote before', async () => {
  expect((await ours('echo fresh-word > new.txt; rg fresh-word; rm new.txt; rg fresh-word; echo $?')).lines).toEqual(
    sorted('', 'new.txt:fresh-word\n1\n'),
  )
})

it('tells that a binary file which it was asked about matches', async () => {
  const { lines, code } = await ours("printf 'needle\\0' > bin; rg needle bin; c=$?; rm bin; exit $c")
  expect({ lines, code }).toEqual({ lines: ['', 'binary file matches (found "\\0" byte around offset 6)'], code: 0 })
})
