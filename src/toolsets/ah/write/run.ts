import { utf8SizeBytes } from '../../../core/size.ts'
import { replaceText } from '../../../session/change-file.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'
import { ahWords } from '../open.ts'
import { shownText } from '../show.ts'
import type { AhState } from '../state.ts'

export function runWrite(
  { path, content }: { path: string; content: string },
  call: ToolCall,
  { shown }: AhState,
): Promise<ToolOutcome> {
  return replaceText(
    call,
    path,
    { words: ahWords, freshness: (file, text) => shown.freshness(file.path, text.split('\n')) },
    ({ file }) => ({
      after: content,
      report(_written, { notes }) {
        const allLines = content.split('\n')
        shown.show(file.path, allLines, 0, allLines.length)
        const newlines = content.split('\n').length - 1
        const lines = content === '' || content.endsWith('\n') ? newlines : newlines + 1
        return {
          content: shownText(call.session, `write: ${file.display}`, [`${lines} lines`, ...notes].join('\n'), cutLimits.write)
            .content,
          // `line_count` is the number of newlines and one more.
          details: { path: file.display, bytes: utf8SizeBytes(content), line_count: newlines + 1 },
        }
      },
    }),
  )
}
