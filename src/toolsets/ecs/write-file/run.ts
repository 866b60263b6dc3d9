// Writes a whole file.

import { utf8SizeBytes } from '../../../core/size.ts'
import { documentOf } from '../../../core/text.ts'
import { checkWellFormed, replaceText, type ReplaceOptions } from '../../../session/change-file.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { withoutCopiedTags } from '../copied-tags.ts'
import { ecsWords } from '../paths.ts'
import { withNotes } from '../result.ts'
import type { EcsState } from '../state.ts'

export interface WriteFileArguments {
  readonly path: string
  readonly content: string
}

export function runWriteFile(args: WriteFileArguments, call: ToolCall, state: EcsState): Promise<ToolOutcome> {
  checkWellFormed(args.content)
  const freshness: ReplaceOptions['freshness'] = (file, text) => state.freshness(file.path, documentOf(text).lines)
  return replaceText(call, args.path, { words: ecsWords, freshness }, ({ file, before }) => {
    const linesThere = before === undefined ? [] : documentOf(before).lines
    const bare = withoutCopiedTags(args.content.split('\n'), linesThere)
    const after = bare.lines.join('\n')
    const sizeBytes = utf8SizeBytes(after)
    return {
      after,
      report(_written, { notes }) {
        // The model knows the content that it wrote.
        const { lines } = documentOf(after)
        state.show(file.path, lines, 0, lines.length)
        return {
          content: textContent(withNotes([`Wrote ${sizeBytes} bytes to ${args.path}`, ...notes].join('\n'), bare.notes)),
          details: { resolvedPath: file.path, created: file.stat === undefined, sizeBytes },
        }
      },
    }
  })
}
