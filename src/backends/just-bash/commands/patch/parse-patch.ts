// Parses patches. Patches written by a language model are often malformed: a line that cannot be interpreted for certain is
// reported with its line number, never guessed.

import { shownText } from '../inputs.ts'
import { splitInParts, unitsPerItem, type Pace } from '../pace.ts'
import { isContextHeader, readContextHunks } from './context-hunks.ts'
import { isNormalHead, readNormalHunks } from './normal-hunks.ts'

export interface HunkLine {
  readonly mark: ' ' | '-' | '+'
  /** Includes the newline, unless the patch says that there is none. One character per byte. */
  readonly text: string
}

export interface Hunk {
  /** The 1-based line number from the header; 0 for an empty file. */
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly HunkLine[]
  /** The source text of a hunk from a context diff. */
  readonly written?: string
}

export interface FilePatch {
  /** The name from the patch, empty in a normal diff; `undefined` if the file does not exist on that side. */
  readonly oldName: string | undefined
  readonly newName: string | undefined
  readonly moves: 'rename' | 'copy' | undefined
  readonly mode: number | undefined
  readonly isBinary: boolean
  /** Whether carriage returns were removed from its lines, because its headers have them too. */
  readonly isStripped: boolean
  readonly hunks: readonly Hunk[]
  /** The 1-based line of the patch where this file begins. */
  readonly lineNumber: number
}

export interface ParseOptions {
  /** Keeps carriage returns at line ends. */
  readonly isBinary: boolean
}

const maxFiles = 100_000

/** The files of a patch (unified, context, normal or git format), or an error message. */
export async function parsePatch(bytes: string, options: ParseOptions, pace: Pace): Promise<readonly FilePatch[] | string> {
  const lines = await splitInParts(bytes, '\n', pace)
  const files: FilePatch[] = []
  let at = 0
  let git: GitHeader | undefined
  const finishGit = (): void => {
    // Renames, mode changes and binary files have no hunks.
    if (git !== undefined && (git.moves !== undefined || git.mode !== undefined || git.isBinary || git.isNew || git.isDeleted))
      files.push({ ...sidesOf(git), isStripped: false, hunks: [], lineNumber: git.lineNumber })
    git = undefined
  }
  while (at < lines.length) {
    if (files.length > maxFiles) return `more than ${maxFiles} files; apply it in parts`
    const line = lines[at] ?? ''
    if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
    if (line.startsWith('diff --git ')) {
      finishGit()
      git = { ...emptyGit, names: gitNames(line), lineNumber: at + 1 }
      at += 1
      continue
    }
    if (git !== undefined && readGitLine(git, line)) {
      at += 1
      continue
    }
    const next = lines[at + 1] ?? ''
    const isContext = isContextHeader(lines, at)
    if (!isContext && (!line.startsWith('--- ') || !next.startsWith('+++ '))) {
      if (/^\*\*\* \d+(?:,\d+)? \*\*\*\*/.test(line))
        return `line ${at + 1}: a hunk without the *** and --- lines that name its file; put them in front of it`
      if (git === undefined && isNormalHead(line)) {
        const read = await readNormalHunks(lines, at, pace)
        if (typeof read === 'string') return read
        files.push({ ...sidesOf(emptyGit), oldName: '', newName: '', isStripped: false, hunks: read.hunks, lineNumber: at + 1 })
        at = read.end
        continue
      }
      if (/^@@ -\d/.test(line))
        return `line ${at + 1}: a hunk without the --- and +++ lines that name its file; put them in front of it`
      at += 1
      continue
    }
    const isStripped = !options.isBinary && line.endsWith('\r') && next.endsWith('\r')
    const read = isContext
      ? await readContextHunks(lines, at + 2, isStripped, pace)
      : await readHunks(lines, at + 2, isStripped, pace)
    if (typeof read === 'string') return read
    const header = git ?? { ...emptyGit, lineNumber: at + 1 }
    const sides = sidesOf({ ...header, written: [nameIn(line.slice(4)), nameIn(next.slice(4))] })
    files.push({ ...sides, isStripped, hunks: read.hunks, lineNumber: at + 1 })
    git = undefined
    at = read.end
  }
  finishGit()
  return files
}

interface GitHeader {
  names: readonly [string, string] | undefined
  written: readonly [string | undefined, string | undefined] | undefined
  moves: 'rename' | 'copy' | undefined
  from: string | undefined
  to: string | undefined
  mode: number | undefined
  isNew: boolean
  isDeleted: boolean
  isBinary: boolean
  lineNumber: number
}

const emptyGit: GitHeader = {
  names: undefined,
  written: undefined,
  moves: undefined,
  from: undefined,
  to: undefined,
  mode: undefined,
  isNew: false,
  isDeleted: false,
  isBinary: false,
  lineNumber: 0,
}

/** Reads an extended header line of git; returns false for any other line. */
function readGitLine(git: GitHeader, line: string): boolean {
  const [, words, value = ''] =
    /^(new file mode|deleted file mode|old mode|new mode|similarity index|dissimilarity index|index|rename from|rename to|copy from|copy to|GIT binary patch|Binary files)(?: ([^]*))?$/.exec(
      line.replace(/\r$/, ''),
    ) ?? []
  switch (words) {
    case undefined:
      return false
    case 'new file mode':
      git.isNew = true
      git.mode = Number.parseInt(value, 8)
      return true
    case 'new mode':
      git.mode = Number.parseInt(value, 8)
      return true
    case 'deleted file mode':
      git.isDeleted = true
      return true
    case 'rename from':
    case 'copy from':
      git.moves = words === 'rename from' ? 'rename' : 'copy'
      git.from = `a/${unquoted(value)}`
      return true
    case 'rename to':
    case 'copy to':
      git.to = `b/${unquoted(value)}`
      return true
    case 'GIT binary patch':
    case 'Binary files':
      git.isBinary = true
      return true
    default:
      return true
  }
}

