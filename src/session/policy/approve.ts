// A person is asked where an effect leaves the session, not where a call begins. By then the effect is known exactly, a call that fails
// anyway bothers nobody, and no tool can forget to ask.

import { untilAborted } from '../../core/abort.ts'
import type { Attribution } from '../../core/actor.ts'
import { ToolError } from '../../core/errors.ts'
import { decodeText, documentOf, type TextDocument } from '../../core/text.ts'
import { refusedPrimitives, readingPrimitives } from '../../vfs/readonly.ts'
import type { PlannedWrite } from '../../vfs/planned-write.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { readFileIfThere } from '../if-there.ts'
import type { Session } from '../session.ts'
import type { AllowedEffects } from './allowed-effects.ts'
import type { PolicyRule } from './rule.ts'

/** One file that a call is about to change, with its diff and the revision that the change is based on. */
export interface ApprovalChange {
  /** Absolute. */
  readonly path: string
  /** The revision that the change is based on, 0 for a new file. The approval lapses when the file has another one by then. */
  readonly baseRev: number
  /** A unified patch; `undefined` where one of the two contents is not text. */
  readonly diff: string | undefined
  readonly sizeBytes: number
}

/** The effect that a person is asked about. */
export type ApprovalEffect =
  | { readonly kind: 'write'; readonly changes: readonly ApprovalChange[] }
  /** A shell command. What it will do is not known; `arguments` says what it is. */
  | { readonly kind: 'command' }
  /** A change to files that has no diff: a removal, a rename. */
  | { readonly kind: 'file-operation'; readonly operation: string; readonly paths: readonly string[] }
  /** A look at files or directories, which only a rule asks about. Absolute. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  /** A call that touches no files, which only a rule asks about. */
  | { readonly kind: 'call' }

/** What a person is asked. */
export interface ApprovalRequest {
  /** Who asks, in which session and turn, and by which call. */
  readonly by: Attribution
  readonly toolset: string
  /** As the model called it. */
  readonly tool: string
  readonly arguments: unknown
  readonly effect: ApprovalEffect
  /** Every path of the effect, absolute. */
  readonly files: readonly string[]
  /** The patches of all changes, one after the other; `undefined` where nothing is written or none of it is text. */
  readonly diff: string | undefined
  /** Aborts when the answer is no longer waited for. */
  readonly signal: AbortSignal
}

/**
 * What a person answers. `allow: 'session'` allows every later effect of the same tool in this session; `allow` with a rule
 * (`tool`, `path`) those that it fits, with tools named as in the request. The reason of a `deny` reaches the model.
 */
export type ApprovalAnswer =
  | 'allow'
  | 'deny'
  | { readonly allow: 'call' | 'session' | Omit<PolicyRule, 'action'> }
  | { readonly deny: string }

/** Anything that is not an {@link ApprovalAnswer} is no, and so is an error, whose message the model is told. */
export type Approve = (request: ApprovalRequest) => Promise<ApprovalAnswer>

/** What `commitWrites` looks for on a filesystem before it writes. */
export interface WriteReview {
  /** The filesystem to commit `writes` to, once they are approved. */
  readonly reviewWrites?: (writes: readonly PlannedWrite[]) => Promise<Vfs>
}

export interface ApprovedCall {
  readonly by: Attribution
  readonly toolset: string
  readonly tool: string
  readonly arguments: unknown
  /** What was allowed in this session before. */
  readonly allowed: AllowedEffects
  readonly approve: Approve | undefined
  readonly signal: AbortSignal
}

/** What becomes of an effect on `paths`, all absolute; without paths, of the call as a whole. Throws `ToolError` where it is denied. */
export type Permit = (paths: readonly string[] | undefined) => 'allowed' | 'ask'

/** Asks where `permit` says so. Throws `ToolError`: `approval-unavailable`, `approval-denied`, and what `permit` throws. */
export type Ask = (
  paths: readonly string[] | undefined,
  effect: () => ApprovalEffect | Promise<ApprovalEffect>,
) => Promise<'allowed' | 'approved'>

/** Level `ask`: whatever it is, a person is asked. */
export const alwaysAsk: Permit = () => 'ask'

