// One call of `python3`: reads its arguments and runs its program in a worker.

import { installedFile } from '../../core/installed-file.ts'
import { readAll, type ShellCommandContext } from '../../shell/commands.ts'
import { resolveFrom } from '../../shell/files.ts'
import { programMemory, runInWorker } from '../../shell/program-calls.ts'
import type { ProgramWorkers } from '../../shell/program-workers.ts'
import { readArguments, type ProgramPlace } from './arguments.ts'
import type { ProgramSource, ToPythonWorker } from './protocol.ts'

/** The release of Python in the release of Pyodide that `anchorage` is tested with. */
const version = 'Python 3.14.2'

export interface PythonRunner {
  readonly workers: ProgramWorkers<ToPythonWorker>
  /** Where the host keeps the files of Pyodide. */
  readonly indexUrl: string | undefined
}

export async function run(context: ShellCommandContext, { workers, indexUrl }: PythonRunner): Promise<number> {
  const asked = readArguments(context.args, version)
  const fail = async (message: string, code: number): Promise<number> => {
    await context.stderr.write(`python3: ${message}\n`)
    return code
  }
  if (asked.kind === 'answer') {
    await (asked.code === 0 ? context.stdout : context.stderr).write(asked.text)
    return asked.code
  }
  const memory = programMemory()
  if (typeof memory === 'string') return fail(memory, 126)
  const url = absoluteUrl(indexUrl) ?? installedUrl()
  if (url === undefined) return fail(missing, 126)
  const { from, usesEnvironment } = asked
  const { cwd, env, stdin } = context
  const program = {
    ...asked,
    source: await sourceOf(from, context),
    words: context.args,
    path: usesEnvironment ? (env['PYTHONPATH'] ?? '').split(':').map(path => resolveFrom(cwd, path)) : [],
    isUnbuffered: asked.isUnbuffered || (usesEnvironment && (env['PYTHONUNBUFFERED'] ?? '') !== ''),
    cwd,
    env: { ...env },
  }
  const hasInput = from.kind !== 'stdin' && stdin.isGiven
  const ended = await runInWorker(workers, { kind: 'run', program, memory, indexUrl: url }, context, async () =>
    hasInput ? ((await stdin.read()) ?? new Uint8Array()) : new Uint8Array(),
  )
  if (ended.kind === 'exit') return ended.code
  return fail(ended.kind === 'no-worker' ? ended.why : `Pyodide could not be loaded: ${ended.why}. ${advice}`, 126)
}

const advice =
  'It is the package pyodide (npm install pyodide@314.0.7). A page must serve its files and name their directory: python3({ indexUrl }).'

const missing = `Pyodide is not installed, or nobody said where its files are. ${advice}`

/** `undefined` if it is not installed, and in a page, where the host must name it. */
function installedUrl(): string | undefined {
  try {
    const file = installedFile('pyodide/package.json', import.meta.url)
    return file === undefined ? undefined : new URL('./', file).href
  } catch {
    return undefined
  }
}

/** With a slash at its end. */
function absoluteUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  const { location } = globalThis as { location?: { readonly href: string } }
  return new URL(url.endsWith('/') ? url : `${url}/`, location?.href).href
}

async function sourceOf(from: ProgramPlace, { stdin }: ShellCommandContext): Promise<ProgramSource> {
  if (from.kind === 'text') return { kind: 'text', text: from.text, name: '<string>', argument: '-c' }
  if (from.kind !== 'stdin') return from
  const text = stdin.isGiven ? new TextDecoder().decode(await readAll(stdin)) : ''
  return { kind: 'text', text, name: '<stdin>', argument: from.argument }
}
