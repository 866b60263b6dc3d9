// Plans the calls of a group, merges them where possible, writes all files in one batch and reports to each caller the changes of its
// lines. A call changes a file only if its session has seen the present content.

import { ToolError } from '../../../core/errors.ts'
import type { VfsPath } from '../../../core/path.ts'
import { documentOf, textOf, type TextDocument } from '../../../core/text.ts'
import { commitWrites } from '../../../session/commit.ts'
import { diffDetails } from '../../../session/diff-details.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { PreparedText } from '../../../session/text-cache.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import { diffDocuments, type DocumentDiff } from '../../../text/diff.ts'
import type { HashlineScript } from '../../../text/hashline/parse.ts'
import { mapSpans, type LineSpan } from '../../../text/line-spans.ts'
import { changeRows, knownSpans } from './change-rows.ts'
import { applyTogether, refuseOverlap } from './merge.ts'
import { describeNoOp, refuseMixedNoOp, reportNoOp, type NoOpCounts } from './no-op.ts'
import { createFileLoader, planSection, type LoadFile, type PlannedEdit, type PlannedSection, type Target } from './plan.ts'
import { renderEdit, type RenderedSection } from './render.ts'
import type { EditSettings } from './settings.ts'
import type { Outcome } from './together.ts'

const encoder = new TextEncoder()

export interface EditCall {
  /** The session of this call, so that an approval names this call. */
  readonly session: Session
  readonly script: HashlineScript
  readonly targets: readonly Target[]
  readonly signal: AbortSignal
}

/** State that the calls of a session share. */
interface CommitState {
  readonly settings: EditSettings
  readonly noOpCounts: NoOpCounts
}

type PlannedCall =
  /** The call is a preview: nothing is written. */
  { readonly kind: 'answered'; readonly outcome: ToolOutcome } | ChangingCall

interface ChangingCall {
  readonly kind: 'changing'
  readonly script: HashlineScript
  readonly edits: readonly PlannedEdit[]
  readonly alreadyApplied: readonly PlannedSection[]
}

/**
 * Called under the locks of all targets; the calls are of one session and name the same files with the same tags. Their writes are approved
 * together: the user is shown the diff of all of them. Rejects on abort.
 */
export async function commitCalls(
  calls: readonly EditCall[],
  state: CommitState,
  signal: AbortSignal,
): Promise<readonly Outcome<ToolOutcome>[]> {
  const session = calls[0]?.session
  if (session === undefined) return []
  const load = createFileLoader(session, signal)
  const planned: Outcome<PlannedCall>[] = []
  for (const call of calls) planned.push(await attempt(signal, () => planCall(session, load, call, state, signal)))
  const changing = planned.flatMap(plan => (plan.kind === 'done' && plan.result.kind === 'changing' ? [plan.result] : []))
  const written = await attempt(signal, () => writeCalls(session, changing, state.settings, signal))
  const outcomes = planned.map((plan): Outcome<ToolOutcome> => {
    if (plan.kind === 'failed') return plan
    if (plan.result.kind === 'answered') return { kind: 'done', result: plan.result.outcome }
    if (written.kind === 'failed') return written
    const result = written.result.get(plan.result)
    if (result === undefined) throw new Error('a call was written and not reported')
    return { kind: 'done', result }
  })
  return outcomes.map((outcome, index) => withFateOfOthers(outcome, outcomes.toSpliced(index, 1)))
}