export function createAsk(call: ApprovedCall, permit: Permit): Ask {
  return async (paths, effect) => {
    if (permit(paths) === 'allowed' || call.allowed.covers(call.tool, paths)) return 'allowed'
    const { approve, signal, allowed, ...told } = call
    if (approve === undefined) {
      throw new ToolError('approval-unavailable', `${call.tool} needs an approval here, and nobody can be asked.`, {
        nextStep: 'Tell the user; the tools that only read can be used meanwhile.',
      })
    }
    signal.throwIfAborted()
    const known = await effect()
    const patches = known.kind === 'write' ? known.changes.flatMap(({ diff }) => diff ?? []) : []
    const request: ApprovalRequest = {
      ...told,
      effect: known,
      files: pathsOf(known),
      diff: patches.length === 0 ? undefined : patches.join('\n'),
      signal,
    }
    const answer = await untilAborted(answered(approve, request), signal)
    if (answer === 'allow') return 'approved'
    if (typeof answer === 'object' && 'allow' in answer) {
      await allowed.add(call.tool, answer.allow)
      return 'approved'
    }
    const reason = typeof answer === 'object' && typeof answer.deny === 'string' ? answer.deny.trim() : ''
    const why = reason === '' ? '' : `: ${reason.replace(/[.\s]+$/, '')}`
    throw new ToolError('approval-denied', `The user did not allow this call of ${call.tool}${why}. Nothing was done.`, {
      nextStep: 'Ask the user what to do instead; do not try the same by another way.',
      details: reason === '' ? {} : { reason },
    })
  }
}

/** An `approve` that fails cannot have said yes; the model and the host's log are told why. */
async function answered(approve: Approve, request: ApprovalRequest): Promise<ApprovalAnswer> {
  try {
    return await approve(request)
  } catch (error) {
    return { deny: `the approval failed with ${error instanceof Error ? error.message : String(error)}` }
  }
}

function pathsOf(effect: ApprovalEffect): readonly string[] {
  switch (effect.kind) {
    case 'write':
      return effect.changes.map(({ path }) => path)
    case 'file-operation':
    case 'read':
      return effect.paths
    case 'command':
    case 'call':
      return []
    default:
      throw new Error(`unreachable: ${JSON.stringify(effect satisfies never)}`)
  }
}

/** `session` as one call sees it: the same, but nothing leaves it without an approval. */
export function askingSession(session: Session, ask: Ask): Session {
  return { ...session, vfs: askingVfs(session.vfs, ask), shell: askingShell(session.shell, ask) }
}

function askingVfs(vfs: Vfs, ask: Ask): Vfs & WriteReview {
  const asked = async <T>(operation: string, paths: readonly string[], act: () => Promise<T>): Promise<T> => {
    await ask(paths, () => ({ kind: 'file-operation', operation, paths }))
    return act()
  }
  return {
    ...vfs,
    ...(vfs.sync === undefined ? {} : { sync: { ...readingPrimitives(vfs.sync), ...refusedPrimitives } }),
    reviewWrites: async writes => {
      await ask(
        writes.map(({ path }) => path),
        async () => {
          const changes: ApprovalChange[] = []
          for (const write of writes) changes.push(await changeOf(vfs, write))
          return { kind: 'write', changes }
        },
      )
      return vfs
    },
    writeFile: (path, data, options) => asked('write', [path], () => vfs.writeFile(path, data, options)),
    mkdir: (path, options) => asked('mkdir', [path], () => vfs.mkdir(path, options)),
    rm: (path, options) => asked('rm', [path], () => vfs.rm(path, options)),
    rename: (from, to) => asked('rename', [from, to], () => vfs.rename(from, to)),
    copy: (from, to, options) => asked('copy', [from, to], () => vfs.copy(from, to, options)),
    link: (existing, path) => asked('link', [existing, path], () => vfs.link(existing, path)),
    symlink: (target, path) => asked('symlink', [path], () => vfs.symlink(target, path)),
    chmod: (path, mode) => asked('chmod', [path], () => vfs.chmod(path, mode)),
    utimes: (path, mtimeMs) => asked('utimes', [path], () => vfs.utimes(path, mtimeMs)),
    batch: (work, options) => asked('batch', Object.keys(options?.expect ?? {}), () => vfs.batch(work, options)),
  }
}

function askingShell(shell: Session['shell'], ask: Ask): Session['shell'] {
  if (shell.kind === 'none') return shell
  return {
    ...shell,
    async open() {
      await ask(undefined, () => ({ kind: 'command' }))
      return shell.open()
    },
  }
}

async function changeOf(vfs: Vfs, { path, bytes, baseRev, inside }: PlannedWrite): Promise<ApprovalChange> {
  const { diffDocuments } = await import('../../text/diff.ts')
  if (inside !== undefined) {
    const [from, to] = [documentOf(inside.before ?? ''), documentOf(inside.after ?? '')]
    return { path, baseRev, diff: diffDocuments(from, to, inside.display).patch, sizeBytes: bytes.length }
  }
  const before = baseRev === 0 ? new Uint8Array() : await readFileIfThere(vfs, path)
  const [from, to] = [textIn(before ?? new Uint8Array()), textIn(bytes)]
  const diff = from === undefined || to === undefined ? undefined : diffDocuments(from, to, path.slice(1)).patch
  return { path, baseRev, diff, sizeBytes: bytes.length }
}

function textIn(bytes: Uint8Array): TextDocument | undefined {
  const decoded = decodeText(bytes)
  return decoded.kind === 'text' ? decoded.document : undefined
}
