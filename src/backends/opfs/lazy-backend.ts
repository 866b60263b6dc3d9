// A backend that opens with its first operation. `opfs()` must return at once, also on a page that only needs the recipe.

import type { BackendRecipe, FullBackend, VfsBackend, VfsCaps } from '../../vfs/backend.ts'
import { actingAs } from '../../vfs/origin.ts'
import { offerPatch } from '../../vfs/patch-offer.ts'
import { callWaiting, keptArguments, mapWaiting, primitiveNames } from '../../vfs/port.ts'

/** Omits the features that cannot wait for the opening: the synchronous side, snapshots, forks and differences. */
export function lazyBackend(caps: VfsCaps, recipe: BackendRecipe, open: () => Promise<FullBackend>): VfsBackend {
  let opening: Promise<FullBackend> | undefined
  let known = caps
  const opened = (): Promise<FullBackend> => {
    if (opening === undefined) {
      opening = open().then(backend => {
        // The capabilities are known only now: a store that fell back to memory has different ones.
        known = backend.caps
        return backend
      })
      // The caller receives the failure. The next operation tries again, because another tab may have closed by then.
      opening.catch(() => {
        opening = undefined
      })
    }
    return opening
  }
  const openIfAny = async (): Promise<FullBackend | undefined> => await opening
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
  /** Opens the store if it is not open. */
  readonly opened: () => Promise<FullBackend>
  readonly whole: () => Promise<FullBackend>
  /** Does not open the store. */
  readonly openIfAny: () => Promise<FullBackend | undefined>
  /** Opens the store, but without reporting a failure to open: every operation reports it anyway. */
  readonly openedOrNot: () => Promise<FullBackend | undefined>
}

function waitingBackend(opening: Opening): VfsBackend {
  const { opened, recipe } = opening
  const waiting: VfsBackend = {
    get caps() {
      return opening.caps()
    },
    recipe,
    ...mapWaiting(primitiveNames, async (name, args) => {
      const kept = keptArguments(args)
      return callWaiting(await opened(), name, kept)
    }),
    batch: async (work, options) => (await opened()).batch(work, options),
    opened: opening.whole,
    watch(path, listener, options) {
      let isEnded = false
      let unsubscribe: (() => void) | undefined
      // Subscribe at once if the store is open, so that no later change is missed.
      opening.whole().then(
        backend => {
          if (!isEnded) unsubscribe = backend.watch(path, listener, options)
        },
        // Every operation reports why the store does not open, and until it opens nothing changes.
        () => {},
      )
      return () => {
        isEnded = true
        unsubscribe?.()
      }
    },
    usage: async () => (await opened()).usage(),
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
      let made: Promise<FullBackend> | undefined
      const openedAs = (): Promise<FullBackend> => {
        made ??= opened().then(backend => actingAs(backend, origin))
        made.catch(() => {
          made = undefined
        })
        return made
      }
      return waitingBackend({ ...opening, opened: openedAs })
    },
  }
  offerPatch(waiting)
  return waiting
}
