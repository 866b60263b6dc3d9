// Named texts of one session: texts that the model keeps out of its context, and results that are too long for it.

import { ToolError } from '../../../core/errors.ts'
import { formatSize, utf8SizeBytes } from '../../../core/size.ts'
import type { StateBudget } from '../../../session/state-budget.ts'

export interface ScratchpadEntry {
  readonly name: string
  readonly text: string
  readonly sizeBytes: number
  /** Milliseconds since the epoch. */
  readonly createdMs: number
}

/** The part of a session's state that a later session reads. */
export interface SavedScratchpad {
  /** Newest first. */
  readonly entries: readonly (readonly [name: string, text: string, createdMs: number])[]
  /** Entries that exceeded the size of the state. */
  readonly leftOut: readonly (readonly [name: string, sizeBytes: number])[]
  readonly nextNumbers: readonly (readonly [prefix: string, number: number])[]
}

const maxNameCharacters = 200
/** Names of entries that were not saved. */
const maxLeftOut = 1000

export class Scratchpad {
  readonly #entries = new Map<string, ScratchpadEntry>()
  readonly #maxBytes: number
  readonly #clock: () => number
  readonly #nextNumbers: Map<string, number>
  /** Name → size of each entry that the earlier session did not save. */
  readonly #leftOut: Map<string, number>
  #sizeBytes = 0

  /** `saved` is from an earlier session, and is validated already. */
  constructor(
    maxBytes: number,
    clock: () => number,
    { entries, leftOut, nextNumbers }: SavedScratchpad = { entries: [], leftOut: [], nextNumbers: [] },
  ) {
    this.#maxBytes = maxBytes
    this.#clock = clock
    this.#nextNumbers = new Map(nextNumbers)
    this.#leftOut = new Map(leftOut)
    let sizeBytes = 0
    const fitting: ScratchpadEntry[] = []
    for (const [name, text, createdMs] of entries) {
      const entry = { name, text, sizeBytes: utf8SizeBytes(text), createdMs }
      // Not all of them fit if the limit is smaller than before.
      if (sizeBytes + entry.sizeBytes > maxBytes) this.#leftOut.set(name, entry.sizeBytes)
      else {
        fitting.push(entry)
        sizeBytes += entry.sizeBytes
      }
    }
    for (const entry of fitting.toReversed()) this.#put(entry)
  }

  /** As many of the entries as fit into `budget`. */
  save(budget: StateBudget): SavedScratchpad {
    const newestFirst = [...this.#entries.values()].reverse().sort((one, other) => other.createdMs - one.createdMs)
    const kept = newestFirst.filter(({ name, text }) => budget.take(name, text))
    const leftOut = new Map(this.#leftOut)
    for (const entry of newestFirst) if (!kept.includes(entry)) leftOut.set(entry.name, entry.sizeBytes)
    return {
      entries: kept.map(({ name, text, createdMs }) => [name, text, Math.max(0, Math.trunc(createdMs))]),
      leftOut: [...leftOut].slice(-maxLeftOut),
      nextNumbers: [...this.#nextNumbers],
    }
  }

  /** Sorted by name. */
  list(): readonly ScratchpadEntry[] {
    return [...this.#entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Throws `ToolError` `scratchpad-missing`. */
  get(name: string): ScratchpadEntry {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    const leftOutBytes = this.#leftOut.get(name)
    if (leftOutBytes !== undefined) {
      throw new ToolError(
        'scratchpad-missing',
        `scratchpad entry ${JSON.stringify(name)} (${formatSize(leftOutBytes)}) was too large to be kept when this conversation was saved.`,
        { nextStep: 'Repeat the call that produced its text.' },
      )
    }
    const names = this.list().map(entry => entry.name)
    throw new ToolError('scratchpad-missing', `scratchpad entry ${JSON.stringify(name)} not found.`, {
      nextStep:
        names.length === 0
          ? 'The scratchpad is empty.'
          : `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`,
    })
  }

  /**
   * Stores `text` under `name`, replacing an earlier entry. Throws `ToolError`: `scratchpad-name`, `scratchpad-full`; then nothing changed.
   */
  set(name: string, text: string): ScratchpadEntry {
    checkName(name)
    const sizeBytes = utf8SizeBytes(text)
    const nextBytes = this.#sizeBytes + sizeBytes - (this.#entries.get(name)?.sizeBytes ?? 0)
    if (nextBytes > this.#maxBytes) {
      throw new ToolError(
        'scratchpad-full',
        `The scratchpad holds ${formatSize(this.#sizeBytes)} of ${formatSize(this.#maxBytes)}; ${formatSize(sizeBytes)} more do not fit.`,
        { nextStep: 'Delete what is no longer needed with scratchpad_delete, or write to a file.' },
      )
    }
    const entry = { name, text, sizeBytes, createdMs: this.#clock() }
    this.#put(entry)
    return entry
  }

  #put(entry: ScratchpadEntry): void {
    this.#sizeBytes += entry.sizeBytes - (this.#entries.get(entry.name)?.sizeBytes ?? 0)
    this.#entries.set(entry.name, entry)
    this.#leftOut.delete(entry.name)
  }

  /** Stores under the first free `prefix_1`, `prefix_2`, …: a name is never used twice. */
  setNumbered(prefix: string, text: string): ScratchpadEntry {
    let number = this.#nextNumbers.get(prefix) ?? 1
    while (this.#entries.has(`${prefix}_${number}`) || this.#leftOut.has(`${prefix}_${number}`)) number++
    const entry = this.set(`${prefix}_${number}`, text)
    this.#nextNumbers.set(prefix, number + 1)
    return entry
  }

  /** Throws `ToolError` `scratchpad-missing`. */
  delete(name: string): void {
    this.#sizeBytes -= this.get(name).sizeBytes
    this.#entries.delete(name)
  }
}

/** Throws `ToolError` `scratchpad-name`. */
export function checkName(name: string): void {
  if (isName(name)) return
  throw new ToolError('scratchpad-name', `${JSON.stringify(name.slice(0, 80))} cannot be the name of a scratchpad entry.`, {
    nextStep: `Use a short name of one line, at most ${maxNameCharacters} characters.`,
  })
}

export function isName(name: string): boolean {
  return name.trim() !== '' && name.length <= maxNameCharacters && !/\p{Cc}/u.test(name)
}
