import { ToolError } from '../../../core/errors.ts'
import { changeText } from '../../../session/change-file.ts'
import type { OpenedText } from '../../../session/resolve-text.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { explainMissing, findPlaces, occurrenceLines, replaceOccurrences, type Occurrence } from '../../../text/replace.ts'
import { cutLimits } from '../limits.ts'
import { ahWords, refuseControlCharacters } from '../open.ts'
import { shownText } from '../show.ts'
import type { AhState } from '../state.ts'

interface EditArguments {
  readonly path: string
  readonly old_string: string
  readonly new_string: string
}

const mostLineNumbers = 10

export async function runEdit(args: EditArguments, call: ToolCall, state: AhState): Promise<ToolOutcome> {
  const { session } = call
  const { old_string: oldText, new_string: newText } = args
  if (oldText === '') {
    throw new ToolError('old-string-empty', 'old_string must not be empty. Nothing was changed.', {
      nextStep: 'Give the text to replace. Use write for a new file.',
    })
  }
  return changeText(call, args.path, ahWords, opened => {
    refuseControlCharacters(opened)
    const { file, text } = opened
    const found = onlyOccurrence(text, oldText, file.display)
    refuseOtherLines(opened, oldText, state)
    const after = replaceOccurrences(text, [found], oldText, newText)
    return {
      after,
      report(written) {
        if (written === undefined) return noChange(file.display)
        state.shown.change(file.path, text.split('\n'), after.split('\n'))
        return report(session, file.display, args)
      },
    }
  })
}

function noChange(display: string): ToolOutcome {
  const text = `No change: old_string and new_string are the same. ${display} was not written.`
  return { content: textContent(text), details: { path: display, unchanged: true } }
}

function report(session: Session, display: string, args: EditArguments): ToolOutcome {
  const { old_string: oldText, new_string: newText } = args
  const result = shownText(session, `edit: ${display}`, compactDiff(oldText, newText), cutLimits.edit)
  const lineCounts = { old_lines: oldText.split('\n').length, new_lines: newText.split('\n').length }
  return { content: result.content, details: { path: display, ...lineCounts, ...result.details } }
}

/** Throws `ToolError`: `old-string-missing`, `old-string-not-unique`. */
function onlyOccurrence(text: string, oldText: string, display: string): Occurrence {
  const found = findPlaces(text, oldText)
  const [first] = found
  if (first === undefined) {
    throw new ToolError('old-string-missing', `old_string not found in ${display}. Nothing was changed.`, {
      nextStep: explainMissing(text, oldText) ?? 'Read the file and copy the text exactly, white space included.',
      details: { path: display },
    })
  }
  const count = found.length
  if (count === 1) return first
  const lines = occurrenceLines(text, found, mostLineNumbers)
  const andMore = count > lines.length ? ', …' : ''
  throw new ToolError(
    'old-string-not-unique',
    `old_string is not unique (found ${count} times, in lines ${lines.join(', ')}${andMore}). Nothing was changed.`,
    { nextStep: 'Add lines around the place that you mean.', details: { path: display, count, lines } },
  )
}

/**
 * For a file that another writer changed. A text that begins or ends within a line can still occur once, and be in other lines than those
 * from which it was copied.
 */
function refuseOtherLines({ file, text }: OpenedText, oldText: string, { shown }: AhState): void {
  if (shown.of(file.path).judge(text, oldText) !== 'changed') return
  throw new ToolError(
    'file-changed',
    `${file.display} changed since you saw it, and old_string is in other lines now. Nothing was changed.`,
    {
      nextStep: 'Read the file again and repeat the edit with its present text.',
      details: { path: file.display },
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
