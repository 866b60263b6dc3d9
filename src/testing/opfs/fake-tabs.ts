// Tabs of one store without a browser: a simulated clock, messages that are delayed and repeated, locks, and tabs that are closed or
// suspended between any two of their actions.

import type { BackendRecipe, VfsBackend } from '../../vfs/backend.ts'
import { VfsError } from '../../vfs/error.ts'
import { treeBackend } from '../../vfs/tree/tree-backend.ts'
import { storedCaps } from '../../backends/opfs/caps.ts'
import type { BlockStore } from '../../backends/opfs/indexeddb/blocks.ts'
import { openBlocks } from '../../backends/opfs/indexeddb/open-indexeddb.ts'
import { openLog, type OpenLog } from '../../backends/opfs/log/open.ts'
import type { LockManager } from '../../backends/opfs/platform.ts'
import type { Message } from '../../backends/opfs/tabs/messages.ts'
import type { Network } from '../../backends/opfs/tabs/network.ts'
import { type OwnedStore, type Shared, type ShareOptions, shareStore } from '../../backends/opfs/tabs/share-store.ts'
import type { Random } from '../random.ts'
import { FakeBlocks } from './fake-blocks.ts'
import { FakeDisk } from './fake-storage.ts'

interface Happening {
  readonly atMs: number
  readonly order: number
  readonly tab: FakeTab | undefined
  readonly work: () => void
  isCancelled: boolean
}

interface InQueue {
  readonly tab: FakeTab
  readonly grant: () => void
  readonly lose: () => void
}

export interface WorldOptions {
  /** The maximum delay of a message. */
  readonly delayMs: number
  readonly duplicates: number
  /** Where the files are: on a synchronous disk (the default), or in an asynchronous database. */
  readonly place?: 'disk' | 'database'
}

export class FakeWorld {
  nowMs = 1_000_000
  readonly disk: FakeDisk = new FakeDisk()
  readonly blocks: FakeBlocks = new FakeBlocks()
  readonly tabs: FakeTab[] = []
  readonly random: Random
  readonly options: WorldOptions
  /** The tab that has the files open. */
  owner: FakeTab | undefined
  eventCount = 0
  #order = 0
  readonly #happenings: Happening[] = []
  #queue: InQueue[] = []

  constructor(random: Random, options: WorldOptions) {
    this.random = random
    this.options = options
  }

  at(delayMs: number, tab: FakeTab | undefined, work: () => void): () => void {
    const happening = { atMs: this.nowMs + delayMs, order: this.#order++, tab, work, isCancelled: false }
    this.#happenings.push(happening)
    return () => {
      happening.isCancelled = true
    }
  }

  /** Runs until `isOver`, or until `untilMs` of simulated time have passed. */
  async run(isOver: () => boolean, untilMs = 120_000): Promise<void> {
    const endMs = this.nowMs + untilMs
    await pause()
    while (!isOver() && this.nowMs < endMs) {
      const next = this.#next()
      if (next === undefined) {
        // There are no more events, so time passes at once.
        this.nowMs = endMs
        return
      }
      this.nowMs = Math.max(this.nowMs, next.atMs)
      this.eventCount++
      next.work()
      await pause()
    }
  }

  #next(): Happening | undefined {
    let found = -1
    let foundAtMs = 0
    for (let index = 0; index < this.#happenings.length; index++) {
      const happening = this.#happenings[index]
      if (happening === undefined) continue
      if (happening.isCancelled || happening.tab?.isDead === true) {
        this.#happenings.splice(index--, 1)
        continue
      }
      // A suspended tab handles its events when it wakes up, in the same order.
      const atMs = Math.max(happening.atMs, happening.tab?.frozenUntilMs ?? 0)
      const best = this.#happenings[found]
      if (best === undefined || atMs < foundAtMs || (atMs === foundAtMs && before(happening, best))) {
        found = index
        foundAtMs = atMs
      }
    }
    const [happening] = found === -1 ? [] : this.#happenings.splice(found, 1)
    return happening === undefined ? undefined : { ...happening, atMs: foundAtMs }
  }