type Sides = Pick<FilePatch, 'oldName' | 'newName' | 'moves' | 'mode' | 'isBinary'>

function sidesOf({ names, written, moves, from, to, mode, isNew, isDeleted, isBinary }: GitHeader): Sides {
  const [oldWritten, newWritten] = written ?? names ?? []
  return {
    oldName: isNew ? undefined : (from ?? oldWritten),
    newName: isDeleted ? undefined : (to ?? newWritten),
    moves,
    mode,
    isBinary,
  }
}

/**
 * Parses `diff --git a/x b/x`. Names that contain blanks are ambiguous unless both are equal, which they are if the file was not renamed.
 */
function gitNames(line: string): readonly [string, string] | undefined {
  const rest = line.slice('diff --git '.length).replace(/\r$/, '')
  const quoted = /^("(?:[^"\\]|\\[^])*"|\S+) ("(?:[^"\\]|\\[^])*"|\S+)$/.exec(rest)
  if (quoted !== null) return [unquoted(quoted[1] ?? ''), unquoted(quoted[2] ?? '')]
  const half = (rest.length - 1) / 2
  const [first, second] = [rest.slice(0, half), rest.slice(half + 1)]
  return first.replace(/^[^/]*\//, '') === second.replace(/^[^/]*\//, '') ? [shownText(first), shownText(second)] : undefined
}

/** The name in a `---` or `+++` line; `undefined` for /dev/null, and for the epoch timestamp, which means that the file does not exist. */
function nameIn(header: string): string | undefined {
  const text = header.replace(/\r$/, '')
  const [, quotedName, plain = text, time = ''] =
    /^(?:("(?:[^"\\]|\\[^])*")|([^\t]*?))(?:[\t ]+((?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2} )[^]*)|\t[^]*|\s*)$/.exec(text) ?? []
  const name = quotedName === undefined ? shownText(plain) : unquoted(quotedName)
  return name === '/dev/null' || /^(?:1970-01-01 00:00:00(?:\.0+)? \+0000)/.test(time) ? undefined : name
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

function unquoted(name: string): string {
  if (!name.startsWith('"')) return shownText(name)
  const bytes = name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|[^])/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (escapes[code] ?? code),
    )
  return shownText(bytes)
}

interface Read {
  readonly hunks: readonly Hunk[]
  readonly end: number
}

async function readHunks(lines: readonly string[], start: number, isStripped: boolean, pace: Pace): Promise<Read | string> {
  const hunks: Hunk[] = []
  const textAt = (index: number): string => (isStripped ? (lines[index] ?? '').replace(/\r$/, '') : (lines[index] ?? ''))
  let at = start
  while (at < lines.length) {
    const [, oldStart, oldCount = '1', newStart, newCount = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(textAt(at)) ?? []
    if (oldStart === undefined || newStart === undefined) break
    const headLine = at + 1
    let [oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
    const read: HunkLine[] = []
    at += 1
    for (; oldLeft > 0 || newLeft > 0; at++) {
      if (at >= lines.length) return unfinished(headLine, oldLeft, newLeft, at)
      const line = textAt(at)
      // Editors that remove trailing blanks turn an empty context line into an empty line.
      const mark = line === '' ? ' ' : line.charAt(0)
      if (mark === '\\') {
        if (!withoutNewline(read)) return malformed(at, line, headLine)
        continue
      }
      if (mark !== ' ' && mark !== '-' && mark !== '+') return malformed(at, line, headLine)
      oldLeft -= mark === '+' ? 0 : 1
      newLeft -= mark === '-' ? 0 : 1
      if (oldLeft < 0 || newLeft < 0) return malformed(at, line, headLine)
      // The patch may lack its last newline; only `\ No newline at end of file` means that the file lacks it.
      read.push({ mark, text: `${line.slice(1)}\n` })
      if (pace.isDue(line.length + unitsPerItem)) await pace.rest()
    }
    if (textAt(at).startsWith('\\') && withoutNewline(read)) at += 1
    // GNU patch skips lines that it considers garbage, which would silently drop lines that belong to the hunk.
    const next = textAt(at)
    if (/^[ +-]/.test(next) && !/^--(?:-| ?$)/.test(next)) return malformed(at, next, headLine)
    hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: read })
  }
  return hunks.length === 0
    ? `line ${start + 1}: a hunk (@@ -LINE,COUNT +LINE,COUNT @@) must follow the --- and +++ lines`
    : { hunks, end: at }
}

/** Handles `\ No newline at end of file`. Returns false if no line precedes it. */
function withoutNewline(read: HunkLine[]): boolean {
  const last = read.pop()
  if (last === undefined) return false
  read.push({ mark: last.mark, text: last.text.replace(/\n$/, '') })
  return true
}

const countsHint = 'its counts in the @@ line and its lines must agree; make the patch anew with diff -u or git diff'

function malformed(index: number, line: string, headLine: number): string {
  return `malformed patch at line ${index + 1}: ${shownText(line)}\nThis line does not belong to the hunk of line ${headLine}: ${countsHint}.`
}

function unfinished(headLine: number, oldLeft: number, newLeft: number, index: number): string {
  return `malformed patch at line ${index + 1}: the hunk of line ${headLine} lacks ${oldLeft} old and ${newLeft} new lines: ${countsHint}.`
}
