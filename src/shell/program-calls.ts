// Runs a program in a worker: answers the worker's calls for files and input, and passes on what the program prints.

import { AnchorageError } from '../core/errors.ts'
import { deferred } from '../core/deferred.ts'
import type { ShellCommandContext } from './commands.ts'
import type { ShellFiles } from './files.ts'
import type { ProgramWorkerLease, ProgramWorkers } from './program-workers.ts'
import { isShellFileVerb } from './shell-file-verbs.ts'
import { CallAnswers, type CallReply, createCallMemory } from './waited-calls.ts'

export type Channel = 'stdout' | 'stderr'

/** What the worker of a program sends. */
export type FromProgramWorker =
  /** An operation of the files, `stdin`, or `flush`, which waits until all output has been taken. The worker waits for the answer. */
  | { readonly kind: 'call'; readonly verb: string; readonly args: readonly unknown[] }
  /** Asks for the next piece of an answer. */
  | { readonly kind: 'more' }
  | { readonly kind: 'output'; readonly channel: Channel; readonly bytes: Uint8Array }
  /** A worker that is not reusable must be ended. */
  | { readonly kind: 'exit'; readonly code: number; readonly isReusable: boolean }
  /** The engine could not be loaded. */
  | { readonly kind: 'unavailable'; readonly why: string }

export type ProgramEnd =
  | { readonly kind: 'exit'; readonly code: number; readonly isReusable: boolean }
  /** The engine could not be loaded, or the worker was lost. */
  | { readonly kind: 'unavailable' | 'lost'; readonly why: string }
  | { readonly kind: 'no-worker'; readonly why: string }

/**
 * Runs a program in a worker of `workers`. If one that was kept cannot begin it, for lack of memory, a fresh one runs it.
 *
 * @param readInput answers `stdin`
 */
export async function runInWorker<Sent, Message extends Sent & { readonly memory: SharedArrayBuffer }>(
  workers: ProgramWorkers<Sent>,
  message: Message,
  context: ShellCommandContext,
  readInput: () => Promise<Uint8Array>,
): Promise<ProgramEnd> {
  for (;;) {
    let lease: ProgramWorkerLease<Sent> | undefined
    try {
      lease = workers.lease(context.startWorker)
    } catch (error) {
      return { kind: 'no-worker', why: `a program runs in a worker, and none can be started here: ${messageOf(error)}` }
    }
    if (lease === undefined)
      return { kind: 'no-worker', why: 'a program runs in a worker, and this platform has none. Run it elsewhere.' }
    const ended = await runOnce(lease, message, context, readInput)
    if (ended.kind !== 'unavailable' || lease.isFresh) return ended
  }
}

async function runOnce<Sent, Message extends Sent & { readonly memory: SharedArrayBuffer }>(
  lease: ProgramWorkerLease<Sent>,
  message: Message,
  context: ShellCommandContext,
  readInput: () => Promise<Uint8Array>,
): Promise<ProgramEnd> {
  const { signal, stdout, stderr } = context
  const answers = new CallAnswers(message.memory)
  const done = deferred<ProgramEnd>()
  const abort = (): void => done.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let printed: Promise<void> = Promise.resolve()
  const call = async (verb: string, args: readonly unknown[]): Promise<void> => {
    let reply: CallReply
    try {
      if (verb === 'flush') await printed
      reply = replyOf(await (verb === 'stdin' ? readInput() : askFiles(context.files, verb, args)))
    } catch (error) {
      reply = { kind: 'failure', message: messageOf(error), code: codeOf(error) }
    }
    if (!signal.aborted) answers.give(reply)
  }
  lease.listen(
    heard => {
      switch (heard.kind) {
        case 'output':
          printed = printed.then(async () => (heard.channel === 'stdout' ? stdout : stderr).write(heard.bytes))
          printed.catch(done.reject)
          return
        case 'call':
          void call(heard.verb, heard.args)
          return
        case 'more':
          answers.giveMore()
          return
        case 'exit':
          printed.then(() => done.resolve(heard), done.reject)
          return
        case 'unavailable':
          done.resolve(heard)
          return
        default:
          throw new Error(`unreachable: ${JSON.stringify(heard satisfies never)}`)
      }
    },
    why => done.resolve({ kind: 'lost', why }),
  )
  let isReusable = false
  try {
    if (signal.aborted) throw signal.reason
    lease.send(message)
    const ended = await done.promise
    isReusable = ended.kind === 'exit' && ended.isReusable
    return ended
  } finally {
    signal.removeEventListener('abort', abort)
    if (isReusable) lease.giveBack()
    else lease.end()
  }
}

function isCloudflareWorker(): boolean {
  return (globalThis as { navigator?: { readonly userAgent?: string } }).navigator?.userAgent === 'Cloudflare-Workers'
}

const noSharedMemory: string =
  'a program reads files synchronously, which needs memory that threads share. Serve the page cross-origin isolated: with the headers ' +
  'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.'

async function askFiles(files: ShellFiles, verb: string, args: readonly unknown[]): Promise<unknown> {
  if (verb === 'flush') return undefined
  if (!isShellFileVerb(verb)) throw new Error(`unreachable: there is no operation ${verb}`)
  // The worker calls each operation with the arguments of `ShellFiles`.
  const operation = files[verb] as (...operands: readonly unknown[]) => unknown
  return operation.apply(files, [...args])
}

function replyOf(value: unknown): CallReply {
  return value instanceof Uint8Array ? { kind: 'bytes', bytes: value } : { kind: 'value', value }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof AnchorageError ? error.code : undefined
}

/** The memory for one call of a program. A text says why no program can run here. */
export function programMemory(): SharedArrayBuffer | string {
  if (isCloudflareWorker()) return 'Cloudflare Workers compile no WebAssembly, so no program runs here. Run it elsewhere.'
  return createCallMemory() ?? noSharedMemory
}
