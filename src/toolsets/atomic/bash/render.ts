// Renders a command's output and outcome for the model.

import { unreachable } from '../../../core/errors.ts'
import type { Limits } from '../../../core/limits.ts'
import { formatSize, utf8SizeBytes } from '../../../core/size.ts'
import { startWithin, truncateTail, type Truncation } from '../../../core/truncate.ts'
import { keptFilesNote, type KeptOutcome } from '../../../session/run-kept.ts'
import type { CommandOutcome } from '../../../shell/run.ts'

export interface ShownOutput {
  readonly text: string
  readonly notes: readonly string[]
  readonly details: Readonly<Record<string, unknown>>
}

/** The beginning of a cut output is shown too, because it says what the command does and often has the first error. */
const firstPart = { maxLines: 20, maxBytes: 2048 }
export const headBytes: number = firstPart.maxBytes

/** The end of the output within the limits, and its first lines. An output that is shown whole is not kept. */
export function showOutput(outcome: KeptOutcome, limits: Limits): ShownOutput {
  const { output, droppedBytes, kept, isStillOpen } = outcome
  const open = isStillOpen
    ? ['[A process that the command left running keeps the output open; its later output is not kept.]']
    : []
  const cut = truncateTail(output, { maxLines: limits.bashMaxLines, maxBytes: limits.bashMaxBytes })
  if (!cut.truncated && droppedBytes === 0) {
    kept.discard()
    return { text: cut.text, notes: open, details: {} }
  }
  const { totalLines, totalBytes } = outcome
  const shownLines = cut.truncated ? cut.shownLines : cut.totalLines
  const by = cut.truncated ? cut.by : 'bytes'
  const firstLineNumber = totalLines - shownLines + 1
  const oversized = cut.truncated ? cut.oversizedLineBytes : undefined
  const start = beginning(outcome, { cut, firstLineNumber, isLineCut: oversized !== undefined })
  const limit = by === 'bytes' ? ` (${formatSize(limits.bashMaxBytes)} limit)` : ''
  const last = oversized === undefined ? '' : ' The first line is shown from its middle on.'
  const lost = kept.lostBytes === 0 ? '' : ` ${formatSize(kept.lostBytes)} of it exceeded the storage limit and are lost.`
  return {
    text: start + cut.text,
    notes: [
      `[Showing lines ${firstLineNumber}-${totalLines} of ${totalLines}${limit}.${last} Whole output: read ${kept.address}.${lost}]`,
      ...open,
    ],
    details: {
      fullOutputPath: kept.address,
      truncation: { truncated: true, by, totalLines, totalBytes, shownLines, firstLineNumber, oversizedLineBytes: oversized },
      ...(kept.lostBytes === 0 ? {} : { lostBytes: kept.lostBytes }),
    },
  }
}

/** The first lines that the end does not contain, and a line that describes the omission between them. */
function beginning(
  { head, output, totalBytes }: CommandOutcome,
  {
    cut,
    firstLineNumber,
    isLineCut,
  }: { readonly cut: Truncation; readonly firstLineNumber: number; readonly isLineCut: boolean },
): string {
  const text = head === '' ? output : head
  // The end may begin in the middle of a line that begins here.
  const lines = text.split('\n').slice(0, Math.min(firstPart.maxLines, firstLineNumber - (isLineCut ? 0 : 1)))
  let first = startWithin(lines.join('\n'), firstPart.maxBytes)
  // If the available beginning ends here, this line may be incomplete.
  if (text[first.length] !== '\n' && first.includes('\n')) first = first.slice(0, first.lastIndexOf('\n'))
  const newlineBytes = text[first.length] === '\n' ? 1 : 0
  const leftOutBytes = totalBytes - utf8SizeBytes(first) - newlineBytes - utf8SizeBytes(cut.text)
  if (first === '' || leftOutBytes <= 0) return ''
  return `${first}\n\n[… ${formatSize(leftOutBytes)} left out …]\n\n`
}

export interface DescribedEnd {
  readonly isError: boolean
  readonly text: string | undefined
  readonly details: Readonly<Record<string, unknown>>
}

export function describeEnd({ exit, changed }: Pick<KeptOutcome, 'exit' | 'changed'>, timeoutMs: number): DescribedEnd {
  switch (exit.kind) {
    case 'exited':
      return exit.code === 0
        ? { isError: false, text: undefined, details: {} }
        : {
            isError: true,
            text: `Command exited with code ${exit.code}`,
            details: { exitCode: exit.code, error: { code: 'exit-code' } },
          }
    case 'timed-out':
      return {
        isError: true,
        text: `Command timed out after ${timeoutMs / 1000} seconds. ${keptFilesNote({ changed })}. Raise "timeout" if it needs longer.`,
        details: { timedOut: true, error: { code: 'timed-out' } },
      }
    case 'killed':
      return {
        isError: true,
        text: `Command was killed${exit.signal === undefined ? '' : ` (${exit.signal})`}.`,
        details: { error: { code: 'killed' }, ...(exit.code === undefined ? {} : { exitCode: exit.code }) },
      }
    case 'lost':
      return {
        isError: true,
        text: `It is not known how the command ended: ${exit.why}. Check its effects before you run it again.`,
        details: { error: { code: 'lost' } },
      }
    default:
      return unreachable(exit)
  }
}
