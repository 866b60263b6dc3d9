// Plans the calls of a group, merges what can be merged, writes everything in one batch and tells each caller what became of its own
// lines. A file is only changed by whoever has seen what it holds now.

import type { VfsPath } from '../../../core/path.ts'
import { commitWrites } from '../../../session/commit.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { PreparedText } from '../../../session/text-cache.ts'
import { textContent, type ToolOutcome } from '../../../session/tool.ts'
import { diffDocuments } from '../../../text/diff.ts'
import type { HashlineScript } from '../../../text/hashline/parse.ts'
import { applyTogether, refuseOverlap } from './merge.ts'
import { describeNoOp, refuseMixedNoOp, reportNoOp, type NoOpCounts } from './no-op.ts'
import { createFileLoader, planSection, type LoadFile, type PlannedEdit, type PlannedSection, type Target } from './plan.ts'
import { renderEdit, type RenderedSection } from './render.ts'
import type { EditSettings } from './settings.ts'
import type { Outcome } from './together.ts'

const encoder = new TextEncoder()

export interface EditCall {
  /** As this call sees it: where a person is to be asked, it asks about this call. */
  readonly session: Session
  readonly script: HashlineScript
  readonly targets: readonly Target[]
  readonly signal: AbortSignal
}

/** What the calls of a session share. */
interface CommitState {
  readonly settings: EditSettings
  readonly noOpCounts: NoOpCounts
}

type PlannedCall =
  /** Nothing is to be written for it. */
  { readonly kind: 'answered'; readonly outcome: ToolOutcome } | ChangingCall

interface ChangingCall {
  readonly kind: 'changing'
  readonly script: HashlineScript
  readonly edits: readonly PlannedEdit[]
  readonly alreadyApplied: readonly PlannedSection[]
}

/**
 * Called under the locks of all targets; the calls are of one session and name the same files with the same tags. What they write
 * together is approved together: the diff that is shown is all of it. Rejects on abort.
 */
export async function commitCalls(
  calls: readonly EditCall[],
  state: CommitState,
  signal: AbortSignal,
): Promise<readonly Outcome<ToolOutcome>[]> {
  const session = calls[0]?.session
  if (session === undefined) return []
  const load = createFileLoader(session)
  const planned: Outcome<PlannedCall>[] = []
  for (const call of calls) planned.push(await attempt(signal, () => planCall(session, load, call, state, signal)))
  const changing = planned.flatMap(plan => (plan.kind === 'done' && plan.result.kind === 'changing' ? [plan.result] : []))
  const written = await attempt(signal, () => writeCalls(session, changing, state.settings, signal))
  return planned.map(plan => {
    if (plan.kind === 'failed') return plan
    if (plan.result.kind === 'answered') return { kind: 'done', result: plan.result.outcome }
    if (written.kind === 'failed') return written
    const result = written.result.get(plan.result)
    if (result === undefined) throw new Error('a call was written and not reported')
    return { kind: 'done', result }
  })
}

/** What goes wrong with one call is that call's own; an abort stops all of them, to be decided above. */
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
  // All that can go wrong comes before the commit: what is written must not be told as a failure.
  const reports: (readonly [ChangingCall, readonly SectionChange[]])[] = []
  for (const call of calls) reports.push([call, await changesOf(settings, call, changes)])
  await commitWrites(
    session.vfs,
    [...changes].flatMap(
      ([
        path,
        {
          edits: [first],
          after,
        },
      ]) =>
        first === undefined
          ? []
          : [{ path, display: first.file.display, bytes: encoder.encode(after.text), baseRev: first.loaded.stat.rev }],
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
      changes.set(path, { edits, after: session.texts.prepare(path, first.applied.document), warnings: [] })
      continue
    }
    refuseOverlap(edits)
    const merged = await applyTogether(settings, edits)
    // What applying says of all of them at once that it did not say of any alone.
    const known = new Set(edits.flatMap(edit => edit.applied.warnings))
    changes.set(path, {
      edits,
      after: session.texts.prepare(path, merged.document),
      warnings: merged.warnings.filter(warning => !known.has(warning)),
    })
  }
  return changes
}

/** What a call does to one file. */
interface SectionChange extends Omit<RenderedSection, 'display' | 'tag'> {
  readonly file: ResolvedPath
  readonly after: PreparedText
}

async function changesOf(
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
    // Against the file as the others leave it, so that each caller sees its own lines with the numbers that they have now.
    const before = others.length === 0 ? edit.loaded.document : (await applyTogether(settings, others)).document
    sections.push({
      file,
      after,
      warnings: [...edit.warnings, ...applied.warnings, ...change.warnings],
      blocks: applied.blockResolutions,
      diff: diffDocuments(before, after.document, file.display),
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
  const rendered = sections.map(({ file, after, ...section }): RenderedSection => ({
    ...section,
    display: file.display,
    tag: session.snapshots.record(file.path, file.display, after.normalized, after.tag),
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
      diff: sections.map(({ diff }) => diff.rows).join('\n'),
      patch: sections.map(({ diff }) => diff.patch).join(''),
      firstChangedLine: sections[0]?.diff.firstChangedLine,
      files: sections.map(({ file }) => file.display),
      meta: { source: 'file', sourcePath: sections[0]?.file.path },
      ...(alreadyApplied.length === 0 ? {} : { alreadyApplied: alreadyApplied.map(({ file }) => file.display) }),
      ...(callCount === 1 ? {} : { parallelCalls: callCount }),
    },
  }
}
