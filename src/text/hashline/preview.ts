// The diff of an edit that is still being written, for a user who watches. A script may be cut anywhere, so parts that cannot be parsed yet
// are left out; once the script is complete, the preview equals the edit.

import { checkArguments } from '../../core/argument.ts'
import { ToolError } from '../../core/errors.ts'
import type { TextDocument } from '../../core/text.ts'
import { diffDocuments, type DocumentDiff } from '../diff.ts'
import { applyHunks, type AppliedEdit } from './apply.ts'
import type { BlockResolver } from './blocks.ts'
import type { Hunk } from './hunk.ts'
import { parseScript, type HashlineScript } from './parse.ts'

/** A file after an edit script. */
export interface PreviewedFile {
  /** The path in the script. */
  readonly path: string
  readonly tag: string
  /** Rows with the numbers of the result, and a patch, as for a finished edit. */
  readonly diff: DocumentDiff
}

/** Options of `previewScript`. */
export interface PreviewOptions {
  /** Finds the ends of blocks in a file. Without it, operations on blocks are left out of the preview. */
  readonly resolveBlock?: ((path: string) => BlockResolver | undefined) | undefined
  /** As in `applyHunks`. Use the same value as for the edit. */
  readonly repairs?: boolean | undefined
  /**
   * More of the script will come, default false: a last line without its newline is left out, unless it starts with '+', because `[b#00`
   * and `inser` would be shown as text of the file.
   */
  readonly isGrowing?: boolean | undefined
}

/** How many broken operations are left out before the rest is ignored. */
const maxRetries = 16

/**
 * The changes of the script so far. `lookup` returns the text of a header; files that it does not know are left out. Never throws, whatever
 * the script contains.
 */
export function previewScript(
  partial: string,
  lookup: (path: string, tag: string) => TextDocument | undefined,
  options: PreviewOptions = {},
): readonly PreviewedFile[] {
  checkArguments('previewScript', [partial, lookup, options], ['text', 'function', ['isGrowing', 'repairs', 'resolveBlock']])
  const script = parseSoFar(options.isGrowing === true ? withoutLooseEnd(partial) : partial)
  if (script === undefined) return []
  return script.sections.flatMap(({ path, tag, hunks }) => {
    const document = lookup(path, tag)
    if (document === undefined) return []
    const applied = applySoFar(document, hunks, { resolveBlock: options.resolveBlock?.(path), repairs: options.repairs })
    return applied === undefined ? [] : [{ path, tag, diff: diffDocuments(document, applied.document, path) }]
  })
}

function withoutLooseEnd(partial: string): string {
  const lastLine = partial.lastIndexOf('\n') + 1
  return partial.startsWith('+', lastLine) ? partial : partial.slice(0, lastLine)
}

/** The longest beginning that can be parsed: while a script grows, an error is at its end, and the part before it is complete. */
function parseSoFar(partial: string): HashlineScript | undefined {
  let text = partial
  for (let retry = 0; retry <= maxRetries; retry++) {
    const outcome = attempt(() => parseScript(text))
    if (outcome.kind === 'done') return outcome.value
    const scriptLine = outcome.error.details['scriptLine']
    if (typeof scriptLine !== 'number') return undefined
    const shorter = firstLines(text, scriptLine - 1)
    if (shorter.length >= text.length) return undefined
    text = shorter
  }
  return undefined
}

/** Drops all hunks from the first one that does not apply: an incomplete number names another line than the complete one. */
function applySoFar(
  document: TextDocument,
  hunks: readonly Hunk[],
  options: { readonly resolveBlock: BlockResolver | undefined; readonly repairs: boolean | undefined },
): AppliedEdit | undefined {
  let kept = hunks
  for (let retry = 0; retry <= maxRetries && kept.length > 0; retry++) {
    const outcome = attempt(() => applyHunks(document, kept, options))
    if (outcome.kind === 'done') return outcome.value
    const scriptLine = outcome.error.details['scriptLine']
    const fewer = kept.filter(hunk => hunk.scriptLine !== scriptLine)
    if (fewer.length === kept.length) return undefined
    kept = fewer
  }
  return undefined
}

type Outcome<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'refused'; readonly error: ToolError }

/** A bug is not a refusal, so it is thrown again. */
function attempt<T>(step: () => T): Outcome<T> {
  try {
    return { kind: 'done', value: step() }
  } catch (error) {
    if (error instanceof ToolError) return { kind: 'refused', error }
    throw error
  }
}

function firstLines(text: string, count: number): string {
  let end = 0
  for (let line = 0; line < count; line++) {
    const next = text.indexOf('\n', end)
    if (next === -1) return text
    end = next + 1
  }
  return text.slice(0, end)
}
