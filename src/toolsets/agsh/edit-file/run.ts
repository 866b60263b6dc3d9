import { ToolError } from '../../../core/errors.ts'
import { commitWrites } from '../../../session/commit.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { encodeWhole } from '../../../session/write-whole.ts'
import { textContent } from '../../../session/tool.ts'
import { countOccurrences, explainMissing, occurrenceLines, replaceOccurrences } from '../../../text/replace.ts'
import { openText, resolveFile } from '../open.ts'
import { redirected } from '../scratchpad/redirect.ts'
import type { AgshState } from '../state.ts'

interface EditArguments {
  readonly path: string
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean | undefined
  readonly force?: boolean | undefined
  readonly scratchpad?: string | undefined
}

const mostLineNumbers = 10
const quotedCharacters = 100

export function runEditFile(args: EditArguments, call: ToolCall, state: AgshState): Promise<ToolOutcome> {
  return redirected(state.scratchpad, 'edit_file', args.scratchpad, () => editFile(args, call, state))
}

async function editFile(args: EditArguments, { session, signal }: ToolCall, state: AgshState): Promise<ToolOutcome> {
  const { old_string: oldText, new_string: newText, replace_all: replacesAll = false } = args
  if (oldText === '') {
    throw new ToolError('old-string-empty', 'old_string is empty. Nothing was changed.', {
      nextStep: 'Give the text that is to be replaced; use write_file for a new file.',
    })
  }
  const target = await resolveFile(session, args.path)
  return session.locks.hold([target.path], signal, async () => {
    const file = await resolveFile(session, args.path)
    const { text, stat } = await openText(session, file)
    if (args.force !== true) refuseUnseen(state, file.display, state.ledger.check(file.path, stat.rev, text))
    const found = countOccurrences(text, oldText)
    if (found === 0) {
      throw new ToolError('old-string-missing', `'${quoted(oldText)}' not found in '${file.display}'. Nothing was changed.`, {
        nextStep: explainMissing(text, oldText) ?? 'Read the file again and copy the text exactly, white space included.',
        details: { path: file.display },
      })
    }
    const replaced = replaceOccurrences(text, oldText, newText, replacesAll ? 'all' : 'first')
    const bytes = encodeWhole(replaced.text)
    const [written] = await commitWrites(
      session.vfs,
      [{ path: file.path, display: file.display, bytes, baseRev: stat.rev }],
      signal,
    )
    state.ledger.note(file.path, written?.rev ?? 0, replaced.text)
    const others = found - replaced.count
    return {
      content: [
        ...textContent(`Successfully edited '${file.display}': replaced ${replaced.count} occurrence(s)`),
        ...(others === 0 ? [] : textContent(tellOthers(text, oldText, others))),
      ],
      details: { path: file.display, replaced: replaced.count, otherMatches: others },
    }
  })
}

function refuseUnseen(state: AgshState, display: string, freshness: ReturnType<AgshState['ledger']['check']>): void {
  if (freshness === 'never-seen') {
    throw new ToolError('not-read', `file '${display}' must be read before editing. Nothing was changed.`, {
      nextStep: 'Use read_file first, or set force=true to edit without it.',
      details: { path: display },
    })
  }
  if (freshness === 'changed') {
    throw new ToolError('file-changed', `file '${display}' changed on disk after you read it. Nothing was changed.`, {
      nextStep:
        'Someone else wrote to it. Read it again, so that you do not overwrite that change, or set force=true to edit what is there now.',
      details: { path: display },
    })
  }
}

/** The lines as they were before the edit, the first of them left out. */
function tellOthers(before: string, oldText: string, others: number): string {
  const lines = occurrenceLines(before, oldText, mostLineNumbers + 1).slice(1)
  const andMore = others > lines.length ? ', …' : ''
  return `Only the first match was replaced; before the edit ${others} more began in line ${lines.join(', ')}${andMore}. Set replace_all=true to change every one.`
}

function quoted(text: string): string {
  const characters = Array.from(text.slice(0, quotedCharacters * 2))
  return characters.length <= quotedCharacters ? text : `${characters.slice(0, quotedCharacters).join('')}…`
}
