// Each line is a call of the `bash` tool, which starts a new shell every time. The working directory is carried over: it
// is printed at the end of each command behind a mark that no output contains, and removed from the output that is shown.

import type { ToolResult, ToolUpdate } from 'anchorage'

/** Arguments of `bash` for one line. `tellsDirectory`: whether the shell can report its directory at the end. */
export function bashArguments(
  line: string,
  place: { readonly cwd: string; readonly root: string; readonly mark: string; readonly tellsDirectory: boolean },
): Record<string, unknown> {
  const { cwd, root, mark, tellsDirectory } = place
  const isInside = cwd === root || cwd.startsWith(`${root}/`)
  // The tool starts commands inside the root only; the shell may leave it.
  const entering = isInside ? '' : `cd -- ${quoted(cwd)} || exit; `
  // An empty line in between, because the line may end in a backslash or in a comment.
  const telling = tellsDirectory ? `\n\n__ended=$?; printf '${mark}%s' "$PWD"; exit $__ended` : ''
  return { command: `${entering}${line}${telling}`, ...(isInside ? { cwd } : {}) }
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** How a command ended, for people. */
export interface CommandEnd {
  /** Output that was not written yet. */
  readonly rest: string
  /** The shell's directory at the end; `undefined` when it did not report one. */
  readonly cwd: string | undefined
  readonly exitCode: number
  /** The working directory does not exist any more. */
  readonly isDirectoryGone: boolean
  /** Notes of the tool: a time-out, a cut output, a refusal. */
  readonly notes: string
}

/** Finds the new output in each report of the tool. A report holds the end of all output so far. */
export class OutputFollower {
  readonly #mark: string
  #takenBytes = 0
  #shown = ''
  #held = ''
  #isPastMark = false

  constructor(mark: string) {
    this.#mark = mark
  }

  /** The new part of a report, without the mark and the text behind it. */
  take(update: Pick<ToolUpdate, 'content' | 'details'>): string {
    const total = update.details['totalBytes']
    return typeof total === 'number' ? this.#advance(textOf(update), total) : ''
  }

  /** The output of the result that no report has shown. */
  end(result: ToolResult): CommandEnd {
    const { exitCode: code, truncation, error } = result.details
    const text = textOf(result)
    const markAt = text.lastIndexOf(this.#mark)
    const wasRun = markAt !== -1 || this.#takenBytes > 0 || !isRefusal(error)
    if (!wasRun)
      return { rest: '', cwd: undefined, exitCode: 1, notes: text, isDirectoryGone: codeOf(error)?.startsWith('ENO') === true }
    const exitCode = typeof code === 'number' ? code : result.isError ? 1 : 0
    const ending = /\n\nCommand exited with code \d+/.exec(text.slice(Math.max(0, text.lastIndexOf('\n\nCommand exited'))))
    const plain = ending === null ? text : text.slice(0, text.lastIndexOf(ending[0]))
    const totalBytes = isRecord(truncation) ? truncation['totalBytes'] : undefined
    // Notes come after an empty line. Without a mark the end of the output is not known, and all of it is shown.
    const output = markAt === -1 ? plain : afterMark(text, markAt)
    const body = output === '(no output)' ? '' : output
    const rest = this.#advance(body, typeof totalBytes === 'number' ? totalBytes : sizeOf(body)) + this.#release()
    if (markAt === -1) return { rest, cwd: undefined, exitCode, notes: '', isDirectoryGone: false }
    const [cwd = '', ...more] = plain.slice(markAt + this.#mark.length).split('\n\n')
    return { rest, cwd: cwd === '' ? undefined : cwd, exitCode, notes: more.join('\n'), isDirectoryGone: false }
  }

  /** `shown` is the end of an output of `totalBytes`. */
  #advance(shown: string, totalBytes: number): string {
    const newBytes = totalBytes - this.#takenBytes
    const before = this.#shown
    this.#shown = shown
    this.#takenBytes = totalBytes
    // Invalid bytes are shown as U+FFFD, which has another size. So bytes are counted only where the text alone does not decide.
    const isWhole = before !== '' || newBytes <= sizeOf(shown)
    if (isWhole && shown.startsWith(before)) return this.#withoutMark(shown.slice(before.length))
    if (newBytes <= 0) return ''
    const bytes = encoder.encode(shown)
    if (newBytes <= bytes.length) return this.#withoutMark(decoder.decode(bytes.subarray(bytes.length - newBytes)))
    return this.#withoutMark(`\n[… ${newBytes - bytes.length} bytes left out …]\n${shown}`)
  }

  /** Holds text back that may be the beginning of the mark. */
  #withoutMark(text: string): string {
    if (this.#isPastMark) return ''
    const all = this.#held + text
    const at = all.indexOf(this.#mark)
    this.#isPastMark = at !== -1
    const keep = at === -1 ? partialMark(all, this.#mark) : 0
    this.#held = at === -1 ? all.slice(all.length - keep) : ''
    return at === -1 ? all.slice(0, all.length - keep) : all.slice(0, at)
  }

  #release(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const sizeOf = (text: string): number => encoder.encode(text).length

/** The output with its mark and the directory, without the tool's notes behind them. */
function afterMark(text: string, markAt: number): string {
  const end = text.indexOf('\n\n', markAt)
  return end === -1 ? text : text.slice(0, end)
}

function partialMark(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}

/** The result of a command that did not run. */
function isRefusal(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && !['exit-code', 'timed-out', 'killed', 'lost'].includes(code)
}

const codeOf = (error: unknown): string | undefined => (isRecord(error) ? String(error['code']) : undefined)

function textOf({ content }: Pick<ToolUpdate, 'content'>): string {
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
