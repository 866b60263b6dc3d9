// Writes a whole file.

import { utf8SizeBytes } from '../../../core/size.ts'
import { documentOf } from '../../../core/text.ts'
import { checkWellFormed, replaceText } from '../../../session/change-file.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { withoutCopiedTags } from '../copied-tags.ts'
import { ecsWords } from '../paths.ts'
import { withNotes } from '../result.ts'

export interface WriteFileArguments {
  readonly path: string
  readonly content: string
}

export function runWriteFile(args: WriteFileArguments, call: ToolCall): Promise<ToolOutcome> {
  checkWellFormed(args.content)
  return replaceText(call, args.path, ecsWords, ({ file, before }) => {
    const linesThere = before === undefined ? [] : documentOf(before).lines
    const bare = withoutCopiedTags(args.content.split('\n'), linesThere)
    const after = bare.lines.join('\n')
    const sizeBytes = utf8SizeBytes(after)
    return {
      after,
      report: () => ({
        content: textContent(withNotes(`Wrote ${sizeBytes} bytes to ${args.path}`, bare.notes)),
        details: { resolvedPath: file.path, created: file.stat === undefined, sizeBytes },
      }),
    }
  })
}
