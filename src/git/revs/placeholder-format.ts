// Formats a commit by a text with placeholders.

import { failure, GitFailure } from '../errors.ts'
import { Options } from '../options.ts'
import type { ObjectId, Person } from '../store/object-format.ts'
import type { WrapOptions } from '../wrap-text.ts'
import type { Describer } from './describe.ts'
import { padded, type Padding, placeholderAt, takenBlanks } from './placeholder.ts'
import type { Pretty, PrettyContext, ShownCommit } from './pretty.ts'
import { bodyOf, sanitized, subjectOf, titleOf } from './subject.ts'

export class PlaceholderFormat {
  readonly #context: PrettyContext
  readonly #pretty: Pretty
  readonly #describers = new Map<string, Describer>()

  constructor(context: PrettyContext, pretty: Pretty) {
    this.#context = context
    this.#pretty = pretty
  }

  /** Placeholders are replaced from left to right; `%<(…)` and `%>(…)` pad the next one. */
  async format(shown: ShownCommit, format: string, dateMode?: string): Promise<string> {
    let result = ''
    let padding: Padding | undefined
    // `%C(auto)` was the last color: IDs and decorations get the colors that are configured for them.
    let isAutomatic = false
    let wrap: { readonly options: WrapOptions; readonly start: number } | undefined
    const endWrap = async (): Promise<void> => {
      if (wrap === undefined) return
      const { wrapText } = await import('./rare-placeholders.ts')
      result = result.slice(0, wrap.start) + wrapText(result.slice(wrap.start), wrap.options)
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
      if (found.kind === 'sign') {
        result = joined(result, found.sign, '')
        continue
      }
      if (found.kind !== 'value' && padding !== undefined) {
        // The padding itself is what is padded.
        result += padded('', padding, result)
        padding = undefined
        continue
      }
      if (found.kind === 'wrap') {
        await endWrap()
        wrap = { options: found.options, start: result.length }
        continue
      }
      if (found.kind === 'padding') {
        result = joined(result, found.sign, found.text)
        const { width, isColumn } = found.padding
        padding = { ...found.padding, width: isColumn ? width - (shown.graphColumns ?? 0) : width }
        continue
      }
      if (found.name.startsWith('C')) {
        const color = await this.#color(found.name)
        isAutomatic = color === 'automatic'
        if (isAutomatic && result === '') continue
        result = joined(result, found.sign, isAutomatic ? '\u001B[m' : color)
        continue
      }
      let text = await this.#placeholder(shown, found.name, dateMode, isAutomatic)
      if (text === undefined) {
        result += format.slice(at - found.length, at)
        continue
      }
      if (padding !== undefined) {
        const taken = takenBlanks(text, padding, result)
        const before = result.slice(0, result.length - taken)
        text = padded(text, { ...padding, width: padding.width + (padding.isColumn ? 0 : taken) }, before)
        result = before
        padding = undefined
      }
      result = joined(result, found.sign, text)
    }
    await endWrap()
    return result
  }

  /** `%Cred`, `%C(bold red)`, `%C(auto)`. */
  async #color(name: string): Promise<string> {
    const isColored = this.#context.isColored === true
    const inside = /^C\((.*)\)$/.exec(name)?.[1]
    if (inside === 'auto') return isColored ? 'automatic' : ''
    const [, when, words = ''] = /^(auto|always)?,?(.*)$/.exec(inside ?? name.slice(1)) ?? []
    if (!isColored && when !== 'always') return ''
    const { parseColor, resetColor } = await import('../color/painting.ts')
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
    const { Describer } = await import('./rare-placeholders.ts')
    const describer = this.#describers.get(name) ?? new Describer(this.#context.repository, new Options(given, [], undefined))
    this.#describers.set(name, describer)
    return describer.of(oid).catch((error: unknown) => {
      if (error instanceof GitFailure) return ''
      throw error
    })
  }

  async #shortId(oid: ObjectId): Promise<string> {
    const { ids, abbrev, showsFullIds } = this.#context
    return showsFullIds === true ? oid : ids.of(oid, abbrev)
  }

  async #placeholder(
    shown: ShownCommit,
    name: string,
    dateMode: string | undefined,
    isAutomatic: boolean,
  ): Promise<string | undefined> {
    const { oid, commit, reflog } = shown
    switch (name) {
      case 'H':
        return this.#pretty.inCommitColor(oid, isAutomatic)
      case 'h':
        return this.#pretty.inCommitColor(await this.#shortId(oid), isAutomatic)
      case 'T':
        return commit.tree
      case 't':
        return this.#shortId(commit.tree)
      case 'P':
        return shown.parents.join(' ')
      case 'p': {
        const parents: string[] = []
        for (const parent of shown.parents) parents.push(await this.#shortId(parent))
        return parents.join(' ')
      }
      case 's':
        return subjectOf(commit.message)
      case 'f':
        return sanitized(titleOf(commit.message))
      case 'b':
        return bodyOf(commit.message)
      case 'B':
        return commit.message.replace(/^\n+/, '')
      case 'd':
        return this.#pretty.decorations(oid, ' (', ')', isAutomatic)
      case 'D':
        return this.#pretty.decorations(oid, '', '', isAutomatic)
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
      case 'GF':
      case 'GP':
        return ''
      case 'GT':
        return 'undefined'
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
      case 'gN':
        return reflog === undefined ? '' : (await this.#pretty.proper(reflog.entry.who)).name
      case 'gE':
        return reflog === undefined ? '' : (await this.#pretty.proper(reflog.entry.who)).email
      default:
        break
    }
    if (/^x[0-9a-fA-F]{2}$/.test(name)) return String.fromCharCode(Number.parseInt(name.slice(1), 16))
    if (name.startsWith('(describe')) return this.#described(oid, name)
    if (name.startsWith('(trailers'))
      return (await import('./rare-placeholders.ts')).shownTrailers(
        commit.message,
        name.slice('(trailers'.length, -1).replace(/^:/, ''),
      )
    const own = name.startsWith('a') ? commit.author : name.startsWith('c') ? commit.committer : undefined
    const who_ = own !== undefined && /^.[NEL]$/.test(name) ? await this.#pretty.proper(own) : own
    return who_ === undefined ? undefined : this.#personPart(who_, name.slice(1), dateMode)
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
        return this.#pretty.date(person, dateMode)
      case 'D':
        return this.#pretty.date(person, 'rfc')
      case 'r':
        return this.#pretty.date(person, 'relative')
      case 't':
        return String(person.time)
      case 'i':
        return this.#pretty.date(person, 'iso')
      case 'I':
        return this.#pretty.date(person, 'iso-strict')
      case 's':
        return this.#pretty.date(person, 'short')
      case 'h':
        return this.#pretty.date(person, 'human')
      default:
        return undefined
    }
  }
}

/** A sign puts a line feed or a blank before a text, or takes the line feeds where there is none. */
function joined(before: string, sign: string, text: string): string {
  if (text === '') return sign === '-' ? before.replace(/\n+$/, '') : before
  return before + (sign === '+' ? '\n' : sign === ' ' ? ' ' : '') + text
}
