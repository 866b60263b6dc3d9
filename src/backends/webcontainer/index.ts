// Files of a WebContainer as a workspace's filesystem: tools and the container's processes see the same files. The container is in the
// page; this code runs in the worker and reaches it through one port.

import { checkOptions } from '../../core/argument.ts'
import { checkMember } from '../../core/errors.ts'
import { maxNameBytes } from '../../core/path.ts'
import type { VfsBackend, VfsCaps } from '../../vfs/backend.ts'
import { callPrimitive, keptArguments, mapWaiting, pathsOf, type PrimitiveName, primitiveNames } from '../../vfs/port.ts'
import { noteFilesystem } from './link.ts'
import { Mirror } from './mirror.ts'
import type { ContainerSource } from './wire.ts'

export type { ContainerPort, ContainerSource } from './wire.ts'

/** Options of `webcontainer`. */
export interface WebContainerOptions {
  /**
   * Directories, by name, that stay in the container: the tree is copied out after each process, and a large unused directory costs time
   * and memory. Commands see them. Here they are in no listing, and an operation on one fails with a hint to use a command. Default
   * `node_modules`; `[]` includes everything.
   */
  readonly exclude?: readonly string[] | undefined
  /** Milliseconds since 1970; default the system's. */
  readonly clock?: (() => number) | undefined
}

const caps: VfsCaps = {
  sync: false,
  // It outlives the worker, but a reload of the page empties it.
  persistent: false,
  readonly: false,
  symlinks: 'native',
  hardlinks: false,
  // The container neither reports nor accepts modes and times. Those that are set here are stored in the mirror, and processes do not see
  // them.
  mode: false,
  mtime: 'none',
  atomicWrite: false,
  atomicRename: false,
  transactions: true,
  snapshots: false,
  // Changes made here are reported exactly. Changes made by processes are reported when the container is looked at again.
  watch: 'hint',
  ranges: true,
  caseSensitive: true,
  maxNameBytes,
  maxFileBytes: 2 ** 31 - 1,
}

/** Delay between a process's change and its report to watchers, because processes end in bursts. */
const watchDelayMs = 100

/** The primitives that only depend on the place that their path leads to. The others depend on links, or on two places. */
const lookingAtOnePlace: ReadonlySet<PrimitiveName> = new Set([
  'lookup',
  'list',
  'read',
  'write',
  'mkdir',
  'remove',
  'setattr',
] as const)

/**
 * The working directory of a container as a filesystem. `source` is the container in the page (`openContainer` of `anchorage/client`).
 * Connects with the first operation.
 *
 * Revisions and batches are exact among the callers of this backend. A process of the container may see a part of a batch, and its write at
 * the same moment as a write here is overwritten. Rejects with `VfsError`, or with `container-lost` once the container is gone.
 */
export function webcontainer(source: ContainerSource, options: WebContainerOptions = {}): VfsBackend {
  checkMember('webcontainer', source, 'connect', 'the container of openContainer')
  checkOptions('webcontainer', options, { exclude: 1, clock: 1 })
  const { exclude = ['node_modules'], clock = Date.now } = options
  noteFilesystem(source)
  const mirror = new Mirror(source, { exclude, clock })
  const recipe = { kind: 'webcontainer', container: source, exclude }
  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    mirror.close()
  }
  const usedBy = (origin: string | undefined): VfsBackend => {
    const tree = origin === undefined ? undefined : mirror.for(origin)
    return {
      get caps() {
        const isAtomic = mirror.facts?.renameReplaces === true
        return { ...caps, atomicWrite: isAtomic, atomicRename: isAtomic }
      },
      recipe,
      ...mapWaiting(primitiveNames, (name, args) => {
        const kept = keptArguments(args)
        const path = lookingAtOnePlace.has(name) ? pathsOf(name, args)[0] : undefined
        return mirror.act(fs => callPrimitive(fs, name, kept), path, tree)
      }),
      batch: (work, batchOptions) => mirror.batch(work, batchOptions, tree),
      watch(path, listener, watchOptions) {
        const unsubscribe = mirror.inside.watch(path, listener, watchOptions)
        const stopLooking = lookOften(mirror)
        return () => {
          stopLooking()
          unsubscribe()
        }
      },
      async usage() {
        await mirror.refresh()
        return await mirror.inside.usage()
      },
      // Everything that was acknowledged is in the container.
      flush: async () => {},
      close,
      as: usedBy,
    }
  }
  return usedBy(undefined)
}

/** Refreshes the mirror soon after a process may have changed something. Ends with the container, when every operation fails. */
function lookOften(mirror: Mirror): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  let end: () => void = () => {}
  const look = (): void => {
    timer = undefined
    mirror.refresh().catch(() => {
      isOver = true
    })
  }
  mirror.open().then(
    link => {
      if (isOver) return
      end = link.onGeneration(() => {
        if (!isOver) timer ??= setTimeout(look, watchDelayMs)
      })
    },
    () => {
      isOver = true
    },
  )
  return () => {
    isOver = true
    end()
    clearTimeout(timer)
  }
}
