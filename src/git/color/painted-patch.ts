// A patch in colors: the head of a file, its hunks, and the whitespace errors in them.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { WhitespaceRules } from '../diff/whitespace.ts'
import type { ColorSlot, Palette } from './palette.ts'
import { resetColor } from './palette.ts'

export { whitespaceRules } from '../diff/whitespace.ts'

/** The lines before the hunks. The tab behind a name with blanks stays outside. */
export function paintedHead(lines: readonly string[], palette: Palette): string {
  const meta = palette.of('diff.meta')
  return lines
    .map(line => {
      const tab = /^(?:---|\+\+\+) .*\t$/.test(line) ? '\t' : ''
      return `${meta}${line.slice(0, line.length - tab.length)}${resetColor}${tab}\n`
    })
    .join('')
}

/** `@@ -1,2 +1,3 @@ heading`. */
function paintedHeading(line: string, palette: Palette): string {
  const [, place = '', gap = '', heading = ''] = /^(@@+ .*? @@+)(\s*)(.*)$/s.exec(line) ?? []
  const shownGap = gap === '' ? '' : `${palette.of('diff.context')}${gap}${resetColor}`
  const shownHeading = heading === '' ? '' : `${palette.of('diff.func')}${heading}${resetColor}`
  return `${palette.of('diff.frag')}${place}${resetColor}${shownGap}${shownHeading}`
}

/** For differences by words. */
export function wordPaint(palette: Palette): (kind: 'heading' | 'same' | 'removed' | 'added', text: string) => string {
  return (kind, text) => {
    if (kind === 'heading') return paintedHeading(text, palette)
    if (kind === 'same') return `${palette.of('diff.context')}${text}${resetColor}`
    return palette.paint(kind === 'removed' ? 'diff.old' : 'diff.new', text)
  }
}

export interface HunkPaint {
  readonly palette: Palette
  readonly rules: WhitespaceRules
  /** The kinds of lines whose whitespace errors are shown. */
  readonly errorsIn: ReadonlySet<'old' | 'new' | 'context'>
  readonly signs: { readonly same: string; readonly removed: string; readonly added: string }
  /** Line numbers from which on blank lines at the end are new; `undefined` if there are none. */
  readonly blankEnd: readonly [before: number, after: number] | undefined
}

export function paintedHunks(hunks: Uint8Array, paint: HunkPaint): Uint8Array {
  const { palette, signs, blankEnd } = paint
  const lines = decodeText(hunks).split('\n')
  lines.pop()
  let [before, after] = [0, 0]
  const painted = lines.map(line => {
    const sign = line[0] ?? ''
    const text = line.slice(1)
    const place = sign === '@' ? /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) : null
    if (place !== null) {
      ;[before, after] = [Number(place[1]), Number(place[2])]
      return paintedHeading(line, palette)
    }
    if (sign === signs.removed) {
      before++
      return paintedLine(sign, text, 'old', paint)
    }
    if (sign === signs.added) {
      after++
      const isBlankEnd =
        blankEnd !== undefined && blankEnd[0] <= before && blankEnd[1] <= after && text.trim() === '' && paint.errorsIn.has('new')
      return isBlankEnd ? `${palette.of('diff.whitespace')}${line}${resetColor}` : paintedLine(sign, text, 'new', paint)
    }
    if (sign === '\\' && signs.same !== '\\') return `${palette.of('diff.context')}${line}${resetColor}`
    before++
    after++
    return paintedLine(sign, text, 'context', paint)
  })
  return encodeText(painted.map(line => `${line}\n`).join(''))
}

function paintedLine(sign: string, text: string, kind: 'old' | 'new' | 'context', paint: HunkPaint): string {
  const { palette, errorsIn, rules } = paint
  const color = palette.of(`diff.${kind}`)
  if (!errorsIn.has(kind) || palette.of('diff.whitespace') === '') return `${color}${sign}${text}${resetColor}`
  return `${color}${sign}${resetColor}${withErrors(text, color, palette.of('diff.whitespace'), rules)}`
}

/** A line with its whitespace errors marked. */
function withErrors(whole: string, color: string, errorColor: string, rules: WhitespaceRules): string {
  const returned = rules.returnIsPartOfEnd && whole.endsWith('\r') ? '\r' : ''
  const text = whole.slice(0, whole.length - returned.length)
  const end = rules.blankAtEnd ? text.replace(/[ \t\r]+$/, '').length : text.length
  const marked = (part: string): string => errorColor + part + resetColor
  let result = ''
  let written = 0
  for (let at = 0; at < end && (text[at] === ' ' || text[at] === '\t'); at++) {
    if (text[at] === ' ') continue
    const before = text.slice(written, at)
    if (rules.spaceBeforeTab && written < at) result += `${marked(before)}\t`
    else result += rules.tabInIndent ? marked(`${before}\t`) : `${before}\t`
    written = at + 1
  }
  const indentEnd = Math.min(end, /^[ \t]*/.exec(text)?.[0].length ?? 0)
  if (rules.indentWithSpaces && indentEnd - written >= rules.tabColumns) {
    result += marked(text.slice(written, indentEnd))
    written = indentEnd
  }
  if (end > written) result += color + text.slice(written, end) + resetColor
  if (end < text.length) result += marked(text.slice(end))
  return result + returned
}

/** Where blank lines at the end begin in both files, if the newer one has more of them. */
export function newBlankEnd(before: Uint8Array, after: Uint8Array): readonly [before: number, after: number] | undefined {
  const [old, fresh] = [blankLinesAtEnd(before), blankLinesAtEnd(after)]
  return fresh.blank <= old.blank ? undefined : [old.lines - old.blank + 1, fresh.lines - fresh.blank + 1]
}

function blankLinesAtEnd(bytes: Uint8Array): { readonly lines: number; readonly blank: number } {
  const lines = decodeText(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  let blank = 0
  while (blank < lines.length && lines[lines.length - 1 - blank]?.trim() === '') blank++
  return { lines: lines.length, blank }
}

/** The patch of a merge, which has a column of signs for each parent. */
export function paintedCombined(patch: Uint8Array, parentCount: number, palette: Palette): Uint8Array {
  const lines = decodeText(patch).split('\n')
  lines.pop()
  const firstHunk = lines.findIndex(line => line.startsWith('@@'))
  const head = firstHunk === -1 ? lines : lines.slice(0, firstHunk)
  const isBinary = head.at(-1) === 'Binary files differ'
  const shownHead = paintedHead(isBinary ? head.slice(0, -1) : head, palette) + (isBinary ? 'Binary files differ\n' : '')
  const body = (firstHunk === -1 ? [] : lines.slice(firstHunk)).map(line => {
    if (line.startsWith('@@')) return paintedCombinedHeading(line, palette)
    const signs = line.slice(0, parentCount)
    const slot: ColorSlot = signs.includes('-') ? 'diff.old' : signs.includes('+') ? 'diff.new' : 'diff.context'
    const returned = line.endsWith('\r') ? '\r' : ''
    return `${palette.of(slot)}${line.slice(0, line.length - returned.length)}${resetColor}${returned}`
  })
  return encodeText(shownHead + body.map(line => `${line}\n`).join(''))
}

function paintedCombinedHeading(line: string, palette: Palette): string {
  const [, place = '', heading = ''] = /^(@@+ .*? @@+) ?(.*)$/s.exec(line) ?? []
  const gap = heading === '' ? '' : `${resetColor}${palette.of('diff.context')} ${resetColor}${palette.of('diff.func')}${heading}`
  return `${palette.of('diff.frag')}${place}${gap}${resetColor}`
}
