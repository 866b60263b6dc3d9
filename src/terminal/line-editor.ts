// The line editor as a value: text, cursor and history. Each key gives the next value. It draws nothing, so its rules can be
// tested as a table.

/** An action for the code that shows the line. */
export type LineRequest = 'none' | 'run' | 'interrupt' | 'clear-screen'

export interface Line {
  readonly before: string
  readonly after: string
  /** Lines that were run, oldest first. */
  readonly history: readonly string[]
  /** Where in the history the line is; `history.length` is the line that was typed. */
  readonly historyIndex: number
  /** The typed text, kept while the person looks through the history. */
  readonly draft: string
}

/** Characters that one line may hold; a longer paste is cut, and the terminal says so. */
export const maxLineCharacters = 20_000
const maxHistory = 500

export const emptyLine: Line = { before: '', after: '', history: [], historyIndex: 0, draft: '' }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wordBefore = /[^\s]*\s*$/
const wordAfter = /^\s*[^\s]*/

/** Puts text at the cursor; line breaks stay, so that a pasted script is one command and never runs by itself. */
export function insertText(line: Line, text: string): { readonly line: Line; readonly isCut: boolean } {
  const clean = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll('\t', '  ')
  const room = Math.max(0, maxLineCharacters - line.before.length - line.after.length)
  return { line: { ...line, before: line.before + clean.slice(0, room) }, isCut: clean.length > room }
}

/** Applies one key to the line. Keys have the names that `keyOf` gives; an unknown key changes nothing. */
export function pressKey(line: Line, key: string): { readonly line: Line; readonly request: LineRequest } {
  const { before, after } = line
  const same = (next: Partial<Line>): { readonly line: Line; readonly request: LineRequest } => ({
    line: { ...line, ...next },
    request: 'none',
  })
  switch (key) {
    case 'enter':
      return { line, request: 'run' }
    case 'ctrl-c':
      return { line: { ...line, before: '', after: '', historyIndex: line.history.length, draft: '' }, request: 'interrupt' }
    case 'ctrl-l':
      return { line, request: 'clear-screen' }
    case 'backspace':
      return same({ before: before.slice(0, -lastGrapheme(before).length || undefined) })
    case 'delete':
    case 'ctrl-d':
      return same({ after: after.slice(firstGrapheme(after).length) })
    case 'left':
    case 'ctrl-b':
      return same(moved(before, after, -lastGrapheme(before).length))
    case 'right':
    case 'ctrl-f':
      return same(moved(before, after, firstGrapheme(after).length))
    case 'word-left':
      return same(moved(before, after, -(wordBefore.exec(before)?.[0].length ?? 0)))
    case 'word-right':
      return same(moved(before, after, wordAfter.exec(after)?.[0].length ?? 0))
    case 'home':
    case 'ctrl-a':
      return same({ before: '', after: before + after })
    case 'end':
    case 'ctrl-e':
      return same({ before: before + after, after: '' })
    case 'ctrl-k':
      return same({ after: '' })
    case 'ctrl-u':
      return same({ before: '' })
    case 'ctrl-w':
      return same({ before: before.replace(wordBefore, '') })
    case 'up':
    case 'ctrl-p':
      return same(recalled(line, line.historyIndex - 1))
    case 'down':
    case 'ctrl-n':
      return same(recalled(line, line.historyIndex + 1))
    default:
      return { line, request: 'none' }
  }
}

/** An empty line after `text` was run. Blank lines and repetitions do not enter the history. */
export function ranLine(line: Line, text: string): Line {
  const isNew = text.trim() !== '' && line.history.at(-1) !== text
  const history = isNew ? [...line.history, text].slice(-maxHistory) : line.history
  return { before: '', after: '', history, historyIndex: history.length, draft: '' }
}

function recalled(line: Line, index: number): Partial<Line> {
  if (index < 0 || index > line.history.length) return {}
  const draft = line.historyIndex === line.history.length ? line.before + line.after : line.draft
  return { before: line.history[index] ?? draft, after: '', historyIndex: index, draft }
}

/** The cursor `offset` UTF-16 units further. */
function moved(before: string, after: string, offset: number): Partial<Line> {
  const whole = before + after
  const at = before.length + offset
  return { before: whole.slice(0, at), after: whole.slice(at) }
}

function firstGrapheme(text: string): string {
  for (const { segment } of graphemes.segment(text)) return segment
  return ''
}

/** Only this many characters are searched: no typed grapheme is longer, and a line may be long. */
function lastGrapheme(text: string): string {
  return [...graphemes.segment(text.slice(-64))].at(-1)?.segment ?? ''
}
