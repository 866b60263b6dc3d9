// A call of rg on one tree twice: ours on the tree in memory, ripgrep on the same tree on the disk.

import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { memory } from '../../backends/memory/index.ts'
import { defaultLimits } from '../../core/limits.ts'
import { parsePath } from '../../core/path.ts'
import { SearchIndex } from '../../session/search-index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import { rg, type RgWorkspace } from '../../workspace/rg/rg.ts'

export type Tree = Readonly<Record<string, string | Uint8Array | { readonly link: string } | { readonly directory: true }>>

export interface Call {
  readonly words: readonly string[]
  /** A directory below the root; empty: the root. */
  readonly cd: string
  readonly stdin: string | Uint8Array | undefined
}

/** Bytes as characters, without durations. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Each file has a time of its own, so that an order by time is known. */
const timeOf = (index: number): number => 1_600_000_000 + ((index * 7919) % 10_007)

export async function inMemory(tree: Tree, root: string): Promise<RgWorkspace> {
  const vfs = createVfs(memory({}))
  await vfs.mkdir(root, { recursive: true })
  for (const [index, [name, node]] of Object.entries(tree).entries()) {
    const path = join(root, name)
    await vfs.mkdir(dirname(path), { recursive: true })
    if (typeof node === 'string' || node instanceof Uint8Array) {
      await vfs.writeFile(path, node)
      await vfs.utimes(path, timeOf(index) * 1000)
    } else if ('link' in node) await vfs.symlink(node.link, path)
    else await vfs.mkdir(path, { recursive: true })
  }
  const index = SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes)
  return { vfs, root: parsePath(root), limits: defaultLimits, index: () => index }
}

export function onDisk(tree: Tree, root: string): void {
  mkdirSync(root, { recursive: true })
  for (const [index, [name, node]] of Object.entries(tree).entries()) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof node === 'string' || node instanceof Uint8Array) {
      writeFileSync(path, node)
      utimesSync(path, timeOf(index), timeOf(index))
    } else if ('link' in node) symlinkSync(node.link, path)
    else mkdirSync(path, { recursive: true })
  }
}

export async function ours(workspace: RgWorkspace, { words, cd, stdin }: Call): Promise<Printed> {
  const context = { cwd: parsePath(join(workspace.root, cd)), stdin: bytes(stdin), env: {}, signal: new AbortController().signal }
  const { stdout, stderr, exitCode } = await rg(words, context, workspace)
  return { stdout: timeless(stdout), stderr: shown(stderr), exitCode }
}

/** The exit code is -1 if it prints more than 64 MiB. */
export function theirs(program: string, root: string, { words, cd, stdin }: Call): Printed {
  const ran = spawnSync(program, ['--no-config', '--sort=path', ...words], {
    cwd: join(root, cd),
    // A variable such as NO_COLOR would change the output.
    env: { PATH: process.env['PATH'] },
    maxBuffer: 64 * 1024 * 1024,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(stdin === undefined ? {} : { input: bytes(stdin) }),
  })
  return { stdout: timeless(ran.stdout), stderr: shown(ran.stderr), exitCode: ran.status ?? -1 }
}

function bytes(stdin: string | Uint8Array | undefined): Uint8Array | undefined {
  return typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin
}

function timeless(output: Uint8Array): string {
  return shown(output)
    .replaceAll(/"(elapsed|elapsed_total)":\{[^}]*\}/g, '"$1":{}')
    .replaceAll(/^[\d.]+ seconds/gm, 'N seconds')
}

const shown = (output: Uint8Array): string => Buffer.from(output).toString('latin1')
