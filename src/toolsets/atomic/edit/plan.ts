// The step between a script and its commit: each section is checked against the present file and applied in memory.

import { ToolError } from '../../../core/errors.ts'
import type { VfsPath } from '../../../core/path.ts'
import { refuseElision } from '../../../session/change-file.ts'
import { findGeneratedMarker } from '../../../session/generated.ts'
import { mayNameResource } from '../../../resources/kinds.ts'
import { loadText, type LoadedText } from '../../../session/load-text.ts'
import type { ResolvedPath } from '../../../session/resolve-path.ts'
import type { Session } from '../../../session/session.ts'
import type { AppliedEdit } from '../../../text/hashline/apply.ts'
import type { Hunk, HashlineScript, Section } from '../../../text/hashline/parse.ts'
import { applyToDocument } from './apply.ts'
import { withoutCopiedNumbers } from './copied-numbers.ts'
import { placeHunks } from './place.ts'
import type { EditSettings } from './settings.ts'

/** The target of one section. */
export interface Target {
  readonly section: Section
  readonly file: ResolvedPath
}

/**
 * `restore` is set if the file is edited as a text that differs from its bytes: it returns the bytes for a text, and the origin of later
 * texts.
 */
export interface EditableText extends LoadedText {
  readonly restore?: (text: string) => { readonly bytes: Uint8Array; readonly text: string }
}

interface Planned extends Target {
  readonly loaded: EditableText
}

export interface PlannedEdit extends Planned {
  readonly kind: 'edit'
  /** With the line numbers of the present file. */
  readonly hunks: readonly Hunk[]
  readonly applied: AppliedEdit
  /** Notes about the script's section, its tag and the file. Those about the application are in `applied`. */
  readonly warnings: readonly string[]
}

export type PlannedSection =
  | PlannedEdit
  /** The file changed since it was seen, and already has the content that the section asks for. */
  | (Planned & { readonly kind: 'already-applied' })

/** Loads a file once for all calls that are planned together, so that they have the same text. */
export type LoadFile = (file: ResolvedPath) => Promise<EditableText>

export function createFileLoader(session: Session, signal: AbortSignal): LoadFile {
  const loaded = new Map<VfsPath, Promise<EditableText>>()
  return file => {
    const known = loaded.get(file.path)
    if (known !== undefined) return known
    const loading = loadEditable(session, file, signal)
    loaded.set(file.path, loading)
    return loading
  }
}

async function loadEditable(session: Session, file: ResolvedPath, signal: AbortSignal): Promise<EditableText> {
  if (file.stat !== undefined && mayNameResource(session.kinds, file.display)) {
    const { openProjection } = await import('../../../session/resources.ts')
    const projection = await openProjection(session, file, signal)
    if (projection !== undefined)
      return { ...session.texts.open(file.path, projection.text), stat: file.stat, restore: projection.restore }
  }
  return loadText(session, file)
}

/** Throws `ToolError` `edit-duplicate-target` if two sections name one file, also through a symlink. */
export async function resolveTargets(session: Session, script: HashlineScript): Promise<readonly Target[]> {
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

/** Throws the errors of resolving, loading, authorising and applying. Writes nothing. */
export async function planSection(
  session: Session,
  settings: EditSettings,
  load: LoadFile,
  target: Target,
): Promise<PlannedSection> {
  const { section } = target
  // Resolved again under the lock: the file may be gone meanwhile, and the path must not lead to another file.
  const file = await session.paths.resolve(section.path)
  if (file.path !== target.file.path) {
    throw new ToolError('file-changed', `${section.path} now leads to a different file. Nothing was written.`, {
      nextStep: 'Read the file again and repeat the change.',
      details: { path: file.display },
    })
  }
  const loaded = await load(file)
  const placed = await placeHunks(session, settings, { section, file, loaded })
  if (placed.kind === 'already-applied') return { kind: 'already-applied', section, file, loaded }
  const bare = withoutCopiedNumbers(placed.hunks, loaded.document, file.path)
  const applied = await applyToDocument(settings, file.path, loaded.document, bare.hunks)
  refuseElision(file.display, bare.hunks.flatMap(hunk => ('rows' in hunk ? hunk.rows : [])).join('\n'), loaded.text)
  const warnings = [
    ...section.warnings,
    ...placed.warnings,
    ...bare.warnings,
    ...(session.policy.generatedGuard ? generatedWarning(loaded, file) : []),
  ]
  return { kind: 'edit', section, file, loaded, hunks: bare.hunks, applied, warnings }
}

function generatedWarning({ document }: LoadedText, { display }: ResolvedPath): readonly string[] {
  const marker = findGeneratedMarker(document)
  if (marker === undefined) return []
  return [
    `${display} says on line ${marker.lineNumber} that it is generated ("${marker.text}"): this change is lost when it is generated again. Change its source, too.`,
  ]
}
