// Asks the user at the point where an effect leaves the session, not at the start of a call. By then the effect is known exactly,
// a call that fails anyway causes no question, and no tool can omit the question.

import { untilAborted } from '../../core/abort.ts'
import type { Attribution } from '../../core/actor.ts'
import { ToolError } from '../../core/errors.ts'
import { defined, isRecord } from '../../core/record.ts'
import { decodeText, documentOf, type TextDocument } from '../../core/text.ts'
import { aroundChanges } from '../../vfs/changing-verbs.ts'
import { refusedPrimitives, readingPrimitives } from '../../vfs/readonly.ts'
import type { PlannedChange } from '../../core/tool-preview.ts'
import type { PlannedWrite } from '../../vfs/planned-write.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { readFileIfThere } from '../if-there.ts'
import type { Session } from '../session.ts'
import type { AllowedEffects } from './allowed-effects.ts'
import type { PolicyRule } from './rule.ts'

/** A file that a call is about to change. If its revision at the commit differs from `baseRev`, the approval is void. */
export type ApprovalChange = PlannedChange

/** The effect that the user is asked about. */
export type ApprovalEffect =
  | { readonly kind: 'write'; readonly changes: readonly ApprovalChange[] }
  /** A shell command. Its effects are unknown; `arguments` contains the command. */
  | { readonly kind: 'command' }
  /** A change to files without a diff: a removal, a rename. */
  | { readonly kind: 'file-operation'; readonly operation: string; readonly paths: readonly string[] }
  /** Reading files or directories, which only a rule asks about. Paths are absolute. */
  | { readonly kind: 'read'; readonly paths: readonly string[] }
  /** A call that does not access files, which only a rule asks about. */
  | { readonly kind: 'call' }

