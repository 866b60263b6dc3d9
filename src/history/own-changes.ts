// Records the changes that pass through a filesystem without snapshots, in a tree in memory that holds the known part of the files. Before
// a change, the affected entries are looked up and copied into the tree; then the same change is applied to the tree. The tree thus
// provides the states before and after each recorded change. Changes by others are found when the same entry is changed next.

import { asynchronous } from '../vfs/asynchronous.ts'
import { basename, childPath, dirname, rootPath, type VfsPath } from '../core/path.ts'
import type { VfsBackend, VfsSync } from '../vfs/backend.ts'
import { isVfsError } from '../vfs/error.ts'
import {
  callPrimitive,
  type ChangingName,
  changingNames,
  keptArguments,
  mapPrimitives,
  mapWaiting,
  pathsOf,
  type PrimitiveArguments,
  type PrimitiveResults,
} from '../vfs/port.ts'
import { call, type Primitives, runNow, runWaiting, type Steps } from '../vfs/steps.ts'
import { createTreeStore } from '../vfs/tree/store.ts'
import { treeBackend } from '../vfs/tree/tree-backend.ts'
import { type StatesBackend, unseenOrigin } from './states.ts'
import { putEntry, removeEntries, statOf } from './look.ts'
import type { RecordedEntry } from './step-record.ts'

export interface OwnChanges {
  /** The filesystem to use for changes that must be recorded. */
  readonly files: VfsBackend
  readonly states: StatesBackend
}

/** A change of the known tree. */
interface Told {
  readonly isUnseen: boolean
  readonly tell: (known: VfsSync) => void
}

type Tell = (told: Told) => void

