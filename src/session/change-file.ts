// The steps in which a tool changes one file: resolve the path, take the lock, load the file again, plan, commit, report. Nothing
// is written before the plan is complete, and the write requires the revision for which the plan was made.

import { ToolError } from '../core/errors.ts'
import { defined } from '../core/record.ts'
import { formatSize } from '../core/size.ts'
import { decodeUtf8, documentOf } from '../core/text.ts'
import type { Stat } from '../vfs/backend.ts'
import type { PlannedWrite } from '../vfs/planned-write.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { diffDocuments, type DocumentDiff } from '../text/diff.ts'
import { findElision } from '../text/elision.ts'
import { commitWrites } from './commit.ts'
import { fileHunks } from './diff-details.ts'
import type { Freshness } from './freshness.ts'
import type { WriteReview } from './policy/approve.ts'
import type { ResolvedPath } from './resolve-path.ts'
import { openText, resolveFile, resolvePath, type FileWords, type OpenedText } from './resolve-text.ts'
import type { Session } from './session.ts'
import type { ToolCall, ToolOutcome } from './tool.ts'

export interface PlannedText {
  /** The whole new text; `undefined` if nothing is to be written. */
  readonly after: string | undefined
  /** Permission bits to set. If absent, those of the file are kept, or a new file gets the default. */
  readonly mode?: number | undefined
  /** Set if the session has not seen the text that is replaced. */
  readonly unseen?: PlannedWrite['unseen'] | undefined
  /**
   * Called once the text is stored. `written` is `undefined` if nothing was written. The hunks of the change are added to the details of the
   * result.
   */
  readonly report: (written: Stat | undefined) => ToolOutcome | Promise<ToolOutcome>
}

type Plan<From, Planned = PlannedText> = (from: From) => Planned | Promise<Planned>

/** Changes the text of an existing file. If the planned text equals the current one, nothing is written. */
export function changeText(
  call: Pick<ToolCall, 'session' | 'signal'>,
  path: string,
  words: FileWords,
  plan: Plan<OpenedText>,
): Promise<ToolOutcome> {
  const { session } = call
  return changeFile(
    call,
    () => resolveFile(session, path, words),
    async file => {
      const text = await openText(session, file, words)
      const planned = await plan(text)
      if (planned.after === undefined || planned.after === text.text) return { ...planned, after: undefined }
      refuseElision(file.display, planned.after, text.text)
      const diff = diffDocuments(text.document, documentOf(planned.after), file.display)
      return { ...planned, report: async written => withHunks(await planned.report(written), file.display, diff) }
    },
  )
}

/** A file that is about to be replaced as a whole. */
export interface ReplacedFile {
  readonly file: ResolvedPath
  /** `undefined` if the file is missing, is not text, or is too large to open. */
  readonly before: string | undefined
}

export interface ReplacedText extends Omit<PlannedText, 'report'> {
  readonly report: (written: Stat | undefined, replaced: Replaced) => ToolOutcome | Promise<ToolOutcome>
}

interface Replaced {
  /** Notes for the model about the content that was overwritten. */
  readonly notes: readonly string[]
  /**
   * The change from the previous content, which is empty for a missing file. `undefined` if nothing is written, or if the
   * previous content was not text.
   */
  readonly diff: DocumentDiff | undefined
}

export interface ReplaceOptions {
  readonly words: FileWords
  /** Whether the session has seen `text`, the current content of the file. */
  readonly freshness: (file: ResolvedPath, text: string) => Freshness
}

/** Writes a whole file, which need not exist; creates parent directories. Also throws `EISDIR`, `file-changed`, `elided-text`. */
export function replaceText(
  call: Pick<ToolCall, 'session' | 'signal'>,
  path: string,
  { words, freshness }: ReplaceOptions,
  plan: Plan<ReplacedFile, ReplacedText>,
): Promise<ToolOutcome> {
  const { session } = call
  if (path === '' || path.endsWith('/')) {
    throw new ToolError('EISDIR', `${JSON.stringify(path)} names a directory, not a file.`, {
      nextStep: 'Name the file to write inside it.',
    })
  }
  return changeFile(
    call,
    () => resolvePath(session, path, words),
    async file => {
      if (file.stat?.kind === 'directory') throw words.directory(file)
      const before = await textThere(session, file)
      const { report, ...planned } = await plan({ file, before })
      const { after } = planned
      if (after === undefined) return { ...planned, report: written => report(written, { notes: [], diff: undefined }) }
      const replaced = before ?? (file.stat === undefined ? '' : undefined)
      const diff = replaced === undefined ? undefined : diffDocuments(documentOf(replaced), documentOf(after), file.display)
      if (before !== undefined) refuseElision(file.display, after, before)
      const isOverwritten = before !== undefined && after !== before && freshness(file, before) === 'changed'
      if (isOverwritten && session.overwrite === 'refuse') throw changedSinceSeen(file.display)
      const unseen = isOverwritten && diff !== undefined ? { removed: diff.removed, added: diff.added } : undefined
      const notes = [
        ...(unseen === undefined ? [] : [overwrittenNote(file.display, unseen)]),
        ...(before === undefined && file.stat !== undefined ? [replacedBytesNote(file.display, file.stat)] : []),
      ]
      return {
        ...planned,
        unseen,
        report: async written => withHunks(await report(written, { notes, diff }), file.display, diff),
      }
    },
  )
}