/** Parallel calls have one intention. If some fail and others succeed, each answer reports the outcome of the others. */
function withFateOfOthers(outcome: Outcome<ToolOutcome>, others: readonly Outcome<ToolOutcome>[]): Outcome<ToolOutcome> {
  const failed = others.filter(({ kind }) => kind === 'failed').length
  const done = others.length - failed
  const count = (number: number): string => (number === 1 ? 'one other edit' : `${number} other edits`)
  if (outcome.kind === 'failed') {
    const { error } = outcome
    if (done === 0 || !(error instanceof ToolError)) return outcome
    const nextStep = `${error.nextStep ?? ''}\nOf the edits that were sent at once, ${count(done)} ${done === 1 ? 'was' : 'were'} not affected by this: see ${done === 1 ? 'its result' : 'their results'}.`
    return { kind: 'failed', error: new ToolError(error.code, error.message, { nextStep, details: error.details, cause: error }) }
  }
  if (failed === 0) return outcome
  const note = `Of the edits that were sent at once, ${count(failed)} ${failed === 1 ? 'was' : 'were'} refused and changed nothing.`
  return { kind: 'done', result: { ...outcome.result, content: [...outcome.result.content, ...textContent(note)] } }
}

/** A failure of one call affects that call only; an abort ends all of them and is handled by the caller. */
async function attempt<T>(signal: AbortSignal, work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'done', result: await work() }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'failed', error }
  }
}

async function planCall(
  session: Session,
  load: LoadFile,
  { script, targets }: EditCall,
  { noOpCounts, settings }: CommitState,
  signal: AbortSignal,
): Promise<PlannedCall> {
  const sections: PlannedSection[] = []
  for (const target of targets) {
    signal.throwIfAborted()
    sections.push(await planSection(session, settings, load, target))
  }
  const edits = sections.filter(section => section.kind === 'edit')
  const unchanged = edits.filter(edit => !edit.applied.changed)
  if (unchanged.length === edits.length) return { kind: 'answered', outcome: reportNoOp(sections, noOpCounts) }
  if (unchanged.length > 0) throw refuseMixedNoOp(unchanged, sections.length)
  return { kind: 'changing', script, edits, alreadyApplied: sections.filter(section => section.kind === 'already-applied') }
}

/** One file of the commit, with the edits of all calls. */
interface FileChange {
  readonly edits: readonly PlannedEdit[]
  readonly after: PreparedText
  readonly bytes: Uint8Array
  readonly warnings: readonly string[]
}

async function writeCalls(
  session: Session,
  calls: readonly ChangingCall[],
  settings: EditSettings,
  signal: AbortSignal,
): Promise<ReadonlyMap<ChangingCall, ToolOutcome>> {
  if (calls.length === 0) return new Map()
  const changes = await mergeCalls(session, settings, calls)
  // Everything that can fail comes before the commit: a change that was written must not be reported as a failure.
  const reports: (readonly [ChangingCall, readonly SectionChange[]])[] = []
  for (const call of calls) reports.push([call, await changesOf(session, settings, call, changes)])
  await commitWrites(
    session.vfs,
    [...changes].flatMap(
      ([
        path,
        {
          edits: [first],
          bytes,
        },
      ]) => (first === undefined ? [] : [{ path, display: first.file.display, bytes, baseRev: first.loaded.stat.rev }]),
    ),
    signal,
  )
  return new Map(reports.map(([call, sections]) => [call, report(session, call, sections, calls.length)]))
}

async function mergeCalls(
  session: Session,
  settings: EditSettings,
  calls: readonly ChangingCall[],
): Promise<ReadonlyMap<VfsPath, FileChange>> {
  const editsOf = new Map<VfsPath, PlannedEdit[]>()
  for (const edit of calls.flatMap(call => call.edits)) {
    const present = editsOf.get(edit.file.path)
    if (present === undefined) editsOf.set(edit.file.path, [edit])
    else present.push(edit)
  }
  const changes = new Map<VfsPath, FileChange>()
  for (const [path, edits] of editsOf) {
    const [first, ...others] = edits
    if (first === undefined) continue
    if (others.length === 0) {
      changes.set(path, { edits, ...prepareWrite(session, first, first.applied.document), warnings: [] })
      continue
    }
    refuseOverlap(edits)
    const merged = await applyTogether(settings, edits)
    // Warnings of the merged edit that no single edit had.
    const known = new Set(edits.flatMap(edit => edit.applied.warnings))
    changes.set(path, {
      edits,
      ...prepareWrite(session, first, merged.document),
      warnings: merged.warnings.filter(warning => !known.has(warning)),
    })
  }
  return changes
}

