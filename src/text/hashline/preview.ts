// The diff of an edit that is still being written, for whoever looks over the model's shoulder. A script breaks off anywhere, so
// what cannot be understood yet is left out; once the script is whole, the preview is the edit.

import { ToolError } from '../../core/errors.ts'
import type { TextDocument } from '../../core/text.ts'
import { diffDocuments, type DocumentDiff } from '../diff.ts'
import { applyHunks, type AppliedEdit } from './apply.ts'
import type { BlockResolver } from './blocks.ts'
import type { Hunk } from './hunk.ts'
import { parseScript, type HashlineScript } from './parse.ts'

/** One file as an edit script would leave it. */
export interface PreviewedFile {
  /** As the script names it. */
  readonly path: string
  readonly tag: string
  /** Rows with the numbers of the result, and a patch, as a finished edit shows them. */
  readonly diff: DocumentDiff
}

/** Options of `previewScript`. */
export interface PreviewOptions {
  /** Where blocks end in a file. Operations on blocks are left out of the preview of a file without one. */
  readonly resolveBlock?: ((path: string) => BlockResolver | undefined) | undefined
  /** As in `applyHunks`; the same as the edit's, or the two differ. */
  readonly repairs?: boolean | undefined
  /**
   * More of the script will come, default false: a last line without its newline is left out, unless it starts with '+', because
   * `[b#00` and `inser` would be shown as text of the file.
   */
  readonly isGrowing?: boolean | undefined
}

/** How many broken operations are left out before the rest is given up. */
const maxRetries = 16

/**
 * What the script would change so far. `lookup` gives the text behind a header; files that it does not know are left out. Never
 * throws for anything that a script can hold.
 */
export function previewScript(
  partial: string,
  lookup: (path: string, tag: string) => TextDocument | undefined,
  options: PreviewOptions = {},
): readonly PreviewedFile[] {
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

/** The longest beginning that parses: an error is at the end while a script grows, and what stands before it is done. */
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

/** Drops hunks from the first that does not fit on: half a number names another line than the whole one. */
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

/** A bug is no refusal, and goes on its way. */
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
