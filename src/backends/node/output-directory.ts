// Outputs of sessions in a temporary directory, for outputs that do not fit into memory or that should outlive their process. Node's
// modules are loaded on demand and never imported, because the workspace, which is bundled for pages too, includes this file.

import { AnchorageError, systemErrorCode } from '../../core/errors.ts'
import { surplusPlaces, type IdlePlace, type KeptPlace, type OutputStorage } from '../../core/output-storage.ts'

// The ID of the process that uses it is part of a directory's name, so that taking it over is one rename, which only one process can win.
const prefix = 'anchorage-outputs-'
const namePattern = /^[0-9a-f-]{36}$/
const nobody = 0
/** Present if the directory should outlive its session. */
const markName = 'kept'

/**
 * Opens a place for one session below `parent`, by default the system's temporary directory, readable only for its user; or opens the kept
 * one. Rejects with `AnchorageError`: `outputs-unavailable`, `outputs-gone`, `outputs-in-use`.
 */
export async function openOutputDirectory(parent?: string, kept?: KeptPlace): Promise<OutputStorage> {
  try {
    const { files, os, path } = nodeModules()
    const base = parent ?? os.tmpdir()
    // First open the requested one, because the clean-up could remove it.
    const taken = kept === undefined ? undefined : await takeOver(base, kept)
    await removeLeftovers(base)
    const name = kept?.name ?? crypto.randomUUID()
    const directory = taken ?? path.join(base, directoryName(process.pid, name))
    if (taken === undefined) await files.mkdir(directory, { mode: 0o700 })
    return storageIn(directory, { base, name, isKept: kept !== undefined })
  } catch (cause) {
    if (cause instanceof AnchorageError) throw cause
    throw new AnchorageError(
      'outputs-unavailable',
      'No directory could be created for long outputs. Next: check the permissions and the space of the temporary directory.',
      { cause },
    )
  }
}

function storageIn(
  directory: string,
  place: { readonly base: string; readonly name: string; readonly isKept: boolean },
): OutputStorage {
  const { files, path } = nodeModules()
  const { base, name } = place
  let { isKept } = place
  let closing: Promise<void> | undefined
  const fileOf = (outputId: number, chunkIndex: number): string => path.join(directory, `${outputId}-${chunkIndex}`)
  return {
    put: (outputId, chunkIndex, bytes) => files.writeFile(fileOf(outputId, chunkIndex), bytes, { mode: 0o600 }),
    // A cleaner of temporary files may have removed it.
    get: (outputId, chunkIndex) => ifThere(() => files.readFile(fileOf(outputId, chunkIndex))),
    remove: async (outputId, chunkCount) => {
      for (let index = 0; index < chunkCount; index++) await files.rm(fileOf(outputId, index), { force: true })
    },
    keep: async sizeBytes => {
      const mark: Omit<IdlePlace, 'name'> = { keptAtMs: Date.now(), sizeBytes }
      await files.writeFile(path.join(directory, markName), JSON.stringify(mark), { mode: 0o600 })
      isKept = true
      return name
    },
    close: ({ forget = false } = {}) =>
      (closing ??=
        isKept && !forget
          ? files.rename(directory, path.join(base, directoryName(nobody, name)))
          : files.rm(directory, { recursive: true, force: true })),
  }
}

async function takeOver(base: string, { name, nextOutputId }: KeptPlace): Promise<string> {
  const { files, path } = nodeModules()
  if (!namePattern.test(name)) throw gone()
  const found = (await placesIn(base)).find(place => place.name === name)
  if (found === undefined || (await markOf(found.directory)) === undefined) throw gone()
  if (!(await isIdle(found))) throw inUse()
  const directory = path.join(base, directoryName(process.pid, name))
  // The old name no longer exists: another process was faster.
  if (found.directory !== directory && !(await didRename(found.directory, directory))) throw inUse()
  // `isIdle` checks the time, so make it as new as this process.
  await files.utimes(directory, new Date(), new Date())
  for (const file of await files.readdir(directory)) {
    const [, outputId] = /^(\d+)-\d+$/.exec(file) ?? []
    if (outputId !== undefined && Number(outputId) >= nextOutputId) await files.rm(path.join(directory, file), { force: true })
  }
  return directory
}

async function didRename(from: string, to: string): Promise<boolean> {
  const { files } = nodeModules()
  const renamed = async (): Promise<true> => {
    await files.rename(from, to)
    return true
  }
  return (await ifThere(renamed)) ?? false
}

interface Place {
  readonly directory: string
  readonly name: string
  readonly pid: number
}

async function placesIn(base: string): Promise<readonly Place[]> {
  const { files, path } = nodeModules()
  return (await files.readdir(base)).flatMap(entry => {
    const [, pid, name] = entry.startsWith(prefix) ? (/^(\d+)-(.+)$/.exec(entry.slice(prefix.length)) ?? []) : []
    return pid === undefined || name === undefined ? [] : [{ directory: path.join(base, entry), name, pid: Number(pid) }]
  })
}

async function removeLeftovers(base: string): Promise<void> {
  const { files } = nodeModules()
  const idle: (Place & IdlePlace)[] = []
  for (const place of await placesIn(base)) {
    if (!(await isIdle(place))) continue
    const mark = await markOf(place.directory)
    if (mark === undefined) await files.rm(place.directory, { recursive: true, force: true })
    else idle.push({ ...place, ...mark })
  }
  for (const { directory } of surplusPlaces(idle, Date.now())) await files.rm(directory, { recursive: true, force: true })
}

/** If this is uncertain, the directory counts as used, and is left for another time. */
async function isIdle({ directory, pid }: Place): Promise<boolean> {
  const { files } = nodeModules()
  const stat = await ifThere(() => files.lstat(directory))
  // A directory of another user, or a link, must not be taken over or removed.
  if (stat === undefined || !stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid)) return false
  if (pid === nobody) return true
  // Process IDs are reused, in containers always: a directory older than this process does not belong to it.
  if (pid === process.pid) return stat.ctimeMs < Date.now() - process.uptime() * 1000
  return !isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH'
  }
}

/** A damaged mark counts as missing. */
async function markOf(directory: string): Promise<Omit<IdlePlace, 'name'> | undefined> {
  const { files, path } = nodeModules()
  const text = await ifThere(() => files.readFile(path.join(directory, markName), 'utf8'))
  const [, keptAtMs, sizeBytes] = /^\{"keptAtMs":(\d+),"sizeBytes":(\d+)\}$/.exec(text ?? '') ?? []
  return keptAtMs === undefined ? undefined : { keptAtMs: Number(keptAtMs), sizeBytes: Number(sizeBytes) }
}

function directoryName(pid: number, name: string): string {
  return `${prefix}${pid}-${name}`
}

function gone(): AnchorageError {
  return new AnchorageError(
    'outputs-gone',
    'The outputs of this conversation were removed. Next: open a session without them, and run the commands again.',
  )
}

function inUse(): AnchorageError {
  return new AnchorageError(
    'outputs-in-use',
    'The outputs of this conversation are open in another session. Close that one first.',
  )
}

async function ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

interface NodeModules {
  readonly files: typeof import('node:fs/promises')
  readonly os: typeof import('node:os')
  readonly path: typeof import('node:path')
}

function nodeModules(): NodeModules {
  return {
    files: process.getBuiltinModule('node:fs/promises'),
    os: process.getBuiltinModule('node:os'),
    path: process.getBuiltinModule('node:path'),
  }
}
