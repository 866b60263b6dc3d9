// The control words of RTF that only change the state of their group, and those that stand for a character or for text to leave out.

import { codePageName } from './rtf-code-pages.ts'

/** The state of a group, which ends with the group. */
export interface State {
  /** The text is not part of the document. */
  isSkipped: boolean
  isBold: boolean
  isItalic: boolean
  isStruck: boolean
  isHidden: boolean
  /** Tracked changes deleted it. */
  isDeleted: boolean
  /** The number of characters after \u to skip, which are for programs without Unicode. */
  fallback: number
  codePage: string
  link: string | undefined
  /** Collects text that is not part of the page. */
  sink: 'page' | 'instruction' | 'list-text' | 'style-name' | 'fonts' | 'author' | 'nested-row'
  /** The style of the paragraph; `undefined` for a style of characters. */
  style: number | undefined
  /** Of a heading, from 1. */
  level: number | undefined
  listDepth: number
  /** How many tables the paragraph is in. */
  tableDepth: number
}

/** The state at the start of a file. */
export const initialState: State = {
  isSkipped: false,
  isBold: false,
  isItalic: false,
  isStruck: false,
  isHidden: false,
  isDeleted: false,
  fallback: 1,
  codePage: 'windows-1252',
  link: undefined,
  sink: 'page',
  style: 0,
  level: undefined,
  listDepth: 0,
  tableDepth: 0,
}

const tableDepthMax = 16

function within(number: number, most: number): number {
  return Math.min(most, Math.max(0, number))
}

/** What a word with this number changes. Maps, because a file can name the members of every object. */
export const settings: ReadonlyMap<string, (number: number | undefined, state: State) => Partial<State>> = new Map<
  string,
  (number: number | undefined, state: State) => Partial<State>
>([
  ['pard', () => ({ style: 0, level: undefined, listDepth: 0, tableDepth: 0 })],
  ['plain', () => ({ isBold: false, isItalic: false, isStruck: false, isHidden: false, isDeleted: false })],
  ['b', number => ({ isBold: number !== 0 })],
  ['i', number => ({ isItalic: number !== 0 })],
  ['strike', number => ({ isStruck: number !== 0 })],
  ['v', number => ({ isHidden: number !== 0 })],
  ['deleted', number => ({ isDeleted: number !== 0 })],
  ['s', (number = 0) => ({ style: number })],
  ['ilvl', (number = 0) => ({ listDepth: within(number, 8) })],
  ['intbl', (_number, { tableDepth }) => ({ tableDepth: Math.max(1, tableDepth) })],
  ['itap', (number = 0) => ({ tableDepth: within(number, tableDepthMax) })],
  ['uc', (number = 1) => ({ fallback: within(number, 16) })],
  ['ansicpg', (number = 1252) => ({ codePage: codePageName(number) })],
  ['mac', () => ({ codePage: 'macintosh' })],
  ['nesttableprops', () => ({ sink: 'nested-row' })],
  ['fonttbl', () => ({ sink: 'fonts' })],
  ['stylesheet', () => ({ sink: 'style-name' })],
])

export const characters: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['emspace', '\u2003'],
  ['enspace', '\u2002'],
  ['lbr', '\n'],
])

/** Destinations whose text is not part of the page. Unknown ones after \* are skipped. */
export const skipped: ReadonlySet<string> = new Set(
  (
    'colortbl info pict object header headerl headerr headerf footer footerl footerr footerf xe tc generator listtable ' +
    'listoverridetable revtbl rsidtbl themedata colorschememapping datastore latentstyles pgptbl mmathPr xmlnstbl bkmkstart ' +
    'bkmkend filetbl nonshppict sn sv atnid ftnsep aftnsep nonesttables'
  ).split(' '),
)
