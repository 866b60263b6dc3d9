import { ToolError } from '../../../core/errors.ts'
import { changeText, type PlannedText } from '../../../session/change-file.ts'
import { alreadyNote, mergedNote } from '../../../session/drift-notes.ts'
import type { Freshness } from '../../../session/freshness.ts'
import type { OpenedText } from '../../../session/resolve-text.ts'
import type { ToolCall, ToolOutcome } from '../../../session/tool.ts'
import { textContent } from '../../../session/tool.ts'
import { explainMissing, findOccurrences, findPlaces, occurrenceLines, replaceOccurrences } from '../../../text/replace.ts'
import { agshWords } from '../open.ts'
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
  return redirected(state.scratchpad, call.session.limits, 'edit_file', args.scratchpad, () => editFile(args, call, state))
}

function editFile(args: EditArguments, call: ToolCall, state: AgshState): Promise<ToolOutcome> {
  const { old_string: oldText, new_string: newText, replace_all: replacesAll = false } = args
  if (oldText === '') {
    throw new ToolError('old-string-empty', 'old_string must not be empty. Nothing was changed.', {
      nextStep: 'Give the text to replace. Use write_file for a new file.',
    })
  }
  return changeText(call, args.path, agshWords, async opened => {
    const { file, text, stat } = opened
    if (args.force !== true) {
      const merged = state.drift === 'merge' ? await mergeEdit(args, opened, state) : undefined
      if (merged !== undefined) return merged
      const freshness = state.ledger.check(file.path, stat.rev, text)
      // A read of other lines records the present file, but does not show how these lines changed.
      const shown = state.shown.of(file.path)
      // The session saw these lines in an older version, and the merge above was not possible.
      const isUnproved = state.drift === 'merge' && (shown.lastWith(oldText) ?? text) !== text
      const isElsewhere = isUnproved || shown.judge(text, oldText) === 'changed'
      refuseUnseen(file.display, freshness === 'current' && isElsewhere ? 'changed' : freshness)
    }
    const found = replacesAll ? findOccurrences(text, oldText) : findPlaces(text, oldText)
    if (found.length === 0) {
      throw new ToolError('old-string-missing', `'${quoted(oldText)}' not found in '${file.display}'. Nothing was changed.`, {
        nextStep: explainMissing(text, oldText) ?? 'Read the file again and copy the text exactly, white space included.',
        details: { path: file.display },
      })
    }
    const lines = occurrenceLines(text, found, mostLineNumbers)
    if (state.isUniqueWanted && !replacesAll && found.length > 1) throw notUnique(file.display, found.length, lines)
    const replaced = replacesAll ? found : found.slice(0, 1)
    const after = replaceOccurrences(text, replaced, oldText, newText)
    const others = found.length - replaced.length
    return {
      after,
      report(written) {
        if (written === undefined) return noChange(file.display)
        state.ledger.note(file.path, written.rev, after)
        state.shown.change(file.path, text.split('\n'), after.split('\n'))
        return {
          content: [
            ...(others === 0 ? [] : textContent(tellOthers(lines, others))),
            ...textContent(`Successfully edited '${file.display}': replaced ${replaced.length} occurrence(s)`),
          ],
          details: { path: file.display, replaced: replaced.length, otherMatches: others },
        }
      },
    }
  })
}

/**
 * The edit applied to an older version that was seen, merged into the present file; `undefined` if the file did not change or no merge is
 * provable.
 */
async function mergeEdit(
  { old_string: oldText, new_string: newText, replace_all: isOfAll = false }: EditArguments,
  { file, text }: OpenedText,
  state: AgshState,
): Promise<PlannedText | undefined> {
  const base = state.shown.of(file.path).lastWith(oldText)
  if (base === undefined || base === text) return undefined
  const { mergeReplacement } = await import('../../../text/merge-replacement.ts')
  const merged = mergeReplacement(base, text, { oldText, newText, isOfAll })
  if (merged.kind === 'refused') return undefined
  if (merged.kind === 'already-applied') {
    const details = { path: file.display, replaced: 0, alreadyApplied: true }
    return { after: undefined, report: () => ({ content: textContent(alreadyNote(file.display)), details }) }
  }
  return {
    after: merged.text,
    report(written) {
      if (written === undefined) return noChange(file.display)
      // The model knows the older version with this edit. It was not shown the changes of other writers.
      state.shown.change(file.path, base.split('\n'), merged.base.split('\n'))
      return {
        content: textContent(
          `Successfully edited '${file.display}': replaced ${merged.replaced} occurrence(s)\n${mergedNote(file.display, merged)}`,
        ),
        details: { path: file.display, replaced: merged.replaced, otherMatches: 0, merged: true },
      }
    },
  }
}

function noChange(display: string): ToolOutcome {
  const text = `No change: old_string and new_string are the same. '${display}' was not written.`
  return { content: textContent(text), details: { path: display, replaced: 0, unchanged: true } }
}

function notUnique(display: string, count: number, lines: readonly number[]): ToolError {
  return new ToolError(
    'old-string-not-unique',
    `old_string matches ${count} times in '${display}', in lines ${listed(lines, count)}. Nothing was changed.`,
    {
      nextStep: 'Add surrounding lines to old_string, or set replace_all=true to change every match.',
      details: { path: display, count, lines },
    },
  )
}

function listed(lines: readonly number[], count: number): string {
  return `${lines.join(', ')}${count > lines.length ? ', …' : ''}`
}

function refuseUnseen(display: string, freshness: Freshness): void {
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

/** Line numbers are those of the text before the edit. */
function tellOthers([first, ...rest]: readonly number[], others: number): string {
  return `Only the match in line ${first} was replaced. Before the edit ${others} more began in line ${listed(rest, others)}. Set replace_all=true to change every one.`
}

function quoted(text: string): string {
  const characters = Array.from(text.slice(0, quotedCharacters * 2))
  return characters.length <= quotedCharacters ? text : `${characters.slice(0, quotedCharacters).join('')}…`
}
