// The merged outputs of diff: --ifdef, and the formats of groups and lines. Lines are byte strings with their newlines.

import type { Change } from '../text/diff-formats.ts'

type Kind = 'old' | 'new' | 'changed' | 'unchanged'

/** Formats by the names of their options, without the dashes. */
export type GroupFormats = ReadonlyMap<string, string>

export function ifdefFormats(name: string): GroupFormats {
  return new Map([
    ['old-group-format', `#ifndef ${name}\n%<#endif /* ! ${name} */\n`],
    ['new-group-format', `#ifdef ${name}\n%>#endif /* ${name} */\n`],
    ['changed-group-format', `#ifndef ${name}\n%<#else /* ${name} */\n%>#endif /* ${name} */\n`],
  ])
}

/** Returns the text, or an error message. */
export function inGroups(
  changes: readonly Change[],
  left: readonly string[],
  right: readonly string[],
  formats: GroupFormats,
): { readonly text: string } | string {
  const writer = new GroupWriter(left, right, formats)
  let [old, fresh] = [0, 0]
  for (const { oldIndex, newIndex, removed, added } of changes) {
    writer.group('unchanged', [old, oldIndex], [fresh, newIndex])
    const kind = removed.length === 0 ? 'new' : added.length === 0 ? 'old' : 'changed'
    old = oldIndex + removed.length
    fresh = newIndex + added.length
    writer.group(kind, [oldIndex, old], [newIndex, fresh])
  }
  writer.group('unchanged', [old, left.length], [fresh, right.length])
  return writer.problem ?? { text: writer.text }
}

type Span = readonly [begin: number, end: number]

class GroupWriter {
  text = ''
  problem: string | undefined
  private readonly left: readonly string[]
  private readonly right: readonly string[]
  private readonly formats: GroupFormats

  constructor(left: readonly string[], right: readonly string[], formats: GroupFormats) {
    this.left = left
    this.right = right
    this.formats = formats
  }

  group(kind: Kind, old: Span, fresh: Span): void {
    if (old[0] === old[1] && fresh[0] === fresh[1]) return
    const lines = (span: Span, of: readonly string[], line: Kind): string =>
      of
        .slice(...span)
        .map((text, index) => this.line(line, text, span[0] + index + 1))
        .join('')
    const format = this.groupFormat(kind)
    this.text += format.replace(
      /%(?:([<>=%])|c'([^'\\]|\\[0-7]{1,3})'|(-?\d*(?:\.\d+)?[doxX])([eflmnEFLMN])|([^]?))/g,
      (_, ...parts) => {
        const [sign, character, number, letter, other] = parts as (string | undefined)[]
        if (sign === '<') return lines(old, this.left, 'old')
        if (sign === '>') return lines(fresh, this.right, 'new')
        if (sign === '=') return lines(old, this.left, 'unchanged')
        if (sign === '%') return '%'
        if (character !== undefined) return characterOf(character)
        if (number !== undefined && letter !== undefined) {
          const [begin, end] = letter === letter.toLowerCase() ? old : fresh
          const values: Readonly<Record<string, number>> = { e: begin, f: begin + 1, l: end, m: end + 1, n: end - begin }
          return numbered(number, values[letter.toLowerCase()] ?? 0)
        }
        this.problem ??= `'%${other ?? ''}' of a group format is not available here; known are %<, %>, %=, %%, %c'C' and %d with efklmn`
        return ''
      },
    )
  }

  private groupFormat(kind: Kind): string {
    const given = (name: Kind): string | undefined => this.formats.get(`${name}-group-format`)
    switch (kind) {
      case 'old':
        return given('old') ?? given('changed') ?? '%<'
      case 'new':
        return given('new') ?? given('changed') ?? '%>'
      case 'changed':
        return given('changed') ?? (given('old') ?? '%<') + (given('new') ?? '%>')
      case 'unchanged':
        return given('unchanged') ?? '%='
    }
  }

  private line(kind: Kind, text: string, number: number): string {
    const format = this.formats.get(`${kind}-line-format`) ?? this.formats.get('line-format') ?? '%l\n'
    const body = text.endsWith('\n') ? text.slice(0, -1) : text
    return format.replace(/%(?:([lL%])|c'([^'\\]|\\[0-7]{1,3})'|(-?\d*(?:\.\d+)?[doxX])n|([^]?))/g, (_, ...parts) => {
      const [sign, character, width, other] = parts as (string | undefined)[]
      if (sign === 'l') return body
      if (sign === 'L') return text
      if (sign === '%') return '%'
      if (character !== undefined) return characterOf(character)
      if (width !== undefined) return numbered(width, number)
      this.problem ??= `'%${other ?? ''}' of a line format is not available here; known are %l, %L, %%, %c'C' and %dn`
      return ''
    })
  }
}

function characterOf(text: string): string {
  return text.startsWith('\\') ? String.fromCharCode(Number.parseInt(text.slice(1), 8)) : text
}

function numbered(format: string, value: number): string {
  const [, left = '', width = '', precision = '', letter = 'd'] = /^(-?)(\d*)(?:\.(\d+))?([doxX])$/.exec(format) ?? []
  const digits = value.toString(letter === 'o' ? 8 : letter === 'd' ? 10 : 16).padStart(Number(precision), '0')
  const shown = letter === 'X' ? digits.toUpperCase() : digits
  return left === '-' ? shown.padEnd(Number(width)) : shown.padStart(Number(width), width.startsWith('0') ? '0' : ' ')
}