/** The question for the user, with the actor, session and turn that cause it. */
export interface ApprovalRequest extends Attribution {
  /** The call that asks: the host's ID, or one that the session assigned. */
  readonly callId: string
  readonly toolset: string
  /** The name that the model uses. */
  readonly tool: string
  readonly arguments: unknown
  readonly effect: ApprovalEffect
  /** Every path of the effect, absolute. */
  readonly files: readonly string[]
  /** The patches of all changes, joined; `undefined` if nothing is written or no change is text. */
  readonly diff: string | undefined
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/**
 * What the user answers. `allow: 'session'` allows every later effect of the same tool in this session; `allow` with a rule (`tool`,
 * `path`) allows the effects that match it, with tool names as in the request. The reason of a `deny` is passed to the model.
 */
export type ApprovalAnswer =
  | 'allow'
  | 'deny'
  | { readonly allow: 'call' | 'session' | Omit<PolicyRule, 'action'> }
  | { readonly deny: string }

/** Any other value than an {@link ApprovalAnswer} means no. So does an error, whose message is passed to the model. */
export type Approve = (request: ApprovalRequest) => Promise<ApprovalAnswer>

/** An optional method of a filesystem, which `commitWrites` calls before it writes. */
export interface WriteReview {
  /** Returns the filesystem to commit `writes` to, once they are approved. */
  readonly reviewWrites?: (writes: readonly PlannedWrite[]) => Promise<Vfs>
  /** The same for a call that has nothing to write. */
  readonly reviewNoWrites?: () => void
}

export interface ApprovedCall {
  readonly by: Attribution
  readonly toolset: string
  readonly tool: string
  readonly arguments: unknown
  /** Effects that were allowed earlier in this session. */
  readonly allowed: AllowedEffects
  readonly approve: Approve | undefined
  readonly signal: AbortSignal
}

/** Decides about an effect on `paths`, all absolute, or without paths about the call as a whole. Throws `ToolError` if it is denied. */
export type Permit = (paths: readonly string[] | undefined) => 'allowed' | 'ask'

/**
 * Asks the user if `permit` requires it. `isAlwaysAsked` asks even if the user allowed such effects for the whole session. Throws
 * `ToolError` `approval-unavailable` and `approval-denied`, and the errors of `permit`.
 */
export type Ask = (
  paths: readonly string[] | undefined,
  effect: () => ApprovalEffect | Promise<ApprovalEffect>,
  isAlwaysAsked?: boolean,
) => Promise<'allowed' | 'approved'>

/** Level `ask`: the user is asked about every effect. */
export const alwaysAsk: Permit = () => 'ask'

export function createAsk(call: ApprovedCall, permit: Permit): Ask {
  return async (paths, effect, isAlwaysAsked = false) => {
    if (permit(paths) === 'allowed' || (!isAlwaysAsked && call.allowed.covers(call.tool, paths))) return 'allowed'
    const { approve, signal, allowed, by, ...told } = call
    if (approve === undefined) {
      throw new ToolError('approval-unavailable', `${call.tool} needs an approval here, and there is no way to ask the user.`, {
        nextStep: 'Tell the user; the tools that only read can be used meanwhile.',
      })
    }
    signal.throwIfAborted()
    const { callId } = by
    if (callId === undefined) throw new Error('unreachable: only a call has effects')
    const known = await effect()
    const patches = known.kind === 'write' ? known.changes.flatMap(({ diff }) => diff ?? []) : []
    const request: ApprovalRequest = {
      ...by,
      callId,
      ...told,
      effect: known,
      files: pathsOf(known),
      diff: patches.length === 0 ? undefined : patches.join('\n'),
      signal,
    }
    const answer = await untilAborted(answered(approve, request), signal)
    if (answer === 'allow') return 'approved'
    if (isRecord(answer) && 'allow' in answer) {
      await allowed.add(call.tool, answer.allow)
      return 'approved'
    }
    const reason = reasonOf(answer)
    const why = reason === '' ? '' : `: ${reason.replace(/[.\s]+$/, '')}`
    throw new ToolError('approval-denied', `The user did not allow this call of ${call.tool}${why}. Nothing was done.`, {
      nextStep: 'Ask the user what to do instead; do not try the same in another way.',
      details: reason === '' ? {} : { reason },
    })
  }
}

/** An invalid answer counts as a denial and is reported. Otherwise a host whose `approve` returns true would not notice the mistake. */
function reasonOf(answer: unknown): string {
  if (answer === 'deny') return ''
  if (isRecord(answer)) return typeof answer['deny'] === 'string' ? answer['deny'].trim() : ''
  return `approve answered ${String(answer)}, which is neither 'allow' nor 'deny'`
}

/** A failing `approve` counts as a denial. The model and the log of the host receive the reason. */
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

/** Returns `session` for one call, so that no effect leaves it without an approval. */
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
        // The user allowed changes of the model, but not the loss of changes that the model has not seen.
        writes.some(({ unseen }) => unseen !== undefined),
      )
      return vfs
    },
    ...aroundChanges(vfs, (verb, paths, act) => asked(verb === 'writeFile' ? 'write' : verb, paths, act)),
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

/** Describes a planned write for the user. `vfs` contains the current file. */
export async function changeOf(vfs: Vfs, { path, bytes, baseRev, inside, unseen }: PlannedWrite): Promise<PlannedChange> {
  const sizeBytes = bytes.length
  if (inside !== undefined) {
    const [from, to] = [documentOf(inside.before ?? ''), documentOf(inside.after ?? '')]
    return { path, baseRev, ...(await shownDiff(from, to, inside.display)), sizeBytes }
  }
  const before = baseRev === 0 ? new Uint8Array() : await readFileIfThere(vfs, path)
  const shown = await shownDiff(textIn(before ?? new Uint8Array()), textIn(bytes), path.slice(1))
  return { path, baseRev, ...shown, sizeBytes, ...defined({ unseen }) }
}

async function shownDiff(
  from: TextDocument | undefined,
  to: TextDocument | undefined,
  path: string,
): Promise<Pick<PlannedChange, 'diff' | 'hunks'>> {
  if (from === undefined || to === undefined) return { diff: undefined, hunks: undefined }
  const { diffDocuments } = await import('../../text/diff.ts')
  const { patch, hunks } = diffDocuments(from, to, path)
  return { diff: patch, hunks }
}

function textIn(bytes: Uint8Array): TextDocument | undefined {
  const decoded = decodeText(bytes)
  return decoded.kind === 'text' ? decoded.document : undefined
}
