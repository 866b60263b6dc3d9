// Formats a commit: the named formats, and formats with placeholders.

import { bodyOf, sanitized, subjectOf } from './subject.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import type { Palette } from '../color/palette.ts'
import type { Repository } from '../repository.ts'
import { Options } from '../options.ts'
import { type WrapOptions, wrapText } from '../text-columns.ts'
import type { Commit, ObjectId, Person } from '../store/object-format.ts'
import { formatDate } from './date.ts'
import type { Describer } from './describe.ts'
import type { Mailmap } from './mailmap.ts'
import type { ShortIds } from './short-ids.ts'
import type { ReflogEntry } from '../store/refs.ts'
import type { PrettyForm } from './pretty-form.ts'
import { padded, type Padding, placeholderAt } from './placeholder.ts'

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
  /** Colors are written. */
  readonly isColored?: boolean
  /** `%N`. */
  readonly notes?: ((oid: ObjectId) => Promise<string>) | undefined
}

export class Pretty {
  readonly #context: PrettyContext
  readonly #describers = new Map<string, Describer>()
  #loadedPalette: Promise<Palette> | undefined

  constructor(context: PrettyContext) {
    this.#context = context
  }

  #date(person: Person, mode: string = this.#context.dateMode): string {
    const text = formatDate(person, mode, this.#context.now)
    if (text === undefined) throw fatal(`unknown date format ${mode}`)
    return text
  }

