// Runs a call on Node's `fs.promises` in a temporary directory and on a facade, and compares the results, the errors, and the files
// afterwards.

import nodeFs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVfs } from '../vfs/create-vfs.ts'
import { type NodeFsPromises, toNodeFs } from '../vfs/facades/node/index.ts'
import { createTreeStore } from '../vfs/tree/store.ts'
import { treeBackend } from '../vfs/tree/tree-backend.ts'

export type NodeFsAct = (fs: NodeFsPromises, root: string) => Promise<unknown>
/** Rule, tree, call. */
export type NodeFsRow = readonly [rule: string, tree: string, act: NodeFsAct]

// Node's types are wider than ours for arguments and results; both are called with our types.
const real = nodeFs.promises as unknown as NodeFsPromises

/** The result of `act` in `tree`, on Node and on the facade. */
export async function compareWithNode(tree: string, act: NodeFsAct): Promise<{ readonly node: unknown; readonly ours: unknown }> {
  const root = mkdtempSync(join(tmpdir(), 'node-facade-'))
  const store = createTreeStore(Date.now)
  const facade = toNodeFs(createVfs(treeBackend(() => store)), { umask: process.umask() })
  try {
    return { node: await outcome(real, root, tree, act), ours: await outcome(facade.promises, root, tree, act) }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** 'd/ f=text l->target' as in the filesystem contract. */
async function plant(fs: NodeFsPromises, root: string, tree: string): Promise<void> {
  for (const item of tree.split(' ').filter(part => part !== '')) {
    const [, name = '', sign = '', value = ''] = /^(.*?)(\/?$|=|->)(.*)$/.exec(item) ?? []
    const path = `${root}/${name}`
    await fs.mkdir(sign === '/' ? path : path.slice(0, path.lastIndexOf('/')), { recursive: true })
    if (sign === '->') await fs.symlink(value.startsWith('/') ? root + value : value, path)
    else if (sign === '=') await fs.writeFile(path, value)
  }
}

async function isThere(fs: NodeFsPromises, path: string): Promise<boolean> {
  return (await codeOf(fs.access(path))) !== 'ENOENT'
}

async function show(fs: NodeFsPromises, root: string): Promise<string> {
  const items: string[] = []
  const visit = async (directory: string): Promise<void> => {
    const entries = (await fs.readdir(directory, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (entries.length === 0 && directory !== root) items.push(`${directory.slice(root.length + 1)}/`)
    for (const entry of entries) {
      const path = `${directory}/${entry.name}`
      const name = path.slice(root.length + 1)
      if (entry.isDirectory()) await visit(path)
      else if (entry.isSymbolicLink()) items.push(`${name}->${String(await fs.readlink(path)).replaceAll(root, '')}`)
      else items.push(`${name}=${await fs.readFile(path, 'utf8')}:${((await fs.stat(path)).mode & 0o777).toString(8)}`)
    }
  }
  // A call may remove the compared directory, such as `rm('d/..')`.
  if (!(await isThere(fs, root))) return 'nothing'
  await visit(root)
  return items.join(' ')
}

/** What is compared: Buffers as bytes, without the temporary directory. */
function plain(value: unknown, root: string): unknown {
  if (value instanceof Uint8Array) return [...value]
  if (typeof value === 'string') return value.replaceAll(root, '')
  if (Array.isArray(value)) return value.map(item => plain(item, root))
  return value
}

async function outcome(fs: NodeFsPromises, root: string, tree: string, act: NodeFsAct): Promise<unknown> {
  await fs.mkdir(root, { recursive: true })
  await plant(fs, root, tree)
  try {
    const gives = plain(await act(fs, root), root)
    return { gives, leaves: await show(fs, root) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { code, errno, syscall, path, dest } = error as Error & Record<string, unknown>
    const shown = [code, errno, syscall, path, dest, error.message, error instanceof TypeError].map(fact => plain(fact, root))
    return { fails: shown, leaves: await show(fs, root) }
  }
}

/** The error code of a promise, for rows in which Node's message does not matter. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : error
  }
}

export const kindOf = (stat: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): string =>
  stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'symlink' : 'other'
