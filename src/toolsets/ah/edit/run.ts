import { ToolError } from '../../../core/errors.ts'
import { commitWrites } from '../../../session/commit.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { encodeWhole } from '../../../session/write-whole.ts'
import {
  countOccurrences,
  explainMissing,
  linesOfOccurrence,
  occurrenceLines,
  replaceOccurrences,
} from '../../../text/replace.ts'
import { cutLimits } from '../limits.ts'
import { openText } from '../open.ts'
import { shownText } from '../show.ts'

interface EditArguments {
  readonly path: string
  readonly old_string: string
  readonly new_string: string
}

const mostLineNumbers = 10

export async function runEdit(args: EditArguments, { session, signal }: ToolCall): Promise<ToolOutcome> {
  const { old_string: oldText, new_string: newText } = args
  if (oldText === '') {
    throw new ToolError(
      'old-string-empty',
      'old_string is empty, and that is everywhere: it is not unique. Nothing was changed.',
      {
        nextStep: 'Give the text that is to be replaced; use write for a new file.',
      },
    )
  }
  const target = await session.paths.resolve(args.path)
  return session.locks.hold([target.path], signal, async () => {
    const file = await session.paths.resolve(args.path)
    const seen = session.texts.last(file.path)
    const { text, stat } = await openText(session, file)
    const count = countOccurrences(text, oldText)
    if (count === 0) {
      throw new ToolError('old-string-missing', `old_string not found in ${file.display}. Nothing was changed.`, {
        nextStep: explainMissing(text, oldText) ?? 'Read the file and copy the text exactly, white space included.',
        details: { path: file.display },
      })
    }
    if (count > 1) {
      const lines = occurrenceLines(text, oldText, mostLineNumbers)
      const andMore = count > lines.length ? ', …' : ''
      throw new ToolError(
        'old-string-not-unique',
        `old_string is not unique (found ${count} times, in lines ${lines.join(', ')}${andMore}). Nothing was changed.`,
        { nextStep: 'Add lines around the one that is meant.', details: { path: file.display, count, lines } },
      )
    }
    if (seen !== undefined && seen !== text) refuseOtherLines(seen, text, oldText, file.display)
    const edited = replaceOccurrences(text, oldText, newText, 'first').text
    const bytes = encodeWhole(edited)
    await commitWrites(session.vfs, [{ path: file.path, display: file.display, bytes, baseRev: stat.rev }], signal)
    session.texts.open(file.path, edited)
    const result = shownText(session, `edit: ${file.display}`, compactDiff(oldText, newText), cutLimits.edit)
    return {
      content: result.content,
      details: {
        path: file.display,
        old_lines: oldText.split('\n').length,
        new_lines: newText.split('\n').length,
        ...result.details,
      },
    }
  })
}

/**
 * Somebody changed the file. A text that begins or ends within a line can still be there, once, and lie in other lines than those it was
 * copied from.
 */
function refuseOtherLines(seen: string, text: string, oldText: string, display: string): void {
  if (countOccurrences(seen, oldText) !== 1 || linesOfOccurrence(seen, oldText) === linesOfOccurrence(text, oldText)) return
  throw new ToolError(
    'file-changed',
    `${display} changed since you saw it, and old_string lies in other lines now. Nothing was changed.`,
    {
      nextStep: 'Read the file again and repeat the edit on what is there now.',
      details: { path: display },
    },
  )
}

function compactDiff(oldText: string, newText: string): string {
  return [...marked('-', oldText), ...marked('+', newText)].join('\n')
}

function marked(sign: string, text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map(line => `${sign} ${line}`)
}
