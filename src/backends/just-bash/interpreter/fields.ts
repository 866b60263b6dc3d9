// Puts the fields together that a word expands to: where unquoted text is split, what is quoted, and what may be a pattern.

import { escapePattern } from './pattern.ts'

export interface Field {
  readonly text: string
  /** With what was quoted escaped; `undefined` where nothing in the field is a pattern. */
  readonly pattern: string | undefined
}

export interface FieldOptions {
  /** `undefined`: nothing is split, as in an assignment. */
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
  /** White space has just ended a field: a delimiter that follows belongs to it. */
  #isAfterBlank = false

  constructor({ ifs, isExtendedGlob }: FieldOptions) {
    this.#ifs = ifs
    this.#isExtendedGlob = isExtendedGlob
  }

  get splits(): boolean {
    return this.#ifs !== undefined
  }

  /** Whether the current field has begun. */
  get isStarted(): boolean {
    return this.#isStarted
  }

  quoted(text: string): void {
    this.#isStarted = true
    this.#isAfterBlank = false
    if (text === '') return
    this.#text += text
    this.#pattern += escapePattern(text)
  }

  /** Of the word itself: never split. */
  literal(text: string): void {
    if (text === '') return
    this.#isStarted = true
    this.#isAfterBlank = false
    this.#text += text
    this.#pattern += text
    this.#hasPattern ||= this.#isPattern(text)
  }

  /** What an unquoted expansion gives. */
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

  /** Ends the current field, if it has begun. */
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

  /** Of a word that is not split: its text, and the same as a pattern. */
  single(): { readonly text: string; readonly pattern: string } {
    return { text: this.#text, pattern: this.#pattern }
  }

  /** A `[` is one only with its `]`: the command `[` must not list the directory. */
  #isWhole(): boolean {
    if (!this.#pattern.includes('[')) return true
    const unquoted = this.#pattern.replace(/\\[^]/g, '')
    return /[*?]|\[[^/]*\]/.test(unquoted) || (this.#isExtendedGlob && unquoted.includes('('))
  }

  #isPattern(text: string): boolean {
    return /[*?[]/.test(text) || (this.#isExtendedGlob && /[@!+]\(/.test(text)) || (this.#isExtendedGlob && text.includes('('))
  }
}
