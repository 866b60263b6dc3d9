// The answer to a selection that is too large: the calls that read it in parts.

import { formatSize } from '../../../core/size.ts'
import { textOf } from '../../../core/text.ts'
import type { LineSpan } from '../../../text/line-spans.ts'
import {
  next,
  noContext,
  rangeContext,
  type NumberedLine,
  type RenderedSelection,
  type SelectionView,
} from './render-selection.ts'

const encoder = new TextEncoder()

export function refuseOversized(view: SelectionView, range: LineSpan, characters: number): RenderedSelection {
  const { display, limits, noun, document } = view
  const size = `${characters.toLocaleString('en-US')} characters, limit ${limits.readMaxCharacters.toLocaleString('en-US')}`
  const isOneLine = document.lines.length <= 1
  const search = `search({"pattern": "functionName", "paths": "${display}"})`
  const ways = isOneLine
    ? isFile(view)
      ? byteCommands(`'${display}'`, encoder.encode(textOf(document)).length)
      : [search]
    : [search, ...narrowerReads(view, view.selector.ranges[0]?.start ?? 1)]
  return {
    isRefused: true,
    text: [
      `Read refused: this selection of ${display} is too large (${size}).`,
      `Read only what is needed of the ${noun}:`,
      ...ways.map(way => `- ${way}`),
    ].join('\n'),
    details: {
      oversizedRead: {
        blocked: true,
        path: display,
        chars: characters,
        maxChars: limits.readMaxCharacters,
        startLine: range.start,
        totalFileLines: document.lines.length,
      },
    },
  }
}

/** Whether a command can open it: commands open files, but no parts of files. */
function isFile({ noun }: Pick<SelectionView, 'noun'>): boolean {
  return noun === 'file'
}

const suggestedLines = 200

/** Reads that will succeed: as many lines as fit, or, if no line fits, a part of the line's bytes. */
function narrowerReads(view: SelectionView, start: number): readonly string[] {
  const { display, document, limits } = view
  const fits = (count: number, context: { before: number; after: number }): boolean => {
    const from = Math.max(0, start - 1 - context.before)
    const lines = document.lines.slice(from, start - 1 + count + context.after)
    return lines.reduce((sum, line) => sum + line.length, 0) <= limits.readMaxCharacters
  }
  for (let count = suggestedLines; count >= 1; count--) {
    if (fits(count, rangeContext)) {
      const second = count === suggestedLines ? [`read({"path": "${display}:120+80"})`] : []
      return [`read({"path": "${display}:${start}+${count}"})`, ...second]
    }
  }
  // Without context lines.
  for (let count = rangeContext.after; count >= 1; count--) {
    if (fits(count, noContext)) return [`read({"path": "${display}:${start}+${count}:raw"})`]
  }
  const line = document.lines[start - 1] ?? ''
  return [
    ...(isFile(view) ? byteCommands(`'${display}'`, encoder.encode(line).length, `sed -n '${start}p'`) : []),
    `read({"path": "${display}:${start + 1}+${suggestedLines}"})`,
  ]
}

/** The size that bash shows whole. */
const commandPageBytes = 20_000

/** `tail -c +N` would be shorter, but is wrong in some shells. */
function byteCommands(file: string, sizeBytes: number, first?: string): readonly string[] {
  const [one, two] = [commandPageBytes, Math.min(2 * commandPageBytes, sizeBytes)]
  const pipe = (count: number): string =>
    first === undefined ? `head -c ${count} ${file}` : `${first} ${file} | head -c ${count}`
  return [`bash: ${pipe(one)}`, `bash: ${pipe(two)} | tail -c ${two - one} (and so on, up to byte ${sizeBytes})`]
}

export function refuseLongLine({ display, limits, document, ...view }: SelectionView, line: NumberedLine): RenderedSelection {
  const bytes = encoder.encode(line.text).length
  const [first = '', second = ''] = byteCommands(`'${display}'`, bytes, `sed -n '${line.lineNumber}p'`)
  const way = isFile(view) ? `${first}, then ${second.replace('bash: ', '')}` : `search with paths "${display}"`
  const goOn =
    line.lineNumber < document.lines.length
      ? ` Continue with path selector :${next({ display, limits, document, ...view }, line.lineNumber + 1)}.`
      : ''
  return {
    isRefused: true,
    text: `[Line ${line.lineNumber} is ${formatSize(bytes)}, above the ${formatSize(limits.readMaxBytes)} limit. Use ${way}.${goOn}]`,
    details: {
      truncation: {
        truncated: true,
        truncatedBy: 'bytes',
        firstLineExceedsLimit: true,
        totalLines: document.lines.length,
        outputLines: 0,
      },
    },
  }
}
