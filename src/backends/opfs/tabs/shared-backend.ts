// The filesystem of a tab that was not the first to open its store. It follows the tab that was. When that tab has ended and it is this
// tab's turn, it continues with the files themselves, without its users noticing.

import type { BackendRecipe, BatchOptions, FullBackend, VfsCaps, VfsTransaction } from '../../../vfs/backend.ts'
import { ContentElsewhere } from '../../../vfs/elsewhere.ts'
import { VfsError } from '../../../vfs/error.ts'
import { isPromise } from '../../../vfs/is-promise.ts'
import { actingAs } from '../../../vfs/origin.ts'
import { offerPatch } from '../../../vfs/patch-offer.ts'
import {
  callPrimitive,
  callWaiting,
  type ChangingName,
  changingNames,
  keptArguments,
  mapWaiting,
  type PrimitiveArguments,
  primitives,
  readingNames,
} from '../../../vfs/port.ts'
import { basisOf } from '../../../vfs/tree/basis.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import { checkExpected, draftPrimitives } from '../../../vfs/tree/transaction.ts'
import { treeBackend } from '../../../vfs/tree/tree-backend.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import type { Follower } from './follower.ts'
import type { Expectations, Job } from './jobs.ts'

export type Role =
  | { readonly is: 'following'; readonly follower: Follower }
  /** It is this tab's turn, and the files are being opened; the role changes afterwards. */
  | { readonly is: 'taking-over'; readonly done: Promise<void> }
  | { readonly is: 'leading'; readonly backend: FullBackend }
  | { readonly is: 'failed'; readonly failure: Error }

export interface SharedBackendOptions {
  readonly caps: VfsCaps
  readonly recipe: BackendRecipe
  readonly role: () => Role
  readonly quotaBytes: () => Promise<number | undefined>
  readonly close: () => Promise<void>
  /** The tree for reading while the role is not `leading`. */
  readonly follower: Follower
  /** Carries out the job here if this tab leads by now. Returns whether it does. */
  readonly finish: (job: Job) => boolean
}

/** How often to read again if a content was replaced while it was being fetched. */
const maxReads = 10