function overwrittenNote(display: string, { removed, added }: NonNullable<PlannedWrite['unseen']>): string {
  return `Note: ${display} changed since you last saw it, and this write replaced that version too: -${removed} +${added} lines.`
}

/** No view showed the replaced content, and no diff shows its removal. */
function replacedBytesNote(display: string, { sizeBytes }: Stat): string {
  return `Note: ${display} could not be shown as text (${formatSize(sizeBytes)}). This write replaced all of it.`
}

function withHunks(outcome: ToolOutcome, display: string, diff: DocumentDiff | undefined): ToolOutcome {
  return diff === undefined ? outcome : { ...outcome, details: { ...outcome.details, hunks: fileHunks([{ display, diff }]) } }
}

function changedSinceSeen(display: string): ToolError {
  return new ToolError('file-changed', `${display} changed since you last saw it. Nothing was written.`, {
    nextStep: 'Read the file again, so that you do not overwrite the change.',
    details: { path: display },
  })
}

/** Throws `ToolError` `elided-text` for a line that represents omitted lines, such as "...". */
export function refuseElision(display: string, after: string, before: string): void {
  const line = findElision(after, before)
  if (line === undefined) return
  throw new ToolError(
    'elided-text',
    `The new text of ${display} has the line ${JSON.stringify(line.trim())}, which is a placeholder for omitted lines. Nothing was written.`,
    { nextStep: 'Write the lines themselves, or edit only the lines that change.', details: { path: display } },
  )
}

async function changeFile<File extends ResolvedPath>(
  { session, signal }: Pick<ToolCall, 'session' | 'signal'>,
  resolve: () => Promise<File>,
  plan: Plan<File>,
): Promise<ToolOutcome> {
  const target = await resolve()
  return session.locks.hold([target.path], signal, async () => {
    // The file may have changed while this call waited for the lock, and the path must still lead to the same file.
    const file = await resolve()
    if (file.path !== target.path) {
      throw new ToolError('file-changed', `${file.display} now leads to a different file. Nothing was written.`, {
        nextStep: 'Read the file again and repeat the change.',
        details: { path: file.display },
      })
    }
    const { after, mode, unseen, report } = await plan(file)
    if (after === undefined) {
      const reviewed: Vfs & WriteReview = session.vfs
      reviewed.reviewNoWrites?.()
      return report(undefined)
    }
    const { path, display, stat } = file
    const write = defined({ path, display, bytes: encodeWhole(after), baseRev: stat?.rev ?? 0, mode, unseen })
    const [written] = await commitWrites(session.vfs, [write], signal)
    return report(written)
  })
}

async function textThere(session: Session, { path, stat }: ResolvedPath): Promise<string | undefined> {
  if (stat?.kind !== 'file' || stat.sizeBytes > session.limits.textMaxBytes) return undefined
  const decoded = decodeUtf8(await session.vfs.readFile(path))
  return decoded.kind === 'text' ? decoded.text : undefined
}

const encoder = new TextEncoder()

/** UTF-8. Throws `ToolError` `invalid-text` for half of a surrogate pair, which UTF-8 cannot represent. */
function encodeWhole(content: string): Uint8Array {
  checkWellFormed(content)
  return encoder.encode(content)
}

/** Throws `ToolError` `invalid-text`. */
export function checkWellFormed(content: string): void {
  if (content.isWellFormed()) return
  throw new ToolError(
    'invalid-text',
    'The text contains half of a surrogate pair, which UTF-8 cannot represent. Nothing was written.',
    {
      nextStep: 'Send the whole character, or write it as an escape.',
    },
  )
}