  open(keptBytes?: number): FakeTab {
    const tab = new FakeTab(this, `tab${this.tabs.length}`)
    this.tabs.push(tab)
    tab.open(keptBytes)
    return tab
  }

  get alive(): readonly FakeTab[] {
    return this.tabs.filter(tab => !tab.isDead)
  }

  locksOf(tab: FakeTab): LockManager {
    return {
      request: (_name, { signal }, hold) =>
        new Promise((resolve, reject) => {
          const entry = {
            tab,
            grant: () => void hold().then(value => this.#released(entry, () => resolve(value))),
            lose: () => reject(new DOMException('stolen', 'AbortError')),
          }
          this.#queue.push(entry)
          signal.onabort = () => {
            if (this.#queue[0] === entry) return
            this.#queue = this.#queue.filter(other => other !== entry)
            reject(new DOMException('aborted', 'AbortError'))
          }
          if (this.#queue[0] === entry) this.at(1, tab, () => entry.grant())
        }),
    }
  }

  /** Takes the lock away and gives it to the next one in the queue. */
  steal(): void {
    const [holder] = this.#queue
    if (holder === undefined) return
    this.#released(holder, () => {})
    this.at(1, holder.tab, () => holder.lose())
  }

  died(tab: FakeTab): void {
    if (this.owner === tab) this.owner = undefined
    const wasFirst = this.#queue[0]?.tab === tab
    this.#queue = this.#queue.filter(entry => entry.tab !== tab)
    if (wasFirst) this.#grantNext()
  }

  #released(entry: InQueue, then: () => void): void {
    then()
    if (this.#queue[0] !== entry) return
    this.#queue.shift()
    this.#grantNext()
  }

  #grantNext(): void {
    const next = this.#queue[0]
    if (next === undefined) return
    this.at(1 + this.random.below(20), next.tab, () => {
      if (this.#queue[0] === next) next.grant()
    })
  }
}

function before(a: Happening, b: Happening): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}

/** Lets all microtasks run. */
async function pause(): Promise<void> {
  await new Promise<void>(resolve => void setImmediate(resolve))
}

type StoreHooks = Parameters<ShareOptions<OwnedStore>['openStore']>[0]

export class FakeTab {
  readonly id: string
  isDead = false
  frozenUntilMs = 0
  opened: OpenLog | undefined
  shared: Shared<OwnedStore> | undefined
  failure: unknown
  #receive: ((message: Message) => void) | undefined
  #endStore: ((failure: VfsError) => void) | undefined
  readonly #world: FakeWorld
  /** When the last message on a way arrives, because later ones must not overtake it. */
  readonly #lastArrivalMs = new Map<string, number>()

  constructor(world: FakeWorld, id: string) {
    this.#world = world
    this.id = id
  }

  get fs(): VfsBackend | undefined {
    return this.shared?.backend
  }

  get isLeading(): boolean {
    return this.#world.owner === this
  }

  open(keptBytes: number | undefined): void {
    const world = this.#world
    const recipe: BackendRecipe = { kind: 'opfs', name: 'fake' }
    shareStore<OwnedStore>({
      name: 'fake',
      recipe,
      caps: { ...storedCaps, sync: false },
      lockName: 'fake',
      locks: world.locksOf(this),
      openNetwork: (own, receive) => {
        this.#receive = receive
        return this.#network(own)
      },
      openStore: async hooks => {
        if (world.options.place === 'database') return await this.#openDatabase(hooks, recipe)
        // As in `openWithRetries`: the tab that has just lost the lock may have the files open for a moment longer.
        for (let waitMs = 5; world.owner !== undefined; waitMs *= 2) {
          if (waitMs > 1_000) throw new VfsError('EBUSY', 'open', { hint: 'the files are open elsewhere' })
          await new Promise<void>(resolve => void world.at(waitMs, this, resolve))
        }
        world.owner = this
        const open = openLog(world.disk.storage(), { ...hooks, clock: () => world.nowMs })
        this.opened = open
        let ended: VfsError | undefined
        const letGo = (): void => {
          if (world.owner === this) world.owner = undefined
        }
        const backend = treeBackend(
          () => {
            if (ended !== undefined) throw ended
            return open.store
          },
          { recipe },
        )
        return {
          open,
          backend: {
            ...backend,
            flush: async () => open.log.flush(),
            async close() {
              letGo()
              hooks.onClose()
            },
          },
          end(failure) {
            ended = failure
            open.log.end(failure)
            letGo()
          },
        }
      },
      quotaBytes: async () => undefined,
      clientId: this.id,
      now: () => world.nowMs,
      after: (delayMs, work) => world.at(delayMs, this, work),
      answerTimeoutMs: 10_000,
      openTimeoutMs: 10_000,
      ...(keptBytes === undefined ? {} : { keptBytes }),
    }).then(
      shared => {
        this.shared = shared
      },
      (error: unknown) => {
        this.failure = error
      },
    )
  }

  async #openDatabase(hooks: StoreHooks, recipe: BackendRecipe): Promise<OwnedStore> {
    const world = this.#world
    world.owner = this
    const letGo = (): void => {
      if (world.owner === this) world.owner = undefined
    }
    const inTime = async (): Promise<void> => {
      await new Promise<void>(resolve => void world.at(1 + world.random.below(20), this, resolve))
    }
    const own = async (): Promise<BlockStore> => {
      await inTime()
      const store = world.blocks.own()
      return {
        ...store,
        async commit(changes, isStrict) {
          await inTime()
          await store.commit(changes, isStrict)
        },
      }
    }
    const { onClose, ...logHooks } = hooks
    const opened = await openBlocks(own, {
      ...logHooks,
      recipe,
      durability: 'op',
      onDamage: 'refuse',
      quotaBytes: async () => undefined,
      onProblem: () => {},
      onClose() {
        letGo()
        onClose()
      },
      clock: () => world.nowMs,
    })
    this.opened = opened.open
    this.#endStore = failure => opened.end(failure)
    return {
      ...opened,
      place: { storage: 'indexeddb', message: 'In a database.' },
      end(failure) {
        opened.end(failure)
        letGo()
      },
    }
  }

  /** Ends between two of its actions; the last messages that it sent may be lost for some tabs. */
  kill(): void {
    this.isDead = true
    const failure = new VfsError('EIO', 'write', { hint: 'this tab is dead' })
    this.opened?.log.end(failure)
    this.#endStore?.(failure)
    this.#world.died(this)
  }

  freeze(forMs: number): void {
    this.frozenUntilMs = this.#world.nowMs + forMs
  }

  deliver(message: Message): void {
    this.#receive?.(message)
  }

  #network(own: string): Network {
    const { random, options } = this.#world
    let isClosed = false
    const say = (to: FakeTab, way: string, message: Message): void => {
      const key = `${way} ${to.id}`
      const copy = structuredClone(message)
      const repeats = random.chance(options.duplicates) ? 2 : 1
      for (let count = 0; count < repeats; count++) {
        const atMs = Math.max(this.#lastArrivalMs.get(key) ?? 0, this.#world.nowMs + random.below(options.delayMs + 1))
        this.#lastArrivalMs.set(key, atMs)
        // Messages that a tab sent just before it ended may never arrive.
        this.#world.at(atMs - this.#world.nowMs, to, () => {
          if (!this.isDead || random.chance(0.5)) to.deliver(copy)
        })
      }
    }
    return {
      broadcast: message => {
        if (isClosed) return
        for (const tab of this.#world.alive) if (tab.id !== own) say(tab, 'all', message)
      },
      send: (to, message) => {
        const tab = this.#world.alive.find(other => other.id === to)
        if (tab !== undefined && !isClosed) say(tab, 'one', message)
      },
      close() {
        isClosed = true
      },
    }
  }
}