function prepareWrite(
  session: Session,
  { file, loaded }: PlannedEdit,
  document: TextDocument,
): Pick<FileChange, 'after' | 'bytes'> {
  const { restore } = loaded
  if (restore === undefined) {
    const after = session.texts.prepare(file.path, document)
    return { after, bytes: encoder.encode(after.text) }
  }
  const { bytes, text } = restore(textOf(document))
  return { after: session.texts.prepare(file.path, documentOf(text)), bytes }
}

/** The changes of one call to one file. */
interface SectionChange extends Omit<RenderedSection, 'display' | 'tag'> {
  readonly file: ResolvedPath
  readonly diff: DocumentDiff
  /** Rows of the old text whose numbers the model knows. */
  readonly knownBefore: readonly LineSpan[]
  readonly before: TextDocument
  readonly after: PreparedText
}

async function changesOf(
  session: Session,
  settings: EditSettings,
  { edits }: ChangingCall,
  changes: ReadonlyMap<VfsPath, FileChange>,
): Promise<readonly SectionChange[]> {
  const sections: SectionChange[] = []
  for (const edit of edits) {
    const { file, applied } = edit
    const change = changes.get(file.path)
    if (change === undefined) throw new Error(`${file.path} was planned and is not to be written`)
    const { after } = change
    const others = change.edits.filter(other => other !== edit)
    // Compared with the file as the other calls leave it, so that each caller sees the present numbers of the lines that it changed.
    const before = others.length === 0 ? edit.loaded.document : (await applyTogether(settings, others)).document
    const diff = diffDocuments(before, after.document, file.display)
    const warnings = [...edit.warnings, ...applied.warnings, ...change.warnings]
    sections.push({
      file,
      after,
      before,
      diff,
      warnings,
      blocks: applied.blockResolutions,
      // Corrected or moved rows and rows of a block differ from those that the model wrote.
      rows: changeRows(diff, before, after.document, warnings.length > 0),
      // The calls of a group have one author, who is told by how many lines each one moved the rest.
      knownBefore: mapSpans(
        session.snapshots.shownRows(file.path, edit.section.tag, edit.loaded.normalized),
        edit.loaded.document.lines,
        before.lines,
      ),
    })
  }
  return sections
}

function report(
  session: Session,
  { script, alreadyApplied }: ChangingCall,
  sections: readonly SectionChange[],
  callCount: number,
): ToolOutcome {
  const rendered = sections.map(({ file, after, before, diff, knownBefore, ...section }): RenderedSection => ({
    ...section,
    display: file.display,
    // The result says by how many lines the text below moved, so the model's knowledge of it stays valid.
    tag: session.snapshots.record(file.path, file.display, after.normalized, {
      tag: after.tag,
      rows: [...mapSpans(knownBefore, before.lines, after.document.lines), ...knownSpans(diff, before.lines.length)],
    }),
  }))
  const together =
    callCount === 1
      ? []
      : [
          `Applied together with ${callCount - 1 === 1 ? 'another edit that was' : `${callCount - 1} other edits that were`} sent at once; shown is this one.`,
        ]
  const notes = [...together, ...alreadyApplied.map(describeNoOp)]
  return {
    content: textContent(renderEdit(rendered, script.warnings, notes)),
    details: {
      ...diffDetails(sections.map(({ file, diff }) => ({ display: file.display, diff }))),
      files: sections.map(({ file }) => file.display),
      meta: { source: 'file', sourcePath: sections[0]?.file.path },
      ...(alreadyApplied.length === 0 ? {} : { alreadyApplied: alreadyApplied.map(({ file }) => file.display) }),
      ...(callCount === 1 ? {} : { parallelCalls: callCount }),
    },
  }
}
