// A backend that opens with its first operation: `opfs()` must answer at once, on a page too, where only its recipe is wanted.

import type { BackendRecipe, VfsBackend, VfsCaps } from '../../vfs/backend.ts'
import { actingAs } from '../../vfs/origin.ts'
import { callWaiting, keptArguments, mapWaiting, primitiveNames } from '../../vfs/port.ts'

/** Without what cannot wait for the opening: the synchronous side, snapshots, forks and differences. */
export function lazyBackend(caps: VfsCaps, recipe: BackendRecipe, open: () => Promise<VfsBackend>): VfsBackend {
  let opening: Promise<VfsBackend> | undefined
  let known = caps
  const opened = (): Promise<VfsBackend> => {
    if (opening === undefined) {
      opening = open().then(backend => {
        // What it can do here is known only now: files that cannot be kept say so.
        known = backend.caps
        return backend
      })
      // Whoever asked hears of a failure. The next operation tries again: another tab may have closed by then.
      opening.catch(() => {
        opening = undefined
      })
    }
    return opening
  }
  const openIfAny = async (): Promise<VfsBackend | undefined> => await opening
  return waitingBackend({
    caps: () => ({ ...known, sync: false, snapshots: false }),
    recipe,
    opened,
    whole: opened,
    openIfAny,
    openedOrNot: () => openIfAny().catch(() => undefined),
  })
}

interface Opening {
  readonly caps: () => VfsCaps
  readonly recipe: BackendRecipe
  /** As whoever uses it. */
  readonly opened: () => Promise<VfsBackend>
  readonly whole: () => Promise<VfsBackend>
  /** Does not open it. */
  readonly openIfAny: () => Promise<VfsBackend | undefined>
  /** The same, where nobody hears of it when it does not open: every operation tells why. */
  readonly openedOrNot: () => Promise<VfsBackend | undefined>
}

function waitingBackend(opening: Opening): VfsBackend {
  const { opened, recipe } = opening
  return {
    get caps() {
      return opening.caps()
    },
    recipe,
    ...mapWaiting(primitiveNames, async (name, args) => {
      const kept = keptArguments(args)
      return callWaiting(await opened(), name, kept)
    }),
    async batch(work, options) {
      const backend = await opened()
      if (backend.batch === undefined) throw new Error('a stored filesystem has batches')
      return backend.batch(work, options)
    },
    watch(path, listener, options) {
      let isEnded = false
      let unsubscribe: (() => void) | undefined
      // At once when it is open: what anybody does from now on is told.
      opening.whole().then(
        backend => {
          if (!isEnded) unsubscribe = backend.watch?.(path, listener, options)
        },
        // Every operation tells why it does not open, and without one nothing changes.
        () => {},
      )
      return () => {
        isEnded = true
        unsubscribe?.()
      }
    },
    usage: async () => (await (await opened()).usage?.()) ?? { bytes: 0, nodes: 0 },
    async flush() {
      await (await opening.openIfAny())?.flush()
    },
    async close() {
      await (await opening.openIfAny())?.close()
    },
    derived: {
      load: async () => (await opening.openedOrNot())?.derived?.load(),
      save: async bytes => (await (await opening.openedOrNot())?.derived?.save(bytes)) ?? false,
    },
    as(origin) {
      let made: Promise<VfsBackend> | undefined
      const openedAs = (): Promise<VfsBackend> => {
        made ??= opened().then(backend => actingAs(backend, origin))
        made.catch(() => {
          made = undefined
        })
        return made
      }
      return waitingBackend({ ...opening, opened: openedAs })
    },
  }
}
