// Formats a commit: the named formats, and formats with placeholders.

import { fatal } from '../errors.ts'
import { paletteOf } from '../color/load-palette.ts'
import type { Palette } from '../color/palette.ts'
import type { Repository } from '../repository.ts'
import type { Commit, ObjectId, Person } from '../store/object-format.ts'
import { formatDate } from './date.ts'
import { localZone } from './local-zone.ts'
import type { Mailmap } from './mailmap.ts'
import type { ShortIds } from './short-ids.ts'
import type { ReflogEntry } from '../store/refs.ts'
import type { PrettyForm } from './pretty-form.ts'
import type { PlaceholderFormat } from './placeholder-format.ts'
import { outputEncoding, subjectOf } from './subject.ts'

export interface ShownCommit {
  readonly oid: ObjectId
  readonly commit: Commit
  readonly parents: readonly ObjectId[]
  readonly mark: string
  /** The character for `%m`: the side of `A...B`, and others. */
  readonly sideMark?: string
  /** The IDs of parents or children, shown after the ID of the commit. */
  readonly others?: readonly ObjectId[]
  /** Parents as a graph draws them. */
  readonly graphParents?: readonly ObjectId[]
  readonly source?: string
  /** The columns of a graph before the text, which `%<|(…)` counts. */
  readonly graphColumns?: number | undefined
  /** The parent to compare a merge with, for `-m`. */
  readonly from?: ObjectId
  readonly reflog?: { readonly selector: string; readonly shortSelector: string; readonly entry: ReflogEntry } | undefined
}

export interface PrettyContext {
  readonly repository: Repository
  readonly ids: ShortIds
  /** Full IDs, or short ones with `--abbrev-commit`. */
  readonly isAbbreviated: boolean
  /** The minimum number of digits of `%h` and short IDs. */
  readonly abbrev: number | undefined
  /** Also parents are shown with full IDs. */
  readonly showsFullIds?: boolean
  readonly dateMode: string
  readonly now: number
  readonly decorations: (oid: ObjectId, form: 'short' | 'full') => Promise<readonly string[]>
  readonly showsDecorations: 'no' | 'short' | 'full'
  readonly tabWidth: number
  readonly showsSource?: boolean
  /** Names from `.mailmap`, for `%aN` and similar placeholders. */
  readonly mailmap?: (() => Promise<Mailmap>) | undefined
  /** Whether the named formats use them too. */
  readonly showsProperNames?: boolean
  /** `--encoding`. */
  readonly encoding?: string | undefined
  /** Colors are written. */
  readonly isColored?: boolean
  /** `%N`. */
  readonly notes?: ((oid: ObjectId) => Promise<string>) | undefined
}

export class Pretty {
  readonly #context: PrettyContext
  #placeholders: PlaceholderFormat | undefined
  #loadedPalette: Promise<Palette> | undefined

  constructor(context: PrettyContext) {
    this.#context = context
  }

  date(person: Person, mode: string = this.#context.dateMode): string {
    const { now, repository } = this.#context
    const text = formatDate(person, mode, now, time => localZone(repository.environment.env['TZ'], time))
    if (text === undefined) throw fatal(`unknown date format ${mode}`)
    return text
  }

