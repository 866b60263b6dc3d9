// Node's own `fs` and the facade over several backends, as subjects of the same seeded calls; and what is compared of their answers.

import nodeFs, { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createVolume } from '../backends/memfs/engine.ts'
import { memfs } from '../backends/memfs/index.ts'
import { node } from '../backends/node/index.ts'
import type { VfsBackend } from '../vfs/backend.ts'
import { createVfs } from '../vfs/create-vfs.ts'
import { toNodeFs } from '../vfs/facades/node/index.ts'
import { createTreeStore } from '../vfs/tree/store.ts'
import { treeBackend } from '../vfs/tree/tree-backend.ts'
import { fastTemporary } from './fuzz/oracle.ts'

export type WholeFs = typeof nodeFs

export interface FsSubject {
  readonly name: string
  readonly fs: WholeFs
  /** An empty directory. */
  readonly root: string
  dispose(): Promise<void>
}

function temporary(): string {
  return mkdtempSync(join(fastTemporary, 'node-fs-subject-'))
}

export function realSubject(): FsSubject {
  const root = temporary()
  return { name: 'node:fs', fs: nodeFs, root, dispose: async () => rmSync(root, { recursive: true, force: true }) }
}

/** The names of the backends that `facadeSubject` knows. */
export const facadeNames = ['memory', 'memfs', 'node'] as const

/** `root` is the same for all of them, because errors name it. */
export async function facadeSubject(name: (typeof facadeNames)[number], root: string): Promise<FsSubject> {
  const directory = name === 'node' ? temporary() : undefined
  const backend: VfsBackend =
    directory !== undefined ? node(directory, { durability: 'flush' }) : name === 'memfs' ? memfs(createVolume()) : memory()
  // Node's types are wider than ours; both are called with Node's.
  const fs = toNodeFs(createVfs(backend), { umask: process.umask() }) as unknown as WholeFs
  await fs.promises.mkdir(root, { recursive: true })
  await fs.promises.chmod(root, 0o700)
  return {
    name,
    fs,
    root,
    async dispose() {
      await backend.close()
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Whether `copyFile` would fail because this is a directory: Node then removes the target, and the facade keeps it (docs/filesystem.md). */
export function losesTarget(fs: WholeFs, source: unknown): boolean {
  try {
    return fs.statSync(source as string).isDirectory()
  } catch {
    return false
  }
}

function memory(): VfsBackend {
  const store = createTreeStore(Date.now)
  return treeBackend(() => store)
}

/** An answer as it is compared: bytes as numbers, errors as their fields, and no path of the machine. */
export function comparableAnswer(value: unknown, root: string): unknown {
  if (typeof value === 'string') return value.replaceAll(root, '')
  if (value instanceof Error) return failure(value, root)
  if (Buffer.isBuffer(value)) return { Buffer: [...value] }
  if (ArrayBuffer.isView(value)) {
    return { [value.constructor.name]: [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] }
  }
  if (Array.isArray(value)) return value.map(item => comparableAnswer(item, root))
  if (value !== null && typeof value === 'object' && [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, comparableAnswer(item, root)]))
  }
  return value
}

function failure(error: Error, root: string): unknown {
  const { code, errno, syscall, path, dest } = error as Error & Record<string, unknown>
  const facts = { name: error.name, message: error.message, text: String(error), code, errno, syscall, path, dest }
  return { fails: comparableAnswer(facts, root) }
}