  async #id(oid: ObjectId): Promise<string> {
    const { ids, isAbbreviated, abbrev } = this.#context
    return isAbbreviated ? ids.of(oid, abbrev) : oid
  }

  async #palette(): Promise<Palette> {
    return (this.#loadedPalette ??= import('../color/load-palette.ts').then(({ paletteOf }) =>
      paletteOf(this.#context.repository),
    ))
  }

  /** In the color of commits, where colors are written. */
  async #inCommitColor(text: string, isColored: boolean = this.#context.isColored === true): Promise<string> {
    return isColored ? (await this.#palette()).paint('diff.commit', text) : text
  }

  /** The names of references, with text around them; '' without any. */
  async #decorations(oid: ObjectId, before: string, after: string, isColored: boolean): Promise<string> {
    const { decorations, showsDecorations } = this.#context
    const form = showsDecorations === 'full' ? 'full' : 'short'
    const names = await decorations(oid, isColored ? 'full' : form)
    if (names.length === 0) return ''
    if (!isColored) return before + names.join(', ') + after
    const { paintedDecorations } = await import('../color/painted-decorations.ts')
    return paintedDecorations(await this.#palette(), names, { before, after, isShort: form === 'short' })
  }

  async #decoration(oid: ObjectId): Promise<string> {
    return this.#context.showsDecorations === 'no' ? '' : this.#decorations(oid, ' (', ')', this.#context.isColored === true)
  }

  /** The entry without its separator, and without a line feed at the end. */
  async render(shown: ShownCommit, form: PrettyForm): Promise<string> {
    const { oid, commit, mark } = shown
    if (form.kind === 'format') return this.format(shown, form.format)
    const subject = subjectOf(commit.message)
    if (form.kind === 'reference') {
      return this.format(shown, '%h (%s, %ad)', this.#context.dateMode === 'default' ? 'short' : undefined)
    }
    const { source } = shown
    if (form.kind === 'email' || form.kind === 'mboxrd') {
      const { mailOf } = await import('./email.ts')
      return mailOf(oid, commit, { subjectPrefix: 'PATCH', headers: [], quotesFrom: form.kind === 'mboxrd' })
    }
    const others: string[] = []
    for (const other of shown.others ?? []) others.push(` ${await this.#id(other)}`)
    const from = shown.from === undefined ? '' : ` (from ${await this.#id(shown.from)})`
    const sourceText = source === undefined || !this.#context.showsSource ? '' : `\t${source}`
    const head = async (start: string): Promise<string> =>
      (await this.#inCommitColor(`${start}${await this.#id(oid)}${from}${others.join('')}`)) +
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
        ...commit.parents.map(parent => `parent ${parent}`),
        `author ${raw(commit.author)}`,
        `committer ${raw(commit.committer)}`,
      )
      lines.push(...commit.extra.map(({ key, value }) => `${key} ${value.replaceAll('\n', '\n ')}`))
      return withMessage(lines, this.#indented(commit.message))
    }
    if (shown.parents.length > 1) {
      const parents: string[] = []
      for (const parent of shown.parents)
        parents.push(this.#context.showsFullIds === true ? parent : await this.#context.ids.of(parent, this.#context.abbrev))
      lines.push(`Merge: ${parents.join(' ')}`)
    }
    const isProper = this.#context.showsProperNames === true
    const author = isProper ? await this.#proper(commit.author) : commit.author
    const committer = isProper ? await this.#proper(commit.committer) : commit.committer
    if (form.kind === 'fuller') {
      lines.push(
        `Author:     ${who(author)}`,
        `AuthorDate: ${this.#date(author)}`,
        `Commit:     ${who(committer)}`,
        `CommitDate: ${this.#date(committer)}`,
      )
    } else if (form.kind === 'full') lines.push(`Author: ${who(author)}`, `Commit: ${who(committer)}`)
    else lines.push(`Author: ${who(author)}`)
    if (form.kind === 'medium') lines.push(`Date:   ${this.#date(author)}`)
    const body = form.kind === 'short' ? [`    ${subject}`] : this.#indented(commit.message)
    return withMessage(lines, body)
  }

  #indented(message: string): readonly string[] {
    const lines = message.replace(/^\n+/, '').replace(/\s+$/, '').split('\n')
    if (lines.length === 1 && lines[0] === '') return []
    return lines.map(line =>
      (line.trimEnd() === '' ? '    ' : `    ${expandTabs(line, this.#context.tabWidth)}`).replace(/^ {4}$/, '    '),
    )
  }

  /** Placeholders are replaced from left to right; `%<(…)` and `%>(…)` pad the next one. */
  async format(shown: ShownCommit, format: string, dateMode?: string): Promise<string> {
    let result = ''
    let padding: Padding | undefined
    // `%C(auto)` was the last color: IDs and decorations get the colors that are configured for them.
    let isAutomatic = false
    let wrap: { readonly options: WrapOptions; readonly start: number } | undefined
    const endWrap = (): void => {
      if (wrap !== undefined) result = result.slice(0, wrap.start) + wrapText(result.slice(wrap.start), wrap.options)
      wrap = undefined
    }
    for (let at = 0; at < format.length;) {
      if (format[at] !== '%') {
        result += format[at++]
        continue
      }
      const found = placeholderAt(format, at)
      if (found === undefined) {
        result += format[at++]
        continue
      }
      at += found.length
      if (found.kind === 'wrap') {
        endWrap()
        wrap = { options: found.options, start: result.length }
        continue
      }
      if (found.kind === 'padding') {
        padding = found.padding
        continue
      }
      if (found.name.startsWith('C')) {
        const color = await this.#color(found.name)
        isAutomatic = color === 'automatic'
        if (isAutomatic && result === '') continue
        result += isAutomatic ? '\u001B[m' : color
        continue
      }
      let text = await this.#placeholder(shown, found.name, dateMode, isAutomatic)
      if (text === undefined) {
        result += format.slice(at - found.length, at)
        continue
      }
      if (padding !== undefined) {
        text = padded(text, padding, result)
        padding = undefined
      }
      if (found.sign === '+' && text !== '') text = `\n${text}`
      else if (found.sign === ' ' && text !== '') text = ` ${text}`
      else if (found.sign === '-' && text === '') result = result.replace(/\n+$/, '')
      result += text
    }
    endWrap()
    return result
  }

  /** `%Cred`, `%C(bold red)`, `%C(auto)`. */
  async #color(name: string): Promise<string> {
    const isColored = this.#context.isColored === true
    const inside = /^C\((.*)\)$/.exec(name)?.[1]
    if (inside === 'auto') return isColored ? 'automatic' : ''
    const [, when, words = ''] = /^(auto|always)?,?(.*)$/.exec(inside ?? name.slice(1)) ?? []
    if (!isColored && when !== 'always') return ''
    const { parseColor, resetColor } = await import('../color/palette.ts')
    const color = words === 'reset' ? resetColor : parseColor(words)
    if (color === undefined) throw failure(`invalid color value: ${words}\nfatal: unable to parse --pretty format`, 128)
    return color
  }

  /** `%(describe:…)`: '' where no name leads to the commit. */
  async #described(oid: ObjectId, name: string): Promise<string | undefined> {
    const given: { readonly key: string; readonly value: string | undefined; readonly isNegated: boolean }[] = []
    for (const option of name.slice('(describe'.length, -1).replace(/^:/, '').split(',').filter(Boolean)) {
      const [, key = '', value] = /^([a-z]+)(?:=(.*))?$/.exec(option) ?? []
      const isFlag = key === 'tags' && ['true', 'yes', 'on', '1', undefined].includes(value)
      const isOff = key === 'tags' && ['false', 'no', 'off', '0', ''].includes(value ?? 'true')
      const isValue = value !== undefined && (['match', 'exclude'].includes(key) || (key === 'abbrev' && /^\d+$/.test(value)))
      if (!isFlag && !isOff && !isValue) return undefined
      given.push({ key, value: isValue ? value : undefined, isNegated: isOff })
    }
    const { Describer } = await import('./describe.ts')
    const describer = this.#describers.get(name) ?? new Describer(this.#context.repository, new Options(given, [], undefined))
    this.#describers.set(name, describer)
    return describer.of(oid).catch((error: unknown) => {
      if (error instanceof GitFailure) return ''
      throw error
    })
  }

  async #placeholder(
    shown: ShownCommit,
    name: string,
    dateMode: string | undefined,
    isAutomatic: boolean,
  ): Promise<string | undefined> {
    const { oid, commit, reflog } = shown
    const { ids, abbrev } = this.#context
    switch (name) {
      case 'H':
        return this.#inCommitColor(oid, isAutomatic)
      case 'h':
        return this.#inCommitColor(await ids.of(oid, abbrev), isAutomatic)
      case 'T':
        return commit.tree
      case 't':
        return ids.of(commit.tree, abbrev)
      case 'P':
        return shown.parents.join(' ')
      case 'p': {
        const parents: string[] = []
        for (const parent of shown.parents) parents.push(await ids.of(parent, abbrev))
        return parents.join(' ')
      }
      case 's':
        return subjectOf(commit.message)
      case 'f':
        return sanitized(subjectOf(commit.message))
      case 'b':
        return bodyOf(commit.message)
      case 'B':
        return commit.message.replace(/^\n+/, '')
      case 'd':
        return this.#decorations(oid, ' (', ')', isAutomatic)
      case 'D':
        return this.#decorations(oid, '', '', isAutomatic)
      case 'S':
        return shown.source ?? ''
      case 'e':
        return commit.extra.find(({ key }) => key === 'encoding')?.value ?? ''
      case 'm':
        return shown.sideMark ?? (shown.mark === '' ? '>' : shown.mark)
      case 'n':
        return '\n'
      case '%':
        return '%'
      case 'N':
        return (await this.#context.notes?.(oid)) ?? ''
      case 'GG':
      case 'GS':
      case 'GK':
        return ''
      case 'G?':
        return 'N'
      case 'gd':
        return reflog?.shortSelector ?? ''
      case 'gD':
        return reflog?.selector ?? ''
      case 'gs':
        return reflog?.entry.message ?? ''
      case 'gn':
        return reflog?.entry.who.name ?? ''
      case 'ge':
        return reflog?.entry.who.email ?? ''
      default:
        break
    }
    if (/^x[0-9a-fA-F]{2}$/.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    if (name.startsWith('(describe')) return this.#described(oid, name)
    if (name.startsWith('(trailers'))
      return (await import('./trailers.ts')).shownTrailers(commit.message, name.slice('(trailers'.length, -1).replace(/^:/, ''))
    const own = name.startsWith('a') ? commit.author : name.startsWith('c') ? commit.committer : undefined
    const who_ = own !== undefined && /^.[NEL]$/.test(name) ? await this.#proper(own) : own
    return who_ === undefined ? undefined : this.#personPart(who_, name.slice(1), dateMode)
  }

  async #proper(person: Person): Promise<Person> {
    return (await this.#context.mailmap?.())?.of(person) ?? person
  }

  #personPart(person: Person, part: string, dateMode: string | undefined): string | undefined {
    switch (part) {
      case 'n':
      case 'N':
        return person.name
      case 'e':
      case 'E':
        return person.email
      case 'l':
      case 'L':
        return person.email.split('@')[0] ?? ''
      case 'd':
        return this.#date(person, dateMode)
      case 'D':
        return this.#date(person, 'rfc')
      case 'r':
        return this.#date(person, 'relative')
      case 't':
        return String(person.time)
      case 'i':
        return this.#date(person, 'iso')
      case 'I':
        return this.#date(person, 'iso-strict')
      case 's':
        return this.#date(person, 'short')
      case 'h':
        return this.#date(person, 'human')
      default:
        return undefined
    }
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