export function recordOwnChanges(backend: VfsBackend, clock: () => number): OwnChanges {
  const store = createTreeStore(clock)
  const known = treeBackend(() => store)
  const unseen = known.as(unseenOrigin)
  let queue: Promise<unknown> = Promise.resolve()
  /** Changes run one at a time, because concurrent ones would each see a part of the other. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work, work)
    queue = turn.catch(() => undefined)
    return await turn
  }

  const recorded = (on: VfsBackend, own: StatesBackend): VfsBackend => {
    const tell: Tell = told => told.tell((told.isUnseen ? unseen : own).sync ?? known.sync)
    const { sync, batch, as } = on
    const sees = { known: known.sync, tell }
    const ownSync = sync === undefined ? undefined : recordedNow(sync, sees)
    return {
      ...on,
      get caps() {
        return on.caps
      },
      ...(ownSync === undefined
        ? mapWaiting(changingNames, (name, args) => {
            const kept = keptArguments(args)
            return inTurn(() => runWaiting(changed(on, sees, name, kept)))
          })
        : { ...asynchronous(ownSync), sync: ownSync }),
      ...(batch === undefined
        ? {}
        : {
            batch: (work, options) => {
              const transact = async (): Promise<Awaited<ReturnType<typeof work>>> => {
                let told: Told[] = []
                const result = await batch.call(
                  on,
                  transaction => {
                    // The filesystem may call the function more than once.
                    told = []
                    const draft = known.fork(known.snapshot()).sync
                    const collect: Tell = each => {
                      each.tell(draft)
                      told.push(each)
                    }
                    return work(recordedNow(transaction, { known: draft, tell: collect }))
                  },
                  options,
                )
                await replay(told, own, unseen)
                return result as Awaited<ReturnType<typeof work>>
              }
              return sync === undefined ? inTurn(transact) : transact()
            },
          }),
      ...(as === undefined ? {} : { as: origin => recorded(as.call(on, origin), known.as(origin)) }),
    }
  }
  return { files: recorded(backend, known), states: known }
}

/** Applies related changes to the known tree in one commit. */
async function replay(told: readonly Told[], own: VfsBackend, unseen: VfsBackend): Promise<void> {
  for (let start = 0; start < told.length;) {
    const isUnseen = told[start]?.isUnseen === true
    let end = start
    while (end < told.length && (told[end]?.isUnseen === true) === isUnseen) end++
    const together = told.slice(start, end)
    await (isUnseen ? unseen : own).batch?.(transaction => {
      for (const { tell } of together) tell(transaction)
    })
    start = end
  }
}

interface Sees {
  readonly known: VfsSync
  readonly tell: Tell
}

function recordedNow(sync: VfsSync, sees: Sees): VfsSync {
  return { ...sync, ...mapPrimitives(changingNames, (name, args) => runNow(changed({ sync }, sees, name, args))) }
}

function* changed<K extends ChangingName>(
  on: Primitives,
  sees: Sees,
  name: K,
  args: PrimitiveArguments[K],
): Steps<PrimitiveResults[K]> {
  const follows = name === 'write' || (name === 'setattr' && (args[1] as { follow?: boolean }).follow !== false)
  const places: VfsPath[] = []
  for (const path of pathsOf(name, args)) {
    const place = yield* placeOf(on, path, follows)
    places.push(place)
    yield* observe(on, sees, place)
  }
  // The call may take ownership of the bytes.
  const own = keptArguments(args)
  const result = yield* call(on, name, ...args)
  sees.tell({ isUnseen: false, tell: known => carryOut(known, name, own, places) })
  return result
}

/** The real path of `path`. A symlink as the last name is resolved only if `follows`. Missing names are kept. */
function* placeOf(on: Primitives, path: VfsPath, follows: boolean): Steps<VfsPath> {
  if (path === rootPath) return rootPath
  try {
    if (follows) return yield* call(on, 'realpath', path)
    return childPath(yield* call(on, 'realpath', dirname(path)), basename(path))
  } catch (error) {
    if (!isVfsError(error, 'ENOENT', 'ENOTDIR')) throw error
    return childPath(yield* placeOf(on, dirname(path), true), basename(path))
  }
}

/** Updates the known state of one entry and of its parent directories. */
function* observe(on: Primitives, { known, tell }: Sees, place: VfsPath): Steps<void> {
  const entry = yield* entryAt(on, place)
  if (entry === undefined) {
    if (statOf(known, place) !== undefined) tell({ isUnseen: true, tell: files => void removeEntries(files, place) })
    return
  }
  const above: VfsPath[] = []
  for (let at = dirname(place); at !== rootPath && statOf(known, at)?.kind !== 'directory'; at = dirname(at)) above.unshift(at)
  for (const path of above) {
    const directory = yield* entryAt(on, path)
    if (directory !== undefined) tell({ isUnseen: true, tell: files => void putEntry(files, path, directory) })
  }
  if (isKnown(known, place, entry)) return
  tell({ isUnseen: true, tell: files => void putEntry(files, place, entry) })
}

function isKnown(known: VfsSync, place: VfsPath, { kind, mode, content, target }: RecordedEntry): boolean {
  const stat = statOf(known, place)
  if (stat?.kind !== kind || stat.mode !== mode) return false
  if (kind === 'symlink') return known.readlink(place) === target
  if (content === undefined) return true
  return stat.sizeBytes === content.length && known.read(place).every((byte, index) => byte === content[index])
}

function* entryAt(on: Primitives, path: VfsPath): Steps<RecordedEntry | undefined> {
  try {
    const { kind, mode } = yield* call(on, 'lookup', path, { follow: false })
    if (kind === 'symlink') return { kind, mode, target: yield* call(on, 'readlink', path) }
    return kind === 'file' ? { kind, mode, content: yield* call(on, 'read', path) } : { kind, mode }
  } catch (error) {
    if (isVfsError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
    throw error
  }
}

/** Applies the same change to the known tree. Known children of a directory that others have removed would block it. */
function carryOut<K extends ChangingName>(
  known: VfsSync,
  name: K,
  args: PrimitiveArguments[K],
  places: readonly VfsPath[],
): void {
  const [first = rootPath, second = rootPath] = places
  if (name === 'remove') removeEntries(known, first)
  else if (name === 'rename') {
    removeEntries(known, second)
    callPrimitive(known, 'rename', [first, second])
  } else if (name === 'write') {
    const [, data, options] = args as PrimitiveArguments['write']
    callPrimitive(known, 'write', [first, data, { ...options, ifRev: undefined, parents: true, transfer: false }])
  } else if (name === 'symlink') callPrimitive(known, 'symlink', [String(args[0]), first])
  else if (name === 'mkdir') callPrimitive(known, 'mkdir', [first, (args as PrimitiveArguments['mkdir'])[1]])
  else if (name === 'link') callPrimitive(known, 'link', [first, second])
  else callPrimitive(known, 'setattr', [first, (args as PrimitiveArguments['setattr'])[1]])
}
