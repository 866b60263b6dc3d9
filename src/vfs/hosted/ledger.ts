// Hosts have no revisions, and their clocks are too coarse to distinguish two changes. For each node, the ledger stores what a host cannot:
// a revision, times that only increase, and an inode number that changes with the content. It detects a foreign change when it next sees
// the node, by the node's print. A page that was dropped gets a new revision: this may cause one refusal too many, but never one too few.

import type { Stat } from '../backend.ts'
import type { HostAttributes, HostStat } from './host.ts'
import { createStamps, type Stamps } from '../tree/stamps.ts'

/** The maximum number of remembered nodes. */
const maxPages = 1_000_000

// Far above the numbers that a host gives, with room for a mount table to multiply them.
const firstOwnIno = 2 ** 44

interface Page {
  readonly print: string
  readonly namePrint: string
  /** We added or removed a name, so the next difference in `namePrint` alone is not a foreign change. */
  readonly expectsNames: boolean
  /** Watchers know of it: we made the change, or reported it. */
  readonly isTold: boolean
  /** The host's time when `print` was taken. */
  readonly hostMtimeMs: number
  readonly rev: number
  readonly ino: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly atimeMs: number | undefined
}

type Facts = Pick<Stat, 'rev' | 'ino' | 'mtimeMs' | 'ctimeMs'> & { readonly atimeMs?: number | undefined }

export class Ledger {
  readonly stamps: Stamps
  readonly #pages = new Map<string, Page>()

  constructor(clock: () => number) {
    this.stamps = createStamps(clock)
  }

  nextIno(): number {
    return firstOwnIno + this.stamps.nextIno()
  }

  /** The stat of `found` for callers. A change that was not reported gets its revision here. */
  seen(found: HostStat): Stat {
    const page = this.#pages.get(found.key)
    if (page === undefined) return this.made(found, false)
    const isSame =
      page.print === found.print &&
      (page.namePrint === found.namePrint || page.expectsNames || (found.kind !== 'file' && found.kind !== 'symlink'))
    if (isSame) {
      if (page.namePrint === found.namePrint && !page.expectsNames) return statOf(found, page)
      return page.expectsNames ? this.named(found, page, page.isTold) : this.adopt(found, page, page.isTold)
    }
    const facts = {
      rev: this.stamps.nextRev(),
      ino: found.kind === 'file' ? this.#newIno(found, page) : page.ino,
      mtimeMs: found.mtimeMs === page.hostMtimeMs ? page.mtimeMs + 1 : found.mtimeMs,
      ctimeMs: Math.max(found.ctimeMs, page.ctimeMs + 1),
    }
    return this.adopt(found, facts, false)
  }

  /** Records a new node. */
  made(found: HostStat, isTold = true): Stat {
    const { mtimeMs, ctimeMs, ino = this.nextIno() } = found
    return this.adopt(found, { rev: this.stamps.nextRev(), ino, mtimeMs, ctimeMs }, isTold)
  }

  /** Records a node whose content, entries or attributes we changed. `set` is what a caller set, exactly: a host may store
   * less of a time. */
  changed(found: HostStat, before: Facts, change: 'content' | 'entries' | 'attributes', set: HostAttributes = {}): Stat {
    const isMoving = change !== 'attributes'
    return this.adopt(found, {
      rev: this.stamps.nextRev(),
      ino: change === 'content' ? this.#newIno(found, before) : before.ino,
      mtimeMs: set.mtimeMs ?? (isMoving ? Math.max(found.mtimeMs, before.mtimeMs + 1) : before.mtimeMs),
      ctimeMs: Math.max(found.ctimeMs, before.ctimeMs + 1),
      atimeMs: set.atimeMs ?? before.atimeMs,
    })
  }

  /** Records a node of which we added or removed a name. */
  named(found: HostStat, before: Facts, isTold = true): Stat {
    return this.adopt(found, { ...before, ctimeMs: Math.max(found.ctimeMs, before.ctimeMs + 1) }, isTold)
  }

  /** Records the host's current stat and that it corresponds to `facts`. */
  adopt(found: HostStat, facts: Facts, isTold = true): Stat {
    const { rev, ino, mtimeMs, ctimeMs, atimeMs } = facts
    const { print, namePrint, mtimeMs: hostMtimeMs } = found
    this.#pages.set(found.key, {
      print,
      namePrint,
      expectsNames: false,
      isTold,
      hostMtimeMs,
      rev,
      ino,
      mtimeMs,
      ctimeMs,
      atimeMs,
    })
    if (this.#pages.size > maxPages) this.#dropOldest()
    return statOf(found, facts)
  }

  /** Announces that we will add or remove a name of the node that was seen as `found`. */
  expectNames(found: HostStat): void {
    const page = this.#pages.get(found.key)
    if (page !== undefined) this.#pages.set(found.key, { ...page, expectsNames: true })
  }

  /** What to report about `found` to watchers, if anything. Counts as reported from now on. */
  news(found: HostStat): { readonly type: 'create' | 'modify'; readonly rev: number } | undefined {
    const type = this.#pages.has(found.key) ? 'modify' : 'create'
    const { rev } = this.seen(found)
    const page = this.#pages.get(found.key)
    if (page === undefined || page.isTold) return undefined
    this.#pages.set(found.key, { ...page, isTold: true })
    return { type, rev }
  }

  /** Call this if a notice reports a change of the node that its print does not show. */
  mistrust(key: string): void {
    const page = this.#pages.get(key)
    if (page !== undefined) this.#pages.set(key, { ...page, print: '', expectsNames: false })
  }

  forget(key: string): void {
    this.#pages.delete(key)
  }

  #newIno(found: HostStat, before: Facts | Page): number {
    return found.ino !== undefined && found.ino !== before.ino ? found.ino : this.nextIno()
  }

  #dropOldest(): void {
    let surplus = maxPages / 10
    for (const key of this.#pages.keys()) {
      if (surplus-- <= 0) return
      this.#pages.delete(key)
    }
  }
}

/** As in the tree, a directory has one link and no size, because these values differ between hosts. */
function statOf(found: HostStat, { rev, ino, mtimeMs, ctimeMs, atimeMs }: Facts): Stat {
  const isDirectory = found.kind === 'directory'
  return {
    kind: found.kind,
    sizeBytes: isDirectory ? 0 : found.sizeBytes,
    mode: found.mode,
    mtimeMs,
    ctimeMs,
    ino,
    rev,
    nlink: isDirectory ? 1 : found.nlink,
    ...(atimeMs === undefined ? {} : { atimeMs }),
  }
}
