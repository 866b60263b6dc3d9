// How a command went, as the model reads it after its output; commands and custom tools are told alike (ah §1.5).

import { unreachable } from '../../core/errors.ts'
import { formatSize } from '../../core/size.ts'
import type { CommandOutcome } from '../../shell/run.ts'

interface RenderedCommand {
  readonly text: string
  readonly isError: boolean
  readonly details: Record<string, unknown>
}

export function renderCommand({ output, exit, droppedBytes }: CommandOutcome, timeoutMs: number): RenderedCommand {
  const end = describeEnd(exit, timeoutMs)
  const lost = droppedBytes === 0 ? undefined : `[The first ${formatSize(droppedBytes)} of the output were not kept.]`
  const parts = [lost, output === '' ? undefined : output, end.text].filter(part => part !== undefined)
  return {
    text: parts.length === 0 ? '(no output)' : parts.join('\n'),
    isError: end.isError,
    details: { ...end.details, ...(droppedBytes === 0 ? {} : { droppedBytes }) },
  }
}

function describeEnd(
  exit: CommandOutcome['exit'],
  timeoutMs: number,
): { readonly text: string | undefined; readonly isError: boolean; readonly details: Record<string, unknown> } {
  switch (exit.kind) {
    case 'exited':
      if (exit.code === 0) return { text: undefined, isError: false, details: { exit_code: 0 } }
      return { text: `exit code: ${exit.code}`, isError: true, details: { exit_code: exit.code, error: { code: 'exit-code' } } }
    case 'timed-out':
      return {
        text: `error: command timed out after ${Math.ceil(timeoutMs / 1000)}s. Files that it wrote before are kept. Raise "timeout" (milliseconds) if it needs longer.`,
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
        text: `error: nobody can say how the command ended: ${exit.why}. Check its effects before you run it again.`,
        isError: true,
        details: { error: { code: 'lost' } },
      }
    default:
      return unreachable(exit)
  }
}
