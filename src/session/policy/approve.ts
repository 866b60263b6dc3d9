// A person is asked where an effect leaves the session, not where a call begins. By then the effect is known exactly, a call that fails
// anyway bothers nobody, and no tool can forget to ask.

import { ToolError } from '../../core/errors.ts'
import { decodeText, type TextDocument } from '../../core/text.ts'
import { refusedPrimitives, readingPrimitives } from '../../vfs/readonly.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { PlannedWrite } from '../commit.ts'
import { readFileIfThere } from '../if-there.ts'
import type { Session } from '../session.ts'

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
  /** As the model called it. */
  readonly tool: string
  readonly arguments: unknown
  readonly effect: ApprovalEffect
  /** Aborts when the answer is no longer waited for. */
  readonly signal: AbortSignal
}

/** Anything but `allow` is no. */
export type Approve = (request: ApprovalRequest) => Promise<'allow' | 'deny'>

/** What `commitWrites` looks for on a filesystem before it writes. */
export interface WriteReview {
  /** The filesystem to commit `writes` to, once they are approved. */
  readonly reviewWrites?: (writes: readonly PlannedWrite[]) => Promise<Vfs>
}

export interface ApprovedCall {
  readonly tool: string
  readonly arguments: unknown
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
    if (permit(paths) === 'allowed') return 'allowed'
    if (call.approve === undefined) {
      throw new ToolError('approval-unavailable', `${call.tool} needs an approval here, and nobody can be asked.`, {
        nextStep: 'Tell the user; the tools that only read can be used meanwhile.',
      })
    }
    call.signal.throwIfAborted()
    const request = { tool: call.tool, arguments: call.arguments, effect: await effect(), signal: call.signal }
    const answer = await untilAborted(call.approve(request), call.signal)
    if (answer === 'allow') return 'approved'
    throw new ToolError('approval-denied', `The user did not allow this call of ${call.tool}. Nothing was done.`, {
      nextStep: 'Ask the user what to do instead; do not try the same by another way.',
    })
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

async function changeOf(vfs: Vfs, { path, bytes, baseRev }: PlannedWrite): Promise<ApprovalChange> {
  const before = baseRev === 0 ? new Uint8Array() : await readFileIfThere(vfs, path)
  const [from, to] = [textIn(before ?? new Uint8Array()), textIn(bytes)]
  const { diffDocuments } = await import('../../text/diff.ts')
  const diff = from === undefined || to === undefined ? undefined : diffDocuments(from, to, path.slice(1)).patch
  return { path, baseRev, diff, sizeBytes: bytes.length }
}

function textIn(bytes: Uint8Array): TextDocument | undefined {
  const decoded = decodeText(bytes)
  return decoded.kind === 'text' ? decoded.document : undefined
}

/** A person may never answer. */
async function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