/** `origin`: see `VfsBackend.as`. */
export function sharedBackend(options: SharedBackendOptions, origin?: string): FullBackend {
  const { follower } = options
  const { replica } = follower
  const following = treeBackend(() => replica.store)

  const leading = (backend: FullBackend): FullBackend => actingAs(backend, origin)

  /** For the tree as it is known now: a tab that is taking over has the last state that it received. */
  const reading = (): FullBackend => {
    const role = options.role()
    if (role.is === 'failed') throw role.failure
    return role.is === 'leading' ? leading(role.backend) : following
  }

  /** The role after any takeover has ended. */
  const settledRole = async (): Promise<Exclude<Role, { is: 'taking-over' }>> => {
    for (;;) {
      const role = options.role()
      if (role.is === 'failed') throw role.failure
      if (role.is !== 'taking-over') return role
      await role.done
    }
  }

  const submitted = async <T>(of: Follower, syscall: string, kind: JobKind): Promise<T> => {
    await settledRole()
    return await new Promise<T>((resolve, reject) => {
      // The job's work produces the result.
      const job: Job = {
        ...kind,
        syscall,
        origin,
        deadlineMs: of.deadlineMs,
        resolve: resolve as (value: unknown) => void,
        reject,
      }
      if (!options.finish(job)) of.submit(job)
    })
  }

  const operation = async <T>(
    syscall: string,
    work: (fs: VfsTransaction) => T,
    direct: (backend: FullBackend) => Promise<T>,
  ): Promise<T> => {
    const role = await settledRole()
    if (role.is === 'leading') return await direct(leading(role.backend))
    if (role.is === 'failed') throw role.failure
    return await submitted<T>(role.follower, syscall, {
      kind: 'operation',
      work,
      isAlone: false,
      isTransaction: false,
      attempts: 0,
    })
  }

  const read: FullBackend['read'] = async (path, range) => {
    for (let count = 1; ; count++) {
      try {
        return await reading().read(path, range)
      } catch (error) {
        if (!(error instanceof ContentElsewhere)) throw error
        await error.load().catch(async (failure: unknown) => {
          if (!(failure instanceof VfsError && failure.code === 'ESTALE') || count >= maxReads) throw failure
          // The commit that replaced the content is on its way.
          await follower.pause(10 * count)
        })
      }
    }
  }

  const flush = async (): Promise<void> => {
    const role = await settledRole()
    if (role.is === 'leading') return await role.backend.flush()
    if (role.is === 'failed') throw role.failure
    try {
      await role.follower.flush()
    } catch (error) {
      // This tab has taken over meanwhile, and flushes by itself.
      if (options.role().is === 'following') throw error
      await flush()
    }
  }

  const batch: FullBackend['batch'] = async <T>(
    work: (transaction: VfsTransaction) => T | Promise<T>,
    batchOptions: BatchOptions = {},
  ): Promise<T> => {
    let role = await settledRole()
    // The work may read any content synchronously. A content that cannot be fetched causes an error when it is read.
    for (let count = 1; role.is === 'following' && !replica.isWhole && count <= maxReads; count++) {
      await replica.bringContents().catch(() => {})
      // Contents that the leader no longer has are about to be replaced here too.
      if (!replica.isWhole) await follower.pause(10 * count)
      role = await settledRole()
    }
    if (role.is === 'failed') throw role.failure
    if (role.is === 'leading') return await leading(role.backend).batch(work, batchOptions)
    const expect: Expectations = [...(batchOptions.expect ?? [])]
    const { tree, stamps } = replica
    checkExpected(tree, batchOptions)
    const base = tree.freeze()
    const draft = new Tree(base)
    const edits: Edit[] = []
    try {
      const again = (fs: VfsTransaction): unknown => {
        checkExpected(tree, batchOptions)
        return work(fs)
      }
      const pending = startWork(work, draftPrimitives({ stamps }, draft, edits))
      if (pending instanceof ContentElsewhere) {
        return await submitted<T>(role.follower, 'commit', {
          kind: 'operation',
          work: again,
          isAlone: true,
          isTransaction: true,
          attempts: 0,
        })
      }
      const isAtOnce = !isPromise(pending)
      const value = isAtOnce ? pending : await pending
      if (!isAtOnce) checkExpected(tree, batchOptions)
      if (edits.length === 0) return value
      return await submitted<T>(follower, 'commit', {
        kind: 'drafted',
        edits,
        basis: basisOf(base, edits),
        expect,
        value,
        ...(isAtOnce ? { again } : {}),
      })
    } finally {
      draft.isEnded = true
    }
  }

  const shared: FullBackend = {
    caps: options.caps,
    recipe: options.recipe,
    ...mapWaiting(readingNames, async (name, args) => callWaiting(reading(), name, args)),
    read,
    ...mapWaiting(changingNames, async (name, args) => {
      const kept = keptArguments(args)
      return await operation(
        syscallOf(name, args),
        fs => callPrimitive(fs, name, kept),
        fs => callWaiting(fs, name, kept),
      )
    }),
    batch,
    snapshot: () => reading().snapshot(),
    fork: taken => reading().fork(taken),
    diff: async (from, to) => await reading().diff(from, to),
    // All roles share one feed.
    watch: (path, listener, watchOptions) => reading().watch(path, listener, watchOptions),
    async usage() {
      const role = options.role()
      if (role.is === 'leading') return await role.backend.usage()
      const quotaBytes = await options.quotaBytes()
      const { contentBytes, nodeCount } = replica.tree
      return { bytes: contentBytes, nodes: nodeCount, ...(quotaBytes === undefined ? {} : { quotaBytes }) }
    },
    flush,
    close: options.close,
    as: name => sharedBackend(options, name),
  }
  offerPatch(shared)
  return shared
}

type JobKind = Job extends infer J
  ? J extends Job
    ? Omit<J, 'syscall' | 'origin' | 'deadlineMs' | 'resolve' | 'reject'>
    : never
  : never

function syscallOf(name: ChangingName, args: PrimitiveArguments[ChangingName]): string {
  return name === 'remove' && args[1] === 'directory' ? 'rmdir' : primitives[name].syscall
}

/** Returns the result of synchronous work, or the content that it needs first. */
function startWork<T>(
  work: (transaction: VfsTransaction) => T | Promise<T>,
  fs: VfsTransaction,
): T | Promise<T> | ContentElsewhere {
  try {
    return work(fs)
  } catch (error) {
    if (error instanceof ContentElsewhere) return error
    throw error
  }
}