  async #id(oid: ObjectId): Promise<string> {
    const { ids, isAbbreviated, abbrev } = this.#context
    return isAbbreviated ? ids.of(oid, abbrev) : oid
  }

  async #palette(): Promise<Palette> {
    return (this.#loadedPalette ??= paletteOf(this.#context.repository))
  }

  /** In the color of commits, where colors are written. */
  async inCommitColor(text: string, isColored: boolean = this.#context.isColored === true): Promise<string> {
    return isColored ? (await this.#palette()).paint('diff.commit', text) : text
  }

  /** The names of references, with text around them; '' without any. */
  async decorations(oid: ObjectId, before: string, after: string, isColored: boolean): Promise<string> {
    const { decorations, showsDecorations } = this.#context
    const form = showsDecorations === 'full' ? 'full' : 'short'
    const names = await decorations(oid, isColored ? 'full' : form)
    if (names.length === 0) return ''
    if (!isColored) return before + names.join(', ') + after
    const { paintedDecorations } = await import('../color/painting.ts')
    return paintedDecorations(await this.#palette(), names, { before, after, isShort: form === 'short' })
  }

  async #decoration(oid: ObjectId): Promise<string> {
    return this.#context.showsDecorations === 'no' ? '' : this.decorations(oid, ' (', ')', this.#context.isColored === true)
  }

  /** The entry without its separator, and without a line feed at the end. */
  async render(shown: ShownCommit, form: PrettyForm): Promise<string> {
    const { oid, commit, mark } = shown
    if (form.kind === 'format') return this.format(shown, form.format)
    const subject = subjectOf(commit.message)
    if (form.kind === 'reference') {
      return this.format(shown, '%C(auto)%h (%s, %ad)', this.#context.dateMode === 'default' ? 'short' : undefined)
    }
    const { source } = shown
    if (form.kind === 'email' || form.kind === 'mboxrd') {
      const { mailOf } = await import('./rare-placeholders.ts')
      return mailOf(
        oid,
        { ...commit, author: await this.#shown(commit.author) },
        { subjectPrefix: 'PATCH', headers: [], quotesFrom: form.kind === 'mboxrd' },
      )
    }
    const others: string[] = []
    for (const other of shown.others ?? []) others.push(` ${await this.#id(other)}`)
    const from = shown.from === undefined ? '' : ` (from ${await this.#id(shown.from)})`
    const sourceText = source === undefined || !this.#context.showsSource ? '' : `\t${source}`
    const head = async (start: string): Promise<string> =>
      (await this.inCommitColor(`${start}${await this.#id(oid)}${others.join('')}${from}`)) +
      sourceText +
      (await this.#decoration(oid))
    if (form.kind === 'oneline') {
      if (shown.reflog !== undefined) return `${await head(mark)} ${shown.reflog.selector}: ${shown.reflog.entry.message}`
      return `${await head(mark === '' ? '' : `${mark} `)} ${subject}`
    }
    const lines = [await head(`commit ${mark === '' ? '' : `${mark} `}`)]
    if (shown.reflog !== undefined) {
      const { entry, selector } = shown.reflog
      lines.push(`Reflog: ${selector} (${entry.who.name} <${entry.who.email}>)`, `Reflog message: ${entry.message}`)
    }
    if (form.kind === 'raw') {
      lines.push(
        `tree ${commit.tree}`,
        ...(commit.storedParents ?? commit.parents).map(parent => `parent ${parent}`),
        `author ${raw(commit.author)}`,
        `committer ${raw(commit.committer)}`,
      )
      const { repository, encoding: given } = this.#context
      const encoding = outputEncoding(repository.config(), given)
      for (const { key, value } of commit.extra)
        if (key !== 'encoding') lines.push(`${key} ${value.replaceAll('\n', '\n ')}`)
        else if (encoding !== '') lines.push(`encoding ${encoding}`)
      return withMessage(lines, this.#indented(commit.message))
    }
    if (shown.parents.length > 1) {
      const parents: string[] = []
      for (const parent of shown.parents)
        parents.push(this.#context.showsFullIds === true ? parent : await this.#context.ids.of(parent, this.#context.abbrev))
      lines.push(`Merge: ${parents.join(' ')}`)
    }
    const author = await this.#shown(commit.author)
    const committer = await this.#shown(commit.committer)
    if (form.kind === 'fuller') {
      lines.push(
        `Author:     ${who(author)}`,
        `AuthorDate: ${this.date(author)}`,
        `Commit:     ${who(committer)}`,
        `CommitDate: ${this.date(committer)}`,
      )
    } else if (form.kind === 'full') lines.push(`Author: ${who(author)}`, `Commit: ${who(committer)}`)
    else lines.push(`Author: ${who(author)}`)
    if (form.kind === 'medium') lines.push(`Date:   ${this.date(author)}`)
    const body = this.#indented(commit.message)
    // The short form ends with the first paragraph.
    const end = form.kind === 'short' ? body.findIndex(line => line.trim() === '') : -1
    return withMessage(lines, end === -1 ? body : body.slice(0, end))
  }

  #indented(message: string): readonly string[] {
    const lines = message.replace(/^\n+/, '').replace(/\s+$/, '').split('\n')
    if (lines.length === 1 && lines[0] === '') return []
    return lines.map(line => `    ${expandTabs(line.replace(/[ \t\v\f\r]+$/, ''), this.#context.tabWidth)}`)
  }

  /** Replaces placeholders. */
  async format(shown: ShownCommit, format: string, dateMode?: string): Promise<string> {
    this.#placeholders ??= new (await import('./placeholder-format.ts')).PlaceholderFormat(this.#context, this)
    return this.#placeholders.format(shown, format, dateMode)
  }

  #shown(person: Person): Person | Promise<Person> {
    return this.#context.showsProperNames === true ? this.proper(person) : person
  }

  async proper(person: Person): Promise<Person> {
    return (await this.#context.mailmap?.())?.of(person) ?? person
  }
}

function withMessage(head: readonly string[], message: readonly string[]): string {
  return (message.length === 0 ? head : [...head, '', ...message]).join('\n')
}

function raw({ name, email, time, zone }: Person): string {
  return `${name} <${email}> ${time} ${zone}`
}

function who({ name, email }: Person): string {
  return `${name} <${email}>`
}

function expandTabs(line: string, width: number): string {
  if (width === 0 || !line.includes('\t')) return line
  let result = ''
  let column = 0
  for (const character of line) {
    if (character === '\t') {
      const count = width - (column % width)
      result += ' '.repeat(count)
      column += count
    } else {
      result += character
      column++
    }
  }
  return result
}
