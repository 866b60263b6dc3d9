// Plans every section, then commits all of them at once. A file is only changed by whoever has seen what it holds now (atomic §4.7).

import { ToolError } from '../../../core/errors.ts'
import { fullHash } from '../../../core/hash.ts'
import { encodeText, normalizedText, textOf } from '../../../core/text.ts'
import { commitWrites } from '../../../session/commit.ts'
import { loadText } from '../../../session/load-text.ts'
import type { Session } from '../../../session/session.ts'
import { textContent, type ToolCall, type ToolOutcome } from '../../../session/tool.ts'
import { diffDocuments } from '../../../text/diff.ts'
import { applyHunks } from '../../../text/hashline/apply.ts'
import { parseScript, type HashlineScript, type Section } from '../../../text/hashline/parse.ts'
import type { NoOpCounts, PlannedEdit, Target } from './plan.ts'
import { refuseUnauthorized } from './refuse.ts'
import { renderEdit } from './render.ts'

/** The same edit that changes nothing is answered twice and refused from then on: its author is in a loop. */
const maxRepeatedNoOps = 2

export async function runEdit(
  args: { input: string },
  { session, signal }: ToolCall,
  noOpCounts: NoOpCounts,
): Promise<ToolOutcome> {
  const script = parseScript(args.input)
  const targets = await resolveTargets(session, script)
  const paths = targets.map(target => target.file.path)
  return session.locks.hold(paths, signal, async () => {
    const edits: PlannedEdit[] = []
    for (const { section } of targets) {
      signal.throwIfAborted()
      edits.push(await planEdit(session, section))
    }
    const unchanged = edits.filter(edit => !edit.applied.changed)
    if (unchanged.length === edits.length) return reportNoOp(edits, noOpCounts)
    if (unchanged.length > 0) throw mixedNoOp(unchanged, edits.length)
    return commitEdits(session, script, edits, signal)
  })
}

async function resolveTargets(session: Session, script: HashlineScript): Promise<readonly Target[]> {
  const targets: Target[] = []
  for (const section of script.sections) {
    const file = await session.paths.resolve(section.path)
    const same = targets.find(target => target.file.path === file.path)
    if (same !== undefined) {
      throw new ToolError(
        'edit-duplicate-target',
        `Two sections change the same file: ${same.section.path} and ${section.path}. Nothing was written.`,
        {
          nextStep: 'Put all operations for that file under one header.',
          details: { path: file.display, scriptLine: section.scriptLine },
        },
      )
    }
    targets.push({ section, file })
  }
  return targets
}

async function planEdit(session: Session, section: Section): Promise<PlannedEdit> {
  // Resolved again under the lock: what was there a moment ago may be gone.
  const file = await session.paths.resolve(section.path)
  const loaded = await loadText(session, file)
  const authorization = session.snapshots.authorize(file.path, section.tag, loaded.normalized)
  if (authorization.kind !== 'current') throw refuseUnauthorized({ section, file, document: loaded.document, authorization })
  const applied = applyHunks(loaded.document, section.hunks)
  return { section, file, loaded, applied, diff: diffDocuments(loaded.document, applied.document, file.display) }
}

function reportNoOp(edits: readonly PlannedEdit[], counts: NoOpCounts): ToolOutcome {
  const key = edits.map(edit => `${edit.file.path}\0${fullHash(textOf(edit.loaded.document))}`).join('\0')
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  const paths = edits.map(edit => edit.file.display).join(', ')
  const message = `The new lines for ${paths} are the same as the lines that are there. Nothing was written.`
  if (count > maxRepeatedNoOps) {
    throw new ToolError('edit-repeated-no-op', `${message} This is the ${count}th edit in a row that changes nothing.`, {
      nextStep:
        'Stop repeating it. The text is already as you want it, or the change belongs on other lines: read the file again.',
      details: { count, paths: edits.map(edit => edit.file.display) },
    })
  }
  return {
    content: textContent(
      `${message}\nIf you meant another change, read the file again and check the line numbers.${count > 1 ? ` (Same edit again: ${count} times.)` : ''}`,
    ),
    details: { diff: '', patch: '', noOpCount: count },
  }
}

function mixedNoOp(unchanged: readonly PlannedEdit[], sectionCount: number): ToolError {
  const paths = unchanged.map(edit => edit.file.display).join(', ')
  return new ToolError(
    'edit-section-no-op',
    `${unchanged.length} of ${sectionCount} sections would change nothing: ${paths}. Nothing was written, in any file.`,
    {
      nextStep: 'Leave that section out, or correct its lines, and send the script again.',
      details: { paths: unchanged.map(edit => edit.file.display) },
    },
  )
}

async function commitEdits(
  session: Session,
  script: HashlineScript,
  edits: readonly PlannedEdit[],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  await commitWrites(
    session.vfs,
    edits.map(({ file, loaded, applied }) => ({
      path: file.path,
      display: file.display,
      bytes: encodeText(applied.document),
      baseRev: loaded.stat.rev,
    })),
    signal,
  )
  const sections = edits.map(edit => ({
    edit,
    tag: session.snapshots.record(edit.file.path, edit.file.display, normalizedText(edit.applied.document)),
  }))
  return {
    content: textContent(renderEdit(sections, script.warnings)),
    details: {
      diff: edits.map(edit => edit.diff.rows).join('\n'),
      patch: edits.map(edit => edit.diff.patch).join(''),
      firstChangedLine: edits[0]?.diff.firstChangedLine,
      files: edits.map(edit => edit.file.display),
    },
  }
}
