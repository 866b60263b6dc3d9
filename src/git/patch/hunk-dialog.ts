// The dialog of `add -p` and its kind about one file: shows a hunk, reads a line from stdin, and goes on. The texts are git's.

import type { GitCall } from '../call.ts'
import { posixPattern } from '../revs/posix-pattern.ts'
import { type ChoosableHunk, shownHunk, splitHunk } from './choosable-hunk.ts'

export interface DialogWords {
  /** `Stage`, `Unstage`, `Discard` … */
  readonly verb: string
  /** Behind what is chosen: ` from worktree`, or ''. */
  readonly where: string
}

export interface FileQuestion {
  /** The patch down to its first hunk, and the part of it that is shown again with the hunk. */
  readonly head: string
  readonly repeated: string
  readonly hunks: readonly ChoosableHunk[]
  readonly kind: 'addition' | 'deletion' | 'change'
}

interface Decided {
  readonly choice: ChoosableHunk
  use: 'undecided' | 'yes' | 'no'
}

export interface FileAnswer {
  readonly taken: readonly ChoosableHunk[]
  readonly left: readonly ChoosableHunk[]
  /** Of a file without hunks. */
  readonly isTaken: boolean
  readonly hasQuit: boolean
}

const helpOfLetters: readonly string[] = [
  'j - leave this hunk undecided, see next undecided hunk',
  'J - leave this hunk undecided, see next hunk',
  'k - leave this hunk undecided, see previous undecided hunk',
  'K - leave this hunk undecided, see previous hunk',
  'g - select a hunk to go to',
  '/ - search for a hunk matching the given regex',
  's - split the current hunk into smaller hunks',
  'e - manually edit the current hunk',
  '? - print help',
]
const shownHunkCount = 20

export class HunkDialog {
  readonly #call: GitCall
  readonly #words: DialogWords
  readonly #question: FileQuestion
  /** Whether an editor would change nothing, so that an edited hunk is the shown one. */
  readonly #acceptsUnedited: boolean
  readonly #rows: Decided[]
  #at = 0
  #hasQuit = false

  constructor(call: GitCall, words: DialogWords, question: FileQuestion, acceptsUnedited: boolean) {
    this.#call = call
    this.#words = words
    this.#question = question
    this.#acceptsUnedited = acceptsUnedited
    // A file without hunks is one question.
    const hunks: readonly ChoosableHunk[] = question.hunks.length > 0 ? question.hunks : [{ kind: 'mode', text: '' }]
    this.#rows = hunks.map(choice => ({ choice, use: 'undecided' }))
  }

