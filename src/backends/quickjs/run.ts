// One call of `js`: reads its arguments and runs its program in a worker.

import { installedFile } from '../../core/installed-file.ts'
import { readAll, type ShellCommandContext } from '../../shell/commands.ts'
import { resolveFrom } from '../../shell/files.ts'
import { messageOf, programMemory, runInWorker } from '../../shell/program-calls.ts'
import type { ProgramWorkers } from '../../shell/program-workers.ts'
import { readArguments, type ProgramPlace } from './arguments.ts'
import type { Program, ProgramSource, ToJsWorker } from './protocol.ts'

/** The release of the engine that `anchorage` is tested with. */
export const version = 'QuickJS-ng (quickjs-wasi 3.6.2)'

export interface JsRunner {
  readonly workers: ProgramWorkers<ToJsWorker>
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
  const memory = programMemory()
  if (typeof memory === 'string') return fail(memory, 126)
  const { purpose, inputType, args, from } = asked
  const source = await sourceOf(from, context)
  const program: Program = { source, purpose, inputType, args, cwd: context.cwd, env: { ...context.env } }
  let url: string
  try {
    // The worker cannot find it by itself, because a bundler may have moved the worker. Bundlers include the file only if it is named in
    // exactly this form.
    url =
      runner.wasmUrl ??
      installedFile('quickjs-wasi/quickjs.wasm', import.meta.url) ??
      new URL('quickjs-wasi/quickjs.wasm', import.meta.url).href
  } catch (error) {
    return fail(`${notInstalled} (${messageOf(error)})`, 126)
  }
  const { stdin } = context
  const isInputUsed = from.kind === 'stdin' || !stdin.isGiven
  const ended = await runInWorker(runner.workers, { kind: 'run', program, memory, wasmUrl: url }, context, async () =>
    isInputUsed ? new Uint8Array() : readAll(stdin),
  )
  if (ended.kind === 'exit') return ended.code
  return fail(ended.kind === 'no-worker' ? ended.why : `${notInstalled} (${ended.why})`, 126)
}

const notInstalled = 'the engine could not be loaded. It is the package quickjs-wasi: npm install quickjs-wasi@3.6.2'

async function sourceOf(from: ProgramPlace, { stdin, cwd }: ShellCommandContext): Promise<ProgramSource> {
  if (from.kind === 'text') return { kind: 'text', text: from.text, name: '[eval]' }
  if (from.kind === 'file') return { kind: 'file', path: resolveFrom(cwd, from.operand) }
  const text = stdin.isGiven ? new TextDecoder().decode(await readAll(stdin)) : ''
  return { kind: 'text', text, name: '[stdin]' }
}
