import { describe, expect, it } from 'vitest'
import { expandRanges, parseSelector, selectorCandidates, type LineRange, type PathSelector } from './selector.ts'

const range = (one: LineRange): string => (one.bounded ? `${one.start}-${one.end}` : `${one.start}-`)
/** `path|ranges|flags` */
const summary = ({ path, ranges, raw, conflicts }: PathSelector): string =>
  [path, ranges.map(range).join(','), `${raw ? 'raw' : ''}${conflicts ? 'conflicts' : ''}`].join('|')

describe('parseSelector takes off every selector', () => {
  it.each([
    ['l.txt', 'l.txt||'],
    ['l.txt:5', 'l.txt|5-|'],
    ['l.txt:3-', 'l.txt|3-|'],
    ['l.txt:3..', 'l.txt|3-|'],
    ['l.txt:5-16', 'l.txt|5-16|'],
    ['l.txt:5..9', 'l.txt|5-9|'],
    ['l.txt:5+3', 'l.txt|5-7|'],
    ['l.txt:L5-L6', 'l.txt|5-6|'],
    ['l.txt:L5', 'l.txt|5-|'],
    ['l.txt:2,5', 'l.txt|2-2,5-5|'],
    ['l.txt:2-3,5+2,9-', 'l.txt|2-3,5-6,9-|'],
    ['l.txt:2-3, 5-6', 'l.txt|2-3,5-6|'],
    ['l.txt:raw', 'l.txt||raw'],
    ['l.txt:RAW', 'l.txt||raw'],
    ['l.txt:conflicts', 'l.txt||conflicts'],
    ['l.txt:1-3:raw', 'l.txt|1-3|raw'],
    ['l.txt:raw:1-3', 'l.txt|1-3|raw'],
    ['l.txt:395:470', 'l.txt|395-470|'],
    ['l.txt:40:8', 'l.txt|40-|'],
    ['l.txt:395:470:raw', 'l.txt|395-470|raw'],
    ['l.txt:99999999999999999999', 'l.txt|9007199254740991-|'],
    ['l.txt:2+99999999999999999999', 'l.txt|2-9007199254740991|'],
    // Not selectors.
    ['file.ts:abc', 'file.ts:abc||'],
    ['file.ts:5abc', 'file.ts:5abc||'],
    ['file.ts:,5', 'file.ts:,5||'],
    ['pkg:1.2', 'pkg:1.2||'],
    ['a:', 'a:||'],
    [':5', ':5||'],
    ['', '||'],
    ['a:raw:b.txt', 'a:raw:b.txt||'],
    ['https://host:8080', 'https://host:8080||'],
    ['https://host:8080:5-6', 'https://host:8080|5-6|'],
    ['https://host/page:5-6', 'https://host/page|5-6|'],
    ['https://host/page:5', 'https://host/page|5-|'],
    ['conflict://1', 'conflict://1||'],
  ])('%j', (text, expected) => {
    expect(summary(parseSelector(text))).toBe(expected)
  })

  it.each([':0', ':L0', ':0-5', ':5-3', ':5-0', ':2+', ':2+0', ':5-6,', ':1,0', ':0:5', ':5:0', ':0:raw'])(
    'refuses %s',
    selector => {
      expect(() => parseSelector(`l.txt${selector}`)).toThrow(
        expect.objectContaining({ code: 'selector-invalid', nextStep: expect.any(String) }),
      )
    },
  )
})

describe('selectorCandidates offers the longest path first', () => {
  it.each<[string, readonly string[]]>([
    ['a', ['a||']],
    ['a:3', ['a:3||', 'a|3-|']],
    ['a:1:2', ['a:1:2||', 'a:1|2-|', 'a|1-2|']],
    ['a:raw:5-6', ['a:raw:5-6||', 'a:raw|5-6|', 'a|5-6|raw']],
    ['a:1:2:3', ['a:1:2:3||', 'a:1:2|3-|', 'a:1|2-3|']],
  ])('%j', (text, expected) => {
    expect(selectorCandidates(text).map(summary)).toEqual(expected)
  })

  it('a wrong selector is a problem of its split only', () => {
    expect(selectorCandidates('odd:0').map(({ path, problem }) => [path, problem?.code])).toEqual([
      ['odd:0', undefined],
      ['odd', 'selector-invalid'],
    ])
  })
})

describe('expandRanges', () => {
  const context = { before: 1, after: 3 }
  // selector, lines in the file, visible, beyond the end
  it.each<[string, number, string, string]>([
    ['', 10, '1-10', ''],
    ['', 0, '', ''],
    [':5-6', 10, '4-9', ''],
    [':1-1', 10, '1-4', ''],
    [':2-2,4-4', 10, '1-7', ''],
    [':2-2,7-7', 10, '1-10', ''],
    [':2-2,8-8', 12, '1-5,7-11', ''],
    [':8-8,2-2', 12, '1-5,7-11', ''],
    [':2-9,3-4', 20, '1-12', ''],
    [':5', 10, '5-10', ''],
    [':11', 10, '', '11-'],
    [':20-30', 10, '', '20-30'],
    [':9-30', 10, '8-10', '11-30'],
    [':2,99', 10, '1-5', '99-99'],
  ])('%j of %i lines', (selector, totalLines, visible, beyond) => {
    const expanded = expandRanges(parseSelector(`f${selector}`).ranges, totalLines, context)
    expect(expanded.visible.map(span => `${span.start}-${span.end}`).join(',')).toBe(visible)
    expect(expanded.beyond.map(range).join(',')).toBe(beyond)
  })
})