  /** `answer`: the next line of the input, `undefined` at its end. */
  async run(answer: () => Promise<string | undefined>): Promise<FileAnswer> {
    await this.#call.out.write(this.#question.head)
    for (;;) {
      if (this.#at >= this.#rows.length) this.#at = 0
      const row = this.#rows[this.#at]
      if (row === undefined || (row.use !== 'undecided' && this.#undecided(-1) === -1 && this.#undecided(1) === -1)) break
      const letters = this.#letters(row)
      await this.#call.out.write(`${this.#question.repeated}${shownHunk(row.choice)}${this.#prompt(letters)}`)
      const text = await answer()
      if (text === undefined) break
      if (text !== '' && !(await this.#take(text, letters, row, answer))) break
    }
    const choices = (isTaken: boolean): readonly ChoosableHunk[] =>
      this.#question.hunks.length === 0 ? [] : this.#rows.flatMap(row => ((row.use === 'yes') === isTaken ? [row.choice] : []))
    return {
      taken: choices(true),
      left: choices(false),
      isTaken: this.#rows.some(({ use }) => use === 'yes'),
      hasQuit: this.#hasQuit,
    }
  }

  /** The nearest undecided hunk before or after this one, or -1. */
  #undecided(step: 1 | -1): number {
    for (let at = this.#at + step; at >= 0 && at < this.#rows.length; at += step)
      if (this.#rows[at]?.use === 'undecided') return at
    return -1
  }

  /** The letters that this hunk allows, beyond those that every one does. */
  #letters({ choice }: Decided): readonly string[] {
    if (this.#question.hunks.length === 0) return []
    const count = this.#rows.length
    const canEdit = choice.kind === 'lines' && this.#question.kind !== 'deletion'
    return [
      ...(this.#undecided(-1) === -1 ? [] : ['k']),
      ...(this.#at > 0 ? ['K'] : []),
      ...(this.#undecided(1) === -1 ? [] : ['j']),
      ...(this.#at + 1 < count ? ['J'] : []),
      ...(count > 1 ? ['g', '/'] : []),
      ...(splitHunk(choice).length > 1 ? ['s'] : []),
      ...(canEdit ? ['e'] : []),
    ]
  }

  #prompt(letters: readonly string[]): string {
    const { verb, where } = this.#words
    const { kind, hunks } = this.#question
    const what = kind === 'change' ? (this.#rows[this.#at]?.choice.kind === 'mode' ? 'mode change' : 'this hunk') : kind
    const count = Math.max(1, hunks.length === 0 ? 1 : this.#rows.length)
    return `(${this.#at + 1}/${count}) ${verb} ${what}${where} [y,n,q,a,d${letters.map(letter => `,${letter}`).join('')},?]? `
  }

  /** Returns false after `q`. */
  async #take(
    text: string,
    letters: readonly string[],
    row: Decided,
    answer: () => Promise<string | undefined>,
  ): Promise<boolean> {
    const first = text.charAt(0)
    const refused = (letter: string, why: string): boolean => {
      if (letters.includes(letter)) return false
      void this.#call.warn(why)
      return true
    }
    switch (first.toLowerCase()) {
      case 'y':
      case 'n':
        this.#decide(row, first.toLowerCase() === 'y' ? 'yes' : 'no')
        return true
      case 'a':
      case 'd':
      case 'q':
        for (const other of this.#rows.slice(this.#at))
          if (other.use === 'undecided') other.use = first.toLowerCase() === 'a' ? 'yes' : 'no'
        this.#hasQuit = first.toLowerCase() === 'q'
        if (first.toLowerCase() === 'a') this.#at = this.#rows.length
        return !this.#hasQuit
      default:
    }
    if (first === 'K' || first === 'k') {
      if (!refused(first, 'No previous hunk')) this.#at = first === 'K' ? this.#at - 1 : this.#undecided(-1)
    } else if (first === 'J' || first === 'j') {
      if (!refused(first, 'No next hunk')) this.#at = first === 'J' ? this.#at + 1 : this.#undecided(1)
    } else if (first === 'g') {
      if (!refused('g', 'No other hunks to goto')) await this.#goTo(text.slice(1).trim(), answer)
    } else if (first === '/') {
      if (!refused('/', 'No other hunks to search')) await this.#search(text.slice(1), answer)
    } else if (first === 's') {
      if (!refused('s', 'Sorry, cannot split this hunk')) await this.#split(row)
    } else if (first === 'e') {
      if (this.#acceptsUnedited && letters.includes('e')) this.#decide(row, 'yes')
      else if (!refused('e', 'Sorry, cannot edit this hunk'))
        await this.#call.warn('error: an editor is never run by this git; split the hunk, or write the file and stage it')
    } else await this.#help(letters)
    return true
  }

  #decide(row: Decided, use: 'yes' | 'no'): void {
    row.use = use
    const next = this.#undecided(1)
    this.#at = next === -1 ? this.#rows.length : next
  }

  async #split(row: Decided): Promise<void> {
    const parts = splitHunk(row.choice)
    this.#rows.splice(
      this.#at,
      1,
      ...parts.map((choice, index) => ({ choice, use: index === 0 ? row.use : ('undecided' as const) })),
    )
    await this.#call.print(`Split into ${parts.length} hunks.`)
  }

  async #goTo(given: string, answer: () => Promise<string | undefined>): Promise<void> {
    let number = given
    const isMode = this.#rows[0]?.choice.kind === 'mode' ? 1 : 0
    let from = Math.max(isMode, this.#at - shownHunkCount / 2)
    while (number === '') {
      from = await this.#list(from)
      await this.#call.out.write(from < this.#rows.length ? 'go to which hunk (<ret> to see more)? ' : 'go to which hunk? ')
      const line = await answer()
      if (line === undefined) return
      number = line.trim()
    }
    const count = this.#rows.length
    const wanted = Number(number)
    if (!/^\d+$/.test(number)) await this.#call.warn(`Invalid number: '${number}'`)
    else if (wanted > 0 && wanted <= count) this.#at = wanted - 1
    else await this.#call.warn(`Sorry, only ${count} hunk${count === 1 ? '' : 's'} available.`)
  }

  /** One line for each hunk; returns the number of the first that is not listed. */
  async #list(from: number): Promise<number> {
    const end = Math.min(this.#rows.length, from + shownHunkCount)
    for (let at = from; at < end; at++) {
      const row = this.#rows[at]
      if (row === undefined) break
      const mark = row.use === 'yes' ? '+' : row.use === 'no' ? '-' : ' '
      await this.#call.print(`${mark}${String(at + 1).padStart(2)}: ${summary(row.choice)}`)
    }
    return end
  }

  async #search(given: string, answer: () => Promise<string | undefined>): Promise<void> {
    let text = given
    if (text === '') {
      await this.#call.out.write('search for regex? ')
      text = (await answer()) ?? ''
      if (text === '') return
    }
    const pattern = posixPattern(text, 'extended', 'm')
    for (let ahead = 0; ahead < this.#rows.length; ahead++) {
      const at = (this.#at + ahead) % this.#rows.length
      const row = this.#rows[at]
      if (row === undefined || !pattern.test(shownHunk(row.choice))) continue
      this.#at = at
      return
    }
    await this.#call.warn('No hunk matches the given pattern')
  }

  async #help(letters: readonly string[]): Promise<void> {
    const { verb, where } = this.#words
    const act = verb.toLowerCase()
    await this.#call.print(
      [
        `y - ${act} this hunk${where}`,
        `n - do not ${act} this hunk${where}`,
        `q - quit; do not ${act} this hunk or any of the remaining ones`,
        `a - ${act} this hunk and all later hunks in the file`,
        `d - do not ${act} this hunk or any of the later hunks in the file`,
        ...helpOfLetters.filter(line => line.startsWith('?') || letters.includes(line.charAt(0))),
      ].join('\n'),
    )
  }
}

/** The ranges of a hunk and its first changed line. */
function summary(choice: ChoosableHunk): string {
  if (choice.kind === 'mode') return ''
  const { hunk } = choice
  const count = (left: '+' | '-'): number => hunk.lines.filter(({ sign }) => sign !== left).length
  const ranges = ` -${hunk.oldStart},${count('+')} +${hunk.newStart},${count('-')} `
  const first = hunk.lines.find(({ sign }) => sign !== ' ')
  return `${ranges.padEnd(20)}${first === undefined ? '' : first.sign + first.text.replace(/\n$/, '')}`.slice(0, 80)
}
