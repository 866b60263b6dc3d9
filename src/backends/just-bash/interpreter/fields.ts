// Collects the fields of an expanded word. Unquoted expansions are split, and quoted characters are escaped in patterns.

import { escapePattern } from './pattern.ts'

export interface Field {
  readonly text: string
  /** The text with quoted parts escaped. `undefined` if the field contains no pattern. */
  readonly pattern: string | undefined
}

export interface FieldOptions {
  /** `undefined` disables word splitting, as in an assignment. */
  readonly ifs: string | undefined
  readonly isExtendedGlob: boolean
}

export class Fields {
  readonly #done: Field[] = []
  readonly #ifs: string | undefined
  readonly #isExtendedGlob: boolean
  #text = ''
  #pattern = ''
  #isStarted = false
  #hasPattern = false
  /** White space has just ended a field. A following delimiter belongs to the same separator. */
  #isAfterBlank = false

  constructor({ ifs, isExtendedGlob }: FieldOptions) {
    this.#ifs = ifs
    this.#isExtendedGlob = isExtendedGlob
  }

  get splits(): boolean {
    return this.#ifs !== undefined
  }

  quoted(text: string): void {
    this.#isStarted = true
    this.#isAfterBlank = false
    if (text === '') return
    this.#text += text
    this.#pattern += escapePattern(text)
  }

  /** Adds unquoted text of the word itself, which is never split. */
  literal(text: string): void {
    if (text === '') return
    this.#isStarted = true
    this.#isAfterBlank = false
    this.#text += text
    this.#pattern += text
    this.#hasPattern ||= this.#isPattern(text)
  }

  /** Adds the result of an unquoted expansion, which is split. */
  split(text: string): void {
    const ifs = this.#ifs
    if (ifs === undefined || ifs === '' || text === '') {
      this.literal(text)
      return
    }
    let start = 0
    for (let at = 0; at <= text.length; at++) {
      const character = text.charAt(at)
      const isEnd = at === text.length
      if (!isEnd && !ifs.includes(character)) continue
      if (at > start) this.literal(text.slice(start, at))
      start = at + 1
      if (isEnd) break
      if (character === ' ' || character === '\t' || character === '\n') {
        if (this.#isStarted) {
          this.breakField()
          this.#isAfterBlank = true
        }
      } else if (this.#isStarted) this.breakField()
      else if (this.#isAfterBlank) this.#isAfterBlank = false
      else {
        this.#isStarted = true
        this.breakField()
      }
    }
  }

  /** Ends the current field, if one has been started. */
  breakField(): void {
    this.#isAfterBlank = false
    if (!this.#isStarted) return
    this.#done.push({ text: this.#text, pattern: this.#hasPattern && this.#isWhole() ? this.#pattern : undefined })
    this.#text = ''
    this.#pattern = ''
    this.#isStarted = false
    this.#hasPattern = false
  }

  finish(): readonly Field[] {
    this.breakField()
    return this.#done
  }

  /** The text and the pattern of a word that is not split. */
  single(): { readonly text: string; readonly pattern: string } {
    return { text: this.#text, pattern: this.#pattern }
  }

  /** A `[` starts a pattern only if a `]` closes it, so the command `[` does not list the directory. */
  #isWhole(): boolean {
    if (!this.#pattern.includes('[')) return true
    const unquoted = this.#pattern.replace(/\\[^]/g, '')
    return /[*?]|\[[^/]*\]/.test(unquoted) || (this.#isExtendedGlob && unquoted.includes('('))
  }

  #isPattern(given: string): boolean {
    const text = given.includes('\\') ? given.replace(/\\[^]/g, '') : given
    return /[*?[]/.test(text) || (this.#isExtendedGlob && /[@!+]\(/.test(text)) || (this.#isExtendedGlob && text.includes('('))
  }
}
