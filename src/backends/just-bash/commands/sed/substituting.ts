// One s command on one text. It can be run in parts, so that others run while a long line is changed.

import type { Places } from '../../regex/backtracker.ts'
import type { Regex } from '../../regex/regex.ts'
import { replaced } from './replacement.ts'
import type { Substitution } from './script.ts'

/** A text up to this length is changed at once; of a longer one, about as much in each part. */
const partLength = 256 * 1024

export class Substituting {
  hasReplaced = false
  private readonly text: string
  private readonly regex: Regex
  private readonly substitution: Substitution
  private output = ''
  private count = 0
  private copied = 0
  private lastEnd = -1
  private from = 0
  private search: ReturnType<Regex['execInSteps']> | undefined

  constructor(text: string, regex: Regex, substitution: Substitution) {
    this.text = text
    this.regex = regex
    this.substitution = substitution
  }

  /** The changed text. */
  get result(): string {
    return this.output + this.text.slice(this.copied)
  }

  /** Returns true at the end of the text. */
  runPart(): boolean {
    const { text, regex, substitution } = this
    const until = this.from + partLength
    while (this.from <= text.length) {
      if (this.from > until) return false
      let places: Places | undefined
      if (text.length <= partLength) places = regex.exec(text, this.from)
      else {
        this.search ??= regex.execInSteps(text, this.from)
        const step = this.search.next()
        if (step.done !== true) return false
        this.search = undefined
        places = step.value
      }
      if (places === undefined) return true
      const [start = 0, end = 0] = places
      // An empty match directly after another match does not count.
      if (!(start === end && start === this.lastEnd)) {
        this.count += 1
        if (this.count >= substitution.from) {
          this.output += text.slice(this.copied, start) + replaced(substitution.replacement, text, places)
          this.copied = end
          this.hasReplaced = true
          if (!substitution.isGlobal) return true
        }
      }
      this.lastEnd = end
      this.from = start === end ? end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1) : end
    }
    return true
  }
}
