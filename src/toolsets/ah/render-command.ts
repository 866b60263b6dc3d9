// Renders the outcome of a command after its output, in the same way for commands and custom tools. The omitted part of a long output can
// be read at its address.

import { unreachable } from '../../core/errors.ts'
import { formatSize, utf8SizeBytes } from '../../core/size.ts'
import { changeDetails, keptFilesNote, type KeptOutcome } from '../../session/run-kept.ts'
import { textContent, type ToolOutcome } from '../../session/tool.ts'
import { cutMiddle, type CutLimits } from './cut.ts'
import { howToGoOn } from './show.ts'

export function showCommand(
  outcome: KeptOutcome,
  timeoutMs: number,
  limits: CutLimits,
): Required<Pick<ToolOutcome, 'isError' | 'content' | 'details'>> {
  const { output, head, droppedBytes, totalBytes, totalLines, kept, isStillOpen } = outcome
  const end = describeEnd(outcome, timeoutMs)
  const said = [output, end.text].filter(part => part !== undefined && part !== '').join('\n')
  const addedBytes = utf8SizeBytes(said) - utf8SizeBytes(output)
  const cut = cutMiddle(
    droppedBytes === 0 ? said : { head, tail: said, totalBytes: totalBytes + addedBytes, totalLines: totalLines + 1 },
    limits,
  )
  const open = { ...changeDetails(outcome), ...(isStillOpen ? { outputStillOpen: true } : {}) }
  if (!cut.isTruncated) {
    kept.discard()
    return {
      isError: end.isError,
      content: textContent(said === '' ? '(no output)' : said),
      details: { ...end.details, ...open },
    }
  }
  const { text, ...truncation } = cut
  const lost = kept.lostBytes === 0 ? '' : `; ${formatSize(kept.lostBytes)} of it exceeded the storage limit and are lost`
  return {
    isError: end.isError,
    content: textContent(`${text}\n\n[${howToGoOn(kept.address, cut.removed)}${lost}]`),
    details: {
      ...end.details,
      ...open,
      truncation,
      fullOutputPath: kept.address,
      ...(kept.lostBytes === 0 ? {} : { lostBytes: kept.lostBytes }),
    },
  }
}

function describeEnd(
  { exit, changed }: Pick<KeptOutcome, 'exit' | 'changed'>,
  timeoutMs: number,
): { readonly text: string | undefined; readonly isError: boolean; readonly details: Record<string, unknown> } {
  switch (exit.kind) {
    case 'exited':
      if (exit.code === 0) return { text: undefined, isError: false, details: { exit_code: 0 } }
      return { text: `exit code: ${exit.code}`, isError: true, details: { exit_code: exit.code, error: { code: 'exit-code' } } }
    case 'timed-out':
      return {
        text: `error: command timed out after ${Math.ceil(timeoutMs / 1000)}s. ${keptFilesNote({ changed })}. Raise "timeout" (milliseconds) if it needs longer.`,
        isError: true,
        details: { timed_out: true, error: { code: 'timed-out' } },
      }
    case 'killed':
      return {
        text: `error: command was killed${exit.signal === undefined ? '' : ` (${exit.signal})`}`,
        isError: true,
        details: { ...(exit.code === undefined ? {} : { exit_code: exit.code }), error: { code: 'killed' } },
      }
    case 'lost':
      return {
        text: `error: it is not known how the command ended: ${exit.why}. Check its effects before you run it again.`,
        isError: true,
        details: { error: { code: 'lost' } },
      }
    default:
      return unreachable(exit)
  }
}
