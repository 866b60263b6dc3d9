// Differences by words: the lines of an edit are cut into words, these are compared as lines are, and the text between words is taken
// from the newer side.

import { joinBytes } from '../../core/bytes.ts'
import { diffLines, type LineDiff } from './diff-lines.ts'
import { type HunkOptions, hunkParts } from './hunks.ts'

export interface WordDiffOptions {
  /**
   * `plain` marks words as `[-gone-]` and `{+come+}`; `porcelain` puts each run on a line, and `~` for each end of a line; `color` has
   * no marks but what `paint` adds.
   */
  readonly mode: 'plain' | 'porcelain' | 'color'
  /** Puts colors around the first line of a hunk, an unchanged line, and a run of words. */
  readonly paint?: ((kind: 'heading' | 'same' | 'removed' | 'added', text: string) => string) | undefined
  /** What a word is, with the flag `g`. Default: a run without blanks. */
  readonly word?: RegExp | undefined
}

interface Style {
  readonly before: string
  readonly after: string
  readonly paint?: ((text: string) => string) | undefined
}

interface Styles {
  readonly same: Style
  readonly removed: Style
  readonly added: Style
  readonly lineEnd: string
}

const styles: Readonly<Record<WordDiffOptions['mode'], Styles>> = {
  plain: {
    same: { before: '', after: '' },
    removed: { before: '[-', after: '-]' },
    added: { before: '{+', after: '+}' },
    lineEnd: '\n',
  },
  color: {
    same: { before: '', after: '' },
    removed: { before: '', after: '' },
    added: { before: '', after: '' },
    lineEnd: '\n',
  },
  porcelain: {
    same: { before: ' ', after: '\n' },
    removed: { before: '-', after: '\n' },
    added: { before: '+', after: '\n' },
    lineEnd: '~\n',
  },
}

/** One byte is one character, so that positions in text are those in bytes. */
const toText = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}
const toBytes = (text: string): Uint8Array => Uint8Array.from(text, character => character.charCodeAt(0))

/** The hunks as `git diff --word-diff` writes them. */
export function renderWordDiff(diff: LineDiff, hunks: HunkOptions, options: WordDiffOptions): Uint8Array {
  const { paint } = options
  const style = paint === undefined ? styles[options.mode] : paintedStyles(styles[options.mode], paint)
  const pieces: Uint8Array[] = []
  for (const part of hunkParts(diff, hunks)) {
    if (part.kind === 'heading')
      pieces.push(paint === undefined ? part.bytes : toBytes(`${paint('heading', toText(part.bytes).slice(0, -1))}\n`))
    else if (part.kind === 'edit')
      pieces.push(toBytes(wordsOfEdit(ended(toText(part.removed)), ended(toText(part.added)), style, options.word ?? /[^\s]+/g)))
    else pieces.push(toBytes(sameLine(ended(toText(part.bytes)), options)))
  }
  return joinBytes(pieces)
}

function sameLine(line: string, { mode, paint }: WordDiffOptions): string {
  const signed = mode === 'porcelain' ? ` ${line}` : line
  return (
    (paint === undefined || signed === '\n' ? signed : `${paint('same', signed.slice(0, -1))}\n`) +
    (mode === 'porcelain' ? '~\n' : '')
  )
}

function paintedStyles({ same, removed, added, lineEnd }: Styles, paint: NonNullable<WordDiffOptions['paint']>): Styles {
  return {
    same,
    removed: { ...removed, paint: text => paint('removed', text) },
    added: { ...added, paint: text => paint('added', text) },
    lineEnd,
  }
}

/** The output does not show whether the last line ends with a line feed. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** Where a word begins and ends. */
type Span = readonly [start: number, end: number]

function spansOf(text: string, word: RegExp): readonly Span[] {
  const spans: Span[] = []
  const search = new RegExp(word.source, word.flags.includes('g') ? word.flags : `${word.flags}g`)
  for (let found = search.exec(text); found !== null; found = search.exec(text)) {
    // A word never continues on the next line.
    const end = found.index + (found[0].split('\n')[0] ?? '').length
    if (end > found.index) spans.push([found.index, end])
    search.lastIndex = end > found.index ? end : found.index + 1
  }
  return spans
}

function wordsOfEdit(removed: string, added: string, style: Styles, word: RegExp): string {
  if (added === '') return styled(removed, style.removed, style.lineEnd)
  const before = spansOf(removed, word)
  const after = spansOf(added, word)
  const asLines = (text: string, spans: readonly Span[]): Uint8Array =>
    toBytes(spans.map(([start, end]) => `${text.slice(start, end)}\n`).join(''))
  const { edits } = diffLines(asLines(removed, before), asLines(added, after), { indentHeuristic: false })
  /** From the first to the last word; nothing lies behind the word before. */
  const range = (spans: readonly Span[], start: number, end: number): Span => {
    const behind = spans[start - 1]?.[1] ?? 0
    return start === end ? [behind, behind] : [spans[start]?.[0] ?? 0, spans[end - 1]?.[1] ?? 0]
  }
  let result = ''
  let at = 0
  for (const edit of edits) {
    const [oldStart, oldEnd] = range(before, edit.beforeStart, edit.beforeEnd)
    const [newStart, newEnd] = range(after, edit.afterStart, edit.afterEnd)
    result += styled(added.slice(at, newStart), style.same, style.lineEnd)
    result += styled(removed.slice(oldStart, oldEnd), style.removed, style.lineEnd)
    result += styled(added.slice(newStart, newEnd), style.added, style.lineEnd)
    at = newEnd
  }
  return result + styled(added.slice(at), style.same, style.lineEnd)
}

/** Puts each line of the text in separate marks. */
function styled(text: string, { before, after, paint }: Style, lineEnd: string): string {
  const lines = text.split('\n')
  const shown = (line: string): string => (paint === undefined ? before + line + after : paint(before + line + after))
  return lines.map((line, index) => (line === '' ? '' : shown(line)) + (index < lines.length - 1 ? lineEnd : '')).join('')
}
