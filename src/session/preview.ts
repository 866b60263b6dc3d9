// Previews the writes of a call. The call runs as usual up to its commit, which each tool makes once, through `commitWrites`;
// there it ends. Nothing is written, and nothing that follows a commit is recorded.

import { AnchorageError, ToolError } from '../core/errors.ts'
import { isInside, joinPath, parsePath, resolveDotDot } from '../core/path.ts'
import type { ToolPreview } from '../core/tool-preview.ts'
import { aroundChanges } from '../vfs/changing-verbs.ts'
import type { PlannedWrite } from '../vfs/planned-write.ts'
import { readingPrimitives, refusedPrimitives } from '../vfs/readonly.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { changeOf, type WriteReview } from './policy/approve.ts'
import { sessionOfCall, type Session } from './session.ts'
import type { AnyTool, ToolOutcome } from './tool.ts'

/** Ends a call at its commit. It is not a `ToolError`, so that no tool reports it as an error of the model. */
class EndOfPreview extends AnchorageError {
  readonly preview: ToolPreview

  constructor(preview: ToolPreview) {
    super('preview-ended', 'The call ended before its commit because it was a preview.')
    this.preview = preview
  }
}

/** Returns the result for a tool without a preview, which only reads or changes no files. `undefined` for other tools. */
function unpreviewable({ name, annotations, isSessionOnly }: AnyTool): ToolPreview | undefined {
  if (isSessionOnly === true || annotations.readOnlyHint) return unavailable(`${name} changes no files.`)
  return undefined
}

/** Returns `session` for a call that ends at its commit. */
function previewSession(session: Session): Session {
  return { ...session, vfs: endingVfs(session), shell: endingShell(session.shell) }
}

/** Runs a call with its session and view, and returns the preview. Rejects with other errors of `run`. */
export async function previewOf(
  tool: AnyTool | undefined,
  session: Session,
  run: (ofCall: Session, view: (session: Session) => Session) => Promise<ToolOutcome>,
): Promise<ToolPreview> {
  const no = tool && unpreviewable(tool)
  if (no !== undefined) return no
  try {
    const ofCall = sessionOfCall(session, { turn: undefined, callId: 'preview' })
    const { content, details, isError = false } = await run(ofCall, previewSession)
    return isError ? { kind: 'refused', content, details } : { kind: 'unchanged', content }
  } catch (error) {
    if (error instanceof EndOfPreview) return error.preview
    throw error
  }
}

function unavailable(reason: string): ToolPreview {
  return { kind: 'unavailable', reason }
}

function endingVfs(session: Session): Vfs & WriteReview {
  const { vfs } = session
  const end = async (): Promise<never> => {
    throw new EndOfPreview(unavailable('The tool changes files in another way than by writing them.'))
  }
  return {
    ...vfs,
    ...(vfs.sync === undefined ? {} : { sync: { ...readingPrimitives(vfs.sync), ...refusedPrimitives } }),
    async reviewWrites(writes) {
      refuseProtected(session, writes)
      const changes = []
      for (const write of writes) changes.push(await changeOf(vfs, write))
      throw new EndOfPreview({ kind: 'changes', changes })
    },
    reviewNoWrites() {
      throw new EndOfPreview({ kind: 'unchanged', content: [] })
    },
    ...aroundChanges(vfs, end),
    batch: end,
  }
}

/**
 * Refuses writes to protected paths, since the filesystem that would refuse them is not called here. The paths of writes are
 * resolved already.
 */
function refuseProtected({ policy, root, caseSensitive }: Session, writes: readonly PlannedWrite[]): void {
  const fold = (path: string): string => (caseSensitive ? path : path.normalize('NFC').toLowerCase())
  for (const directory of policy.protect) {
    const place = resolveDotDot(directory.startsWith('/') ? parsePath(directory) : joinPath(root, directory))
    const hit = writes.find(({ path }) => isInside(parsePath(fold(path)), parsePath(fold(place))))
    if (hit === undefined) continue
    throw new ToolError('EACCES', `${hit.display} is in ${directory}, which is a protected directory.`, {
      nextStep: 'Tell the user; nothing can be changed there.',
      details: { path: hit.display },
    })
  }
}

function endingShell(shell: Session['shell']): Session['shell'] {
  if (shell.kind === 'none') return shell
  return {
    ...shell,
    async open() {
      throw new EndOfPreview(unavailable('What a command changes is known only once it has run.'))
    },
  }
}
