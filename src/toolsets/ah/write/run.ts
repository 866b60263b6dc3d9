import { writeWhole } from '../../../session/write-whole.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'
import { shownText } from '../show.ts'

export async function runWrite(args: { path: string; content: string }, { session, signal }: ToolCall): Promise<ToolOutcome> {
  const { file, bytes } = await writeWhole(session, args.path, args.content, signal)
  const newlines = args.content.split('\n').length - 1
  const lines = args.content === '' || args.content.endsWith('\n') ? newlines : newlines + 1
  return {
    content: shownText(session, `write: ${file.display}`, `${lines} lines`, cutLimits.write).content,
    // The document's own count in `details`: newlines and one more.
    details: { path: file.display, bytes: bytes.length, line_count: newlines + 1 },
  }
}
