// Named texts of one session: where a model puts what it does not want in its context, and where results go that are too long for it
// (agsh §3.5).

import { ToolError } from '../../../core/errors.ts'
import { formatSize, utf8SizeBytes } from '../../../core/size.ts'

export interface ScratchpadEntry {
  readonly name: string
  readonly text: string
  readonly sizeBytes: number
  /** Milliseconds since the epoch. */
  readonly createdMs: number
}

const maxNameCharacters = 200

export class Scratchpad {
  readonly #entries = new Map<string, ScratchpadEntry>()
  readonly #maxBytes: number
  readonly #clock: () => number
  readonly #nextNumbers = new Map<string, number>()
  #sizeBytes = 0

  constructor(maxBytes: number, clock: () => number) {
    this.#maxBytes = maxBytes
    this.#clock = clock
  }

  /** Sorted by name. */
  list(): readonly ScratchpadEntry[] {
    return [...this.#entries.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  /** Throws `ToolError` `scratchpad-missing`. */
  get(name: string): ScratchpadEntry {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    const names = [...this.#entries.keys()]
    throw new ToolError('scratchpad-missing', `scratchpad entry ${JSON.stringify(name)} not found.`, {
      nextStep:
        names.length === 0
          ? 'The scratchpad is empty.'
          : `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`,
    })
  }

  /** Puts `text` under `name`, over what was there. Throws `ToolError`: `scratchpad-name`, `scratchpad-full`; then nothing changed. */
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
    this.#entries.set(name, entry)
    this.#sizeBytes = nextBytes
    return entry
  }

  /** Under the first free `prefix_1`, `prefix_2`, …: a name that was given once is never given again. */
  setNumbered(prefix: string, text: string): ScratchpadEntry {
    let number = this.#nextNumbers.get(prefix) ?? 1
    while (this.#entries.has(`${prefix}_${number}`)) number++
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
  if (name.trim() !== '' && name.length <= maxNameCharacters && !/\p{Cc}/u.test(name)) return
  throw new ToolError('scratchpad-name', `${JSON.stringify(name.slice(0, 80))} cannot be the name of a scratchpad entry.`, {
    nextStep: `Use a short name of one line, at most ${maxNameCharacters} characters.`,
  })
}
