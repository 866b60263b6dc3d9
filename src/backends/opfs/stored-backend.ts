// Implements the filesystem port over an open log, for any storage.

import { defined } from '../../core/record.ts'
import { VfsError } from '../../vfs/error.ts'
import type { BackendRecipe, FullSyncBackend, Usage } from '../../vfs/backend.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import { type OpenLog, problemsOf } from './log/open.ts'
import type { LogStorage } from './log/storage.ts'
import { Maintenance, type MaintenanceOptions } from './maintenance.ts'
import { storedCaps } from './caps.ts'
import { Pins } from './pins.ts'

export interface StoredBackendOptions extends Omit<MaintenanceOptions, 'pins'> {
  readonly recipe: BackendRecipe
  readonly quotaBytes: () => Promise<number | undefined>
  /** Releases what was held for the store. Called last. */
  readonly onClose: () => void
}

export function storedBackend(open: OpenLog, storage: LogStorage, options: StoredBackendOptions): FullSyncBackend {
  const { recipe } = options
  const pins = new Pins()
  for (const problem of problemsOf(open)) options.onProblem(problem)
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
  const kept = (inner: FullSyncBackend): FullSyncBackend => ({
    ...inner,
    caps: storedCaps,
    async flush() {
      open.log.flush()
      await storage.settle()
    },
    close: () => (closing ??= close()),
    async batch(work, batchOptions) {
      try {
        return await pins.during(() => inner.batch(work, batchOptions))
      } finally {
        maintenance.releaseRetired()
      }
    },
    snapshot() {
      const taken = inner.snapshot()
      pins.hold(taken)
      return taken
    },
    fork(of) {
      const forked = inner.fork(of)
      pins.hold(forked, forked.sync)
      return forked
    },
    async usage(): Promise<Usage> {
      const [used, quotaBytes] = await Promise.all([inner.usage(), options.quotaBytes()])
      return { ...used, ...defined({ quotaBytes }) }
    },
    as: origin => kept(inner.as(origin)),
  })
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
