// The port over an open log, whatever it is stored in.

import { VfsError } from '../../vfs/error.ts'
import type { BackendRecipe, Usage, VfsBackend } from '../../vfs/backend.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import type { OpenLog } from './log/open.ts'
import type { LogStorage } from './log/storage.ts'
import { Maintenance, type MaintenanceOptions } from './maintenance.ts'
import { storedCaps } from './caps.ts'
import { Pins } from './pins.ts'

export interface StoredBackendOptions extends Omit<MaintenanceOptions, 'pins'> {
  readonly recipe: BackendRecipe
  readonly quotaBytes: () => Promise<number | undefined>
  /** Lets go of what was held for the store, after everything else. */
  readonly onClose: () => void
}

export function storedBackend(open: OpenLog, storage: LogStorage, options: StoredBackendOptions): VfsBackend {
  const { recipe } = options
  const pins = new Pins()
  const maintenance = new Maintenance(open, { ...options, pins })
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    try {
      maintenance.end()
      await storage.settle()
    } finally {
      await storage.close()
      options.onClose()
    }
  }
  const kept = (inner: VfsBackend): VfsBackend => {
    const { batch, snapshot, fork, usage, as } = inner
    return {
      ...inner,
      caps: storedCaps,
      async flush() {
        open.log.flush()
        await storage.settle()
      },
      close: () => (closing ??= close()),
      ...(batch === undefined
        ? {}
        : {
            async batch(work, batchOptions) {
              try {
                return await pins.during(() => batch(work, batchOptions))
              } finally {
                maintenance.releaseRetired()
              }
            },
          }),
      ...(snapshot === undefined
        ? {}
        : {
            snapshot() {
              const taken = snapshot()
              pins.hold(taken, taken.fs)
              return taken
            },
          }),
      ...(fork === undefined
        ? {}
        : {
            fork(of) {
              const forked = fork(of)
              pins.hold(forked, ...(forked.sync === undefined ? [] : [forked.sync]))
              return forked
            },
          }),
      async usage(): Promise<Usage> {
        const [used, quotaBytes] = await Promise.all([usage?.() ?? { bytes: 0, nodes: 0 }, options.quotaBytes()])
        return { ...used, ...(quotaBytes === undefined ? {} : { quotaBytes }) }
      },
      ...(as === undefined ? {} : { as: origin => kept(as(origin)) }),
    }
  }
  return kept(
    treeBackend(
      () => {
        if (closing !== undefined) throw new VfsError('EBADF', 'open', { hint: 'this filesystem was closed' })
        return open.store
      },
      { recipe },
    ),
  )
}
