// The machine's ripgrep is the oracle: for every call of the table, our rg has the same output, byte for byte, and the same exit code.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'

import { afterAll, describe, expect, test } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { defaultLimits } from '../../core/limits.ts'
import { parsePath } from '../../core/path.ts'
import { SearchIndex } from '../../session/search-index.ts'
import { isDeep } from '../../testing/depth.ts'
import { installedCommand } from '../../testing/search-oracle/installed-command.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { rg, type RgWorkspace } from './rg.ts'
import { cases, type RgCase, type Tree } from './ripgrep-cases.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

const ripgrep = installedCommand('rg')
const installedVersion = Number(
  /^ripgrep (\d+)/.exec(spawnSync(ripgrep ?? 'rg', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1],
)
const root = parsePath('/workspace')
const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** Calls for which ripgrep 15 differs from version 13, which is common on machines, with the difference. */
const deviations: Readonly<Record<string, string>> = {
  '["-A2","-C1","world","sherlock"]': 'from 14 on, -A goes before -C whatever their order',
  '["-B0","-C2","extent","sherlock"]': 'from 14 on, -B goes before -C whatever their order',
  '["-U","--json","--no-stats","-q","x","input"]': 'its summary has times',
  '["(?-u)δ","a"]': 'from 14 on, a literal may be any character without Unicode',
  '["--no-unicode","-i","Δ","a"]': 'from 14 on, a literal may be any character without Unicode',
  '["-e",")(","a"]': 'from 14 on, a pattern is read as a group',
  '["-ow","\\\\.","a"]': 'from 14 on, -w asks for half boundaries',
  '["foo\\\\x00"]': 'from 14 on, a null byte in a pattern is refused while binary files are detected',
  '["-vf","empty","a"]': 'from 14 on, no pattern matches nothing, so that -v shows everything',
  '["-g","!asdf./","--files"]': 'from 15 on, a dot at the end of a name counts',
  '["--no-ignore-dot","--files"]': 'from 14 on, it is about .rgignore too',
  '["-tall","--files"]': 'from 14 on, .env is a file of a shell',
  '["--stop-on-nonmatch","-U","b\\\\nc","f"]': 'from 14 on, the last of the two flags counts',
  '["--files","-c","x"]': 'from 14 on, the last mode counts',
  '["--files","--files-without-match"]': 'from 14 on, the last mode counts',
  '["-e","x","--files","-l"]': 'from 14 on, the last mode counts',
  '["-e","a","-e","\\\\n","f"]': 'from 14 on, patterns of one character are one class',
  '["--files","-g","\\\\{q}"]': 'from 14 on, a brace that was never opened is an error',
  '["--files","-g","q}"]': 'from 14 on, a brace that was never opened is an error',
  '["--files","--sortr","path","d","a","a b"]': 'from 14 on, all files are sorted together',
  '["--files","--sortr","path","é","a b","./d","a"]': 'from 14 on, all files are sorted together',
  '["--files","a"]': 'from 15 on, an anchored rule of a parent directory holds wherever the search begins',
}

interface Printed {
  readonly stdout: string
  readonly exitCode: number
}

async function workspaceOf(tree: Tree): Promise<RgWorkspace> {
  const vfs = createVfs(memory({}))
  await vfs.mkdir(root, { recursive: true })
  for (const [name, value] of Object.entries(tree)) {
    const path = `${root}/${name}`
    await vfs.mkdir(dirname(path), { recursive: true })
    if (typeof value === 'string' || value instanceof Uint8Array) await vfs.writeFile(path, value)
    else if ('link' in value) await vfs.symlink(value.link, path)
    else await vfs.mkdir(path, { recursive: true })
  }
  const index = SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes)
  return { vfs, root, limits: defaultLimits, index: () => index }
}

function directoryOf(tree: Tree): string {
  const directory = mkdtempSync(join(tmpdir(), 'rg-'))
  directories.push(directory)
  for (const [name, value] of Object.entries(tree)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof value === 'string' || value instanceof Uint8Array) writeFileSync(path, value)
    else if ('link' in value) symlinkSync(value.link, path)
    else mkdirSync(path, { recursive: true })
  }
  return directory
}

function callOf(call: RgCase['calls'][number]): {
  readonly words: readonly string[]
  readonly cd: string
  readonly stdin: string | undefined
} {
  return 'words' in call ? { words: call.words, cd: call.cd ?? '', stdin: call.stdin } : { words: call, cd: '', stdin: undefined }
}

async function ours(workspace: RgWorkspace, call: RgCase['calls'][number]): Promise<Printed & { readonly stderr: string }> {
  const { words, cd, stdin } = callOf(call)
  const cwd = cd === '' ? root : parsePath(`${root}/${cd}`)
  const input = stdin === undefined ? undefined : new TextEncoder().encode(stdin)
  const { stdout, stderr, exitCode } = await rg(words, { cwd, stdin: input, signal: new AbortController().signal }, workspace)
  return { stdout: shown(stdout), exitCode, stderr: shown(stderr) }
}

function theirs(directory: string, call: RgCase['calls'][number]): Printed & { readonly stderr: string } {
  const { words, cd, stdin } = callOf(call)
  const ran = spawnSync(ripgrep ?? 'rg', ['--no-config', '--sort=path', ...words], {
    cwd: join(directory, cd),
    // It would prevent ripgrep from using requested colours.
    env: { ...process.env, NO_COLOR: undefined },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(stdin === undefined ? {} : { input: stdin }),
  })
  return { stdout: shown(ran.stdout), exitCode: ran.status ?? -1, stderr: shown(ran.stderr) }
}

const shown = (bytes: Uint8Array): string => Array.from(bytes, byte => String.fromCharCode(byte)).join('')

describeUnless(whyNotInstalled(ripgrep, 'rg'), 'rg prints what ripgrep prints', () =>
  describe.each(cases)('$name', ({ tree, calls }) => {
    // A call starts a real ripgrep, so the quick run has every third.
    const chosen = calls.filter((_call, index) => isDeep || index % 3 === 0)
    test.each(chosen.map(call => [JSON.stringify(call), call] as const))('%s', async (name, call) => {
      const own = await ours(await workspaceOf(tree), call)
      const other = theirs(directoryOf(tree), call)
      const isSame = own.stdout === other.stdout && own.exitCode === other.exitCode
      const why = deviations[name]
      const sinceVersion = Number(/^from (\d+) on/.exec(why ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
      if (why !== undefined && installedVersion < sinceVersion) expect(isSame, why).toBe(false)
      else expect(own).toEqual({ ...other, stderr: own.stderr })
    })
  }),
)
