// A patch taken apart. What a model wrote by hand is often nearly one: what cannot be read for certain is an error with its line, never a
// guess.

import { recordsOf, shownText } from '../inputs.ts'

export interface HunkLine {
  readonly mark: ' ' | '-' | '+'
  /** With its line end, unless the patch says that there is none. One character for each byte. */
  readonly text: string
}

export interface Hunk {
  /** 1-based, as written; 0 for a file that is empty. */
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly HunkLine[]
}

export interface FilePatch {
  /** As written in the patch; `undefined` for a file that is not there on that side. */
  readonly oldName: string | undefined
  readonly newName: string | undefined
  readonly moves: 'rename' | 'copy' | undefined
  readonly mode: number | undefined
  readonly isBinary: boolean
  /** CRs were taken from its lines, because its headers had them too. */
  readonly isStripped: boolean
  readonly hunks: readonly Hunk[]
  /** Where it begins in the patch, 1-based. */
  readonly lineNumber: number
}

export interface ParseOptions {
  /** Leave carriage returns at the ends of lines. */
  readonly isBinary: boolean
}

const maxFiles = 100_000

/** The files of a patch in the unified format, git's included, or what is wrong with it. */
export function parsePatch(bytes: string, options: ParseOptions): readonly FilePatch[] | string {
  const lines = recordsOf(bytes)
  const files: FilePatch[] = []
  let at = 0
  let git: GitHeader | undefined
  const finishGit = (): void => {
    // Renames, modes and binary contents have no hunks.
    if (git !== undefined && (git.moves !== undefined || git.mode !== undefined || git.isBinary || git.isNew || git.isDeleted))
      files.push({ ...sidesOf(git), isStripped: false, hunks: [], lineNumber: git.lineNumber })
    git = undefined
  }
  while (at < lines.length) {
    if (files.length > maxFiles) return `more than ${maxFiles} files; apply it in parts`
    const line = lines[at] ?? ''
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
    if (!line.startsWith('--- ') || !next.startsWith('+++ ')) {
      if (/^\*\*\* \d+(?:,\d+)? \*\*\*\*/.test(line) || /^\d+(?:,\d+)?[acd]\d+(?:,\d+)?$/.test(line))
        return 'only unified diffs are understood here; make one with diff -u or git diff'
      if (/^@@ -\d/.test(line))
        return `line ${at + 1}: a hunk without the --- and +++ lines that name its file; put them in front of it`
      at += 1
      continue
    }
    const isStripped = !options.isBinary && line.endsWith('\r') && next.endsWith('\r')
    const read = readHunks(lines, at + 2, isStripped)
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

/** False for a line that is none of git's. */
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

/** `diff --git a/x b/x`. Names with blanks are told apart only where both are the same, as they are unless the file moved. */
function gitNames(line: string): readonly [string, string] | undefined {
  const rest = line.slice('diff --git '.length).replace(/\r$/, '')
  const quoted = /^("(?:[^"\\]|\\[^])*"|\S+) ("(?:[^"\\]|\\[^])*"|\S+)$/.exec(rest)
  if (quoted !== null) return [unquoted(quoted[1] ?? ''), unquoted(quoted[2] ?? '')]
  const half = (rest.length - 1) / 2
  const [first, second] = [rest.slice(0, half), rest.slice(half + 1)]
  return first.replace(/^[^/]*\//, '') === second.replace(/^[^/]*\//, '') ? [shownText(first), shownText(second)] : undefined
}

/** The name in a `---` or `+++` line; `undefined` for /dev/null, and for a time that says that there was no file. */
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

function readHunks(lines: readonly string[], start: number, isStripped: boolean): Read | string {
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
      // An editor that takes blanks from line ends makes this of an empty line of context.
      const mark = line === '' ? ' ' : line.charAt(0)
      if (mark === '\\') {
        if (!withoutNewline(read)) return malformed(at, line, headLine)
        continue
      }
      if (mark !== ' ' && mark !== '-' && mark !== '+') return malformed(at, line, headLine)
      oldLeft -= mark === '+' ? 0 : 1
      newLeft -= mark === '-' ? 0 : 1
      if (oldLeft < 0 || newLeft < 0) return malformed(at, line, headLine)
      // The line end of the last one may be missing in the patch; only `\\ No newline` says that it is missing in the file.
      read.push({ mark, text: `${line.slice(1)}\n` })
    }
    if (textAt(at).startsWith('\\') && withoutNewline(read)) at += 1
    // GNU's passes over what it takes for garbage; a line that was meant to be in the hunk would be lost in silence.
    const next = textAt(at)
    if (/^[ +-]/.test(next) && !/^--(?:-| ?$)/.test(next)) return malformed(at, next, headLine)
    hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: read })
  }
  return hunks.length === 0
    ? `line ${start + 1}: a hunk (@@ -LINE,COUNT +LINE,COUNT @@) must follow the --- and +++ lines`
    : { hunks, end: at }
}

/** What follows `\ No newline at end of file`. False where there is no line that it could be about. */
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
