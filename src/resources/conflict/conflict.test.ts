import { describe, expect, it } from 'vitest'

import { documentOf, textOf } from '../../core/text.ts'
import { parseConflictAddress } from './address.ts'
import { conflictText, findConflicts, sideOf } from './regions.ts'
import { parseResolution, spliceConflicts } from './splice.ts'

const two = 'a\n<<<<<<< HEAD\nl\n=======\nr\n>>>>>>> topic\nb\n'
const three = 'a\n<<<<<<< HEAD\nl\n||||||| 1a2b\nm\n=======\nr\n>>>>>>> topic\nb\n'

describe('findConflicts', () => {
  // Each conflict as ours|base|theirs, lines joined by a comma; `-` if there is no base.
  const rows: readonly (readonly [name: string, text: string, found: readonly string[]])[] = [
    ['nothing', '', []],
    ['no marker', 'a\nb\n', []],
    ['two sides', two, ['l|-|r']],
    ['a base', three, ['l|m|r']],
    ['empty sides', '<<<<<<< a\n=======\n>>>>>>> b\n', ['|-|']],
    ['markers without labels', '<<<<<<<\nl\n=======\nr\n>>>>>>>\n', ['l|-|r']],
    ['CRLF', two.replaceAll('\n', '\r\n'), ['l|-|r']],
    ['a byte-order mark', `\uFEFF${two.slice(2)}`, ['l|-|r']],
    ['no final newline', two.slice(0, -3), ['l|-|r']],
    ['two conflicts', two + three, ['l|-|r', 'l|m|r']],
    ['a longer underline is text', '<<<<<<< a\nT\n========\n=======\nr\n>>>>>>> b\n', ['T,========|-|r']],
    ['the first separator counts', '<<<<<<< a\nl\n=======\nT\n=======\n>>>>>>> b\n', ['l|-|T,=======']],
    ['a separator counts after the base only once', '<<<<<<< a\n||||||| x\n=======\n||||||| y\n>>>>>>> b\n', ['||||||||| y']],
    ['eight characters are no marker', two.replaceAll('>>>>>>>', '>>>>>>>>'), []],
    ['a letter after the marker makes it text', two.replace('<<<<<<< HEAD', '<<<<<<<HEAD'), []],
    ['no end', '<<<<<<< a\nl\n=======\nr\n', []],
    ['no separator', '<<<<<<< a\nl\n>>>>>>> b\n', []],
    ['a start inside another', '<<<<<<< a\nx\n<<<<<<< b\nl\n=======\nr\n>>>>>>> c\n', ['l|-|r']],
  ]
  it.each(rows)('%s', (_name, text, found) => {
    const document = documentOf(text)
    const shown = findConflicts(document).map(region => {
      const side = (name: 'ours' | 'base' | 'theirs'): string => {
        const { start, end } = sideOf(region, name)
        return document.lines.slice(start, end).join(',')
      }
      return [side('ours'), region.baseIndex === undefined ? '-' : side('base'), side('theirs')].join('|')
    })
    expect(shown).toEqual(found)
  })

  it('tells labels, and how many lines look like the separator', () => {
    const [region] = findConflicts(documentOf('<<<<<<< my branch \n=======\n=======\n>>>>>>> a/b\n'))
    expect(region).toMatchObject({ oursLabel: 'my branch', theirsLabel: 'a/b', separatorCount: 2 })
  })

  it('knows a conflict by its text, whatever its endings', () => {
    const texts = [two, two.replaceAll('\n', '\r\n')].map(text => {
      const document = documentOf(text)
      return findConflicts(document).map(region => conflictText(document, region))
    })
    expect(texts[0]).toEqual(['<<<<<<< HEAD\nl\n=======\nr\n>>>>>>> topic'])
    expect(texts[1]).toEqual(texts[0])
  })
})

describe('spliceConflicts', () => {
  const crlf = two.replaceAll('\n', '\r\n')
  const rows: readonly (readonly [name: string, before: string, content: string, after: string])[] = [
    ['ours', two, '@ours', 'a\nl\nb\n'],
    ['theirs, with a newline', two, '@theirs\n', 'a\nr\nb\n'],
    ['the base', three, ' @base ', 'a\nm\nb\n'],
    ['a base that is not there', two, '@base', 'a\nb\n'],
    ['both sides', two, '@theirs\n@ours\n', 'a\nr\nl\nb\n'],
    ['text', two, 'x\ny\n', 'a\nx\ny\nb\n'],
    ['text without a newline', two, 'x', 'a\nx\nb\n'],
    ['an empty last line', two, 'x\n\n', 'a\nx\n\nb\n'],
    ['nothing', two, '', 'a\nb\n'],
    ['a token among text is text', two, '@ours\nx', 'a\n@ours\nx\nb\n'],
    ['every conflict', two + two, 'x\n', 'a\nx\nb\na\nx\nb\n'],
    ['CRLF in the file, LF in the text', crlf, 'x\ny\n', 'a\r\nx\r\ny\r\nb\r\n'],
    ['CRLF, a side', crlf, '@ours', 'a\r\nl\r\nb\r\n'],
    ['a side keeps its own endings', two.replace('l\n', 'l\r\n'), '@ours', 'a\nl\r\nb\n'],
    ['CR', two.replaceAll('\n', '\r'), 'x', 'a\rx\rb\r'],
    ['CR above an empty line', `a\r${two.slice(2).replace('\nl\n', '\n\n')}`, '@ours', 'a\r\rb\n'],
    ['a byte-order mark', `\uFEFF${two.slice(2)}`, '@ours', '\uFEFFl\nb\n'],
    ['no final newline', two.slice(0, -3), '@ours', 'a\nl'],
    ['no final newline, nothing', two.slice(0, -3), '', 'a\n'],
    ['no final newline, an empty line', two.slice(0, -3), '\n', 'a\n'],
    ['the whole file, nothing', two.slice(2, -2), '', ''],
    ['trailing blanks', two.replace('l\n', 'l \t\n'), '@ours', 'a\nl \t\nb\n'],
  ]
  it.each(rows)('%s', (_name, before, content, after) => {
    const document = documentOf(before)
    expect(textOf(spliceConflicts(document, findConflicts(document), parseResolution(content)))).toBe(after)
  })
})

describe('parseConflictAddress', () => {
  it.each([
    ['conflict://1', { kind: 'one', id: 1 }],
    ['Conflict://12', { kind: 'one', id: 12 }],
    ['conflict://*', { kind: 'all' }],
    ['conflict://3/theirs', { kind: 'side', id: 3, side: 'theirs' }],
  ])('%s', (text, address) => {
    expect(parseConflictAddress(text)).toEqual(address)
  })

  it.each([
    'conflict://',
    'conflict://0',
    'conflict://x',
    'conflict://1/mine',
    'conflict://*/ours',
    'conflict://1/',
    'other://1',
  ])('%s is none', text => {
    expect(() => parseConflictAddress(text)).toThrow(expect.objectContaining({ code: 'conflict-address' }))
  })
})
