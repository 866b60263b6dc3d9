// One call of `js`: starts its program in a worker, answers the worker's calls for files and input, and passes on what it prints.

import { AnchorageError } from '../../core/errors.ts'
import { deferred } from '../../core/deferred.ts'
import { readAll, type ShellCommandContext } from '../../shell/commands.ts'
import { resolveFrom, type ShellFiles } from '../../shell/files.ts'
import { isShellFileVerb } from '../../shell/shell-file-verbs.ts'
import { CallAnswers, createCallMemory, type CallReply } from '../../shell/waited-calls.ts'
import { readArguments, type ProgramPlace } from './arguments.ts'
import type { JsWorkerLease, JsWorkers } from './js-workers.ts'
import type { FromJsWorker, Program, ProgramSource } from './protocol.ts'
import { wasmUrl } from './wasm-url.ts'

/** The release of the engine that `anchorage` is tested with. */
export const version = 'QuickJS-ng (quickjs-wasi 3.6.2)'

export interface JsRunner {
  readonly workers: JsWorkers
  /** Where the host keeps the WebAssembly module. */
  readonly wasmUrl: string | undefined
}

export async function run(context: ShellCommandContext, runner: JsRunner): Promise<number> {
  const asked = readArguments(context.args, version)
  const fail = async (message: string, code: number): Promise<number> => {
    await context.stderr.write(`js: ${message}\n`)
    return code
  }
  if (asked.kind === 'answer') {
    await (asked.code === 0 ? context.stdout : context.stderr).write(asked.text)
    return asked.code
  }
  if (isCloudflareWorker())
    return fail('Cloudflare Workers compile no WebAssembly, so no program runs here. Run it elsewhere.', 126)
  const memory = createCallMemory()
  if (memory === undefined) return fail(noSharedMemory, 126)
  const { purpose, inputType, args, from } = asked
  const source = await sourceOf(from, context)
  const program: Program = { source, purpose, inputType, args, cwd: context.cwd, env: { ...context.env } }
  let url: string
  try {
    url = runner.wasmUrl ?? wasmUrl()
  } catch (error) {
    return fail(`${notInstalled} (${messageOf(error)})`, 126)
  }
  let lease: JsWorkerLease | undefined
  try {
    lease = runner.workers.lease(context.startWorker)
  } catch (error) {
    return fail(`a program runs in a worker, and none can be started here: ${messageOf(error)}`, 126)
  }
  if (lease === undefined) return fail('a program runs in a worker, and this platform has none. Run it elsewhere.', 126)
  const ended = await runProgram(lease, { kind: 'run', program, memory, wasmUrl: url }, context, from.kind === 'stdin')
  return typeof ended === 'number' ? ended : fail(`${notInstalled} (${ended.why})`, 126)
}

function isCloudflareWorker(): boolean {
  return (globalThis as { navigator?: { readonly userAgent?: string } }).navigator?.userAgent === 'Cloudflare-Workers'
}

const noSharedMemory =
  'a program reads files synchronously, which needs memory that threads share. Serve the page cross-origin isolated: with the headers ' +
  'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.'

const notInstalled = 'the engine could not be loaded. It is the package quickjs-wasi: npm install quickjs-wasi@3.6.2'

async function sourceOf(from: ProgramPlace, { stdin, cwd }: ShellCommandContext): Promise<ProgramSource> {
  if (from.kind === 'text') return { kind: 'text', text: from.text, name: '[eval]' }
  if (from.kind === 'file') return { kind: 'file', path: resolveFrom(cwd, from.operand) }
  const text = stdin.isGiven ? new TextDecoder().decode(await readAll(stdin)) : ''
  return { kind: 'text', text, name: '[stdin]' }
}

/** Returns the exit code, or why the engine could not be loaded. */
async function runProgram(
  lease: JsWorkerLease,
  message: Parameters<JsWorkerLease['worker']['port']['post']>[0],
  context: ShellCommandContext,
  isInputUsed: boolean,
): Promise<number | { readonly why: string }> {
  const { signal, stdout, stderr } = context
  const answers = new CallAnswers(message.memory)
  const done = deferred<number | { readonly why: string }>()
  const abort = (): void => done.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let printed: Promise<void> = Promise.resolve()
  const call = async (verb: string, args: readonly unknown[]): Promise<void> => {
    let reply: CallReply
    try {
      if (verb === 'flush') await printed
      reply = replyOf(await (verb === 'stdin' ? readInput(context, isInputUsed) : askFiles(context.files, verb, args)))
    } catch (error) {
      reply = { kind: 'failure', message: messageOf(error), code: codeOf(error) }
    }
    if (!signal.aborted) answers.give(reply)
  }
  lease.listen(
    (heard: FromJsWorker) => {
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
          printed.then(() => done.resolve(heard.code), done.reject)
          return
        case 'unavailable':
          done.resolve({ why: heard.why })
          return
        default:
          throw new Error(`unreachable: ${JSON.stringify(heard satisfies never)}`)
      }
    },
    why => done.resolve({ why }),
  )
  let isReusable = false
  try {
    if (signal.aborted) throw signal.reason
    lease.worker.port.post(message)
    const ended = await done.promise
    isReusable = typeof ended === 'number'
    return ended
  } finally {
    signal.removeEventListener('abort', abort)
    if (isReusable) lease.giveBack()
    else lease.end()
  }
}

async function readInput({ stdin }: ShellCommandContext, isUsed: boolean): Promise<Uint8Array> {
  return isUsed || !stdin.isGiven ? new Uint8Array() : readAll(stdin)
}

async function askFiles(files: ShellFiles, verb: string, args: readonly unknown[]): Promise<unknown> {
  if (verb === 'flush') return undefined
  if (!isShellFileVerb(verb)) throw new Error(`unreachable: there is no operation ${verb}`)
  // The modules of the program call each operation with the arguments of `ShellFiles`.
  const operation = files[verb] as (...operands: readonly unknown[]) => unknown
  return operation.apply(files, [...args])
}

function replyOf(value: unknown): CallReply {
  return value instanceof Uint8Array ? { kind: 'bytes', bytes: value } : { kind: 'value', value }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof AnchorageError ? error.code : undefined
}
