// Runs one program in an engine: gives it its modules and what it asks of the host, and runs its promises and timers to their end.

import type { JSValueHandle, QuickJS } from 'quickjs-wasi'

import { resolveFrom } from '../../shell/files.ts'
import type { Channel, FromProgramWorker } from '../../shell/program-calls.ts'
import type { CallReply, WaitedCalls } from '../../shell/waited-calls.ts'
import { startup } from './builtins/startup.ts'
import { builtinModules, builtinNames, missingModules } from './builtins/table.ts'
import type { StartEngine } from './engine.ts'
import type { Program } from './protocol.ts'
import {
  fileOrDirectory,
  isInModulePackage,
  ModuleNotFound,
  resolveModule,
  type ModuleFiles,
  type ModuleRequest,
} from './resolve-module.ts'

const memoryLimitBytes = 256 * 1024 * 1024
/** Half of the engine's own, which leaves enough for the error. */
const stackBytes = 512 * 1024
/** The program waits for its reader when this much of its output is under way. */
const maxOutputBytes = 64 * 1024

const moduleFlag = 1
const compileOnlyFlag = 32

/** Parts of the startup text that the host calls. */
interface Entries {
  readonly run: JSValueHandle
  readonly turn: JSValueHandle
  readonly reject: JSValueHandle
  readonly fail: JSValueHandle
}

export async function runProgram(
  program: Program,
  startEngine: StartEngine,
  calls: WaitedCalls,
  send: (message: FromProgramWorker) => void,
): Promise<number> {
  let exitCode: number | undefined
  let underWayBytes = 0
  const rejected = new Map<number, JSValueHandle>()
  const ask = (verb: string, args: readonly unknown[]): CallReply => calls.call(() => send({ kind: 'call', verb, args }))
  const print = (channel: Channel, bytes: Uint8Array): void => {
    underWayBytes += bytes.length
    send({ kind: 'output', channel, bytes })
    if (underWayBytes < maxOutputBytes) return
    ask('flush', [])
    underWayBytes = 0
  }
  const files = moduleFiles(ask)
  // The engine looks for the imports of a module whose syntax is checked.
  const loading = { isChecking: false }
  const engine = await startEngine({
    memoryLimit: memoryLimitBytes,
    maxStackSize: stackBytes,
    interruptHandler: () => exitCode !== undefined,
    onUnhandledRejection: (promise, reason, isHandled) => {
      rejected.get(promise.identity)?.dispose()
      if (isHandled) rejected.delete(promise.identity)
      else rejected.set(promise.identity, reason.dup())
    },
    moduleLoader: {
      normalize: (from, specifier) =>
        loading.isChecking ? `check:${specifier}` : forProgram(() => normalize(files, specifier, resolveFrom(program.cwd, from))),
      load: path => (loading.isChecking ? '' : forProgram(() => moduleText(engine, files, path))),
    },
  })
  const entries = startPrelude(engine, program, {
    ask,
    print,
    files,
    loading,
    exit: code => {
      exitCode = code
    },
    sleep: milliseconds => calls.sleep(milliseconds),
  })
  const isOver = (): boolean => exitCode !== undefined
  const end = (error: unknown): void => {
    if (isOver()) return
    const code = failed(engine, entries, error, print)
    if (code >= 0) exitCode ??= code
  }
  /** Runs a part of the program; an error that nobody catches ends the program. */
  const step = (entry: JSValueHandle, ...args: JSValueHandle[]): JSValueHandle | undefined => {
    try {
      return engine.callFunction(entry, engine.undefined, ...args)
    } catch (error) {
      end(error)
      return undefined
    }
  }
  const settle = (): void => {
    for (let count = 1; count > 0 && !isOver();) {
      try {
        count = engine.executePendingJobs()
      } catch (error) {
        end(error)
      }
    }
    const [reason] = rejected.values()
    if (reason === undefined || isOver()) return
    rejected.clear()
    step(entries.reject, reason)
  }
  step(entries.run)
  settle()
  while (!isOver()) {
    // Runs the timers that are due, and returns the code of a program that has nothing more to do.
    const answer = step(entries.turn)
    settle()
    if (answer !== undefined && answer.isNumber && !isOver()) exitCode = answer.toNumber()
  }
  engine.dispose()
  return exitCode ?? 0
}

/** Reports an error that nobody caught. Returns the exit code, or -1 if the program goes on. */
function failed(
  engine: QuickJS,
  { fail }: Entries,
  error: unknown,
  print: (channel: Channel, bytes: Uint8Array) => void,
): number {
  try {
    const handle =
      (error as { readonly handle?: JSValueHandle }).handle ?? engine.newError(error instanceof Error ? error : String(error))
    return engine.callFunction(fail, engine.undefined, handle).toNumber()
  } catch {
    // Where the engine has no memory left, the error is shown without it.
    print('stderr', encoder.encode(`Uncaught ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`))
    return 1
  }
}

interface Surroundings {
  readonly ask: (verb: string, args: readonly unknown[]) => CallReply
  readonly print: (channel: Channel, bytes: Uint8Array) => void
  readonly files: ModuleFiles
  readonly loading: { isChecking: boolean }
  readonly exit: (code: number) => void
  readonly sleep: (milliseconds: number) => void
}

function startPrelude(engine: QuickJS, program: Program, { ask, print, files, loading, exit, sleep }: Surroundings): Entries {
  const host = engine.newObject()
  const define = (name: string, body: (...args: JSValueHandle[]) => JSValueHandle): void => {
    host.setProp(
      name,
      engine.newFunction(name, (...args: JSValueHandle[]) => body(...args)),
    )
  }
  const text = (handle: JSValueHandle | undefined): string => handle?.toString() ?? ''
  const bytes = (handle: JSValueHandle | undefined): Uint8Array =>
    handle?.isArrayBuffer === true ? new Uint8Array(handle.toArrayBuffer()).slice() : new Uint8Array()
  define('ask', (verb, args, data) => {
    // The arguments were written by the modules of this folder.
    const given = (JSON.parse(text(args)) as readonly unknown[]).map(argument => argument ?? undefined)
    const reply = ask(text(verb), data?.isArrayBuffer === true ? [given[0], bytes(data), ...given.slice(1)] : given)
    return reply.kind === 'bytes' ? engine.newArrayBuffer(reply.bytes) : engine.newString(JSON.stringify(reply))
  })
  define('print', (channel, data) => {
    print(text(channel) === 'stdout' ? 'stdout' : 'stderr', bytes(data))
    return engine.undefined
  })
  define('exit', code => {
    exit(code?.toNumber() ?? 0)
    return engine.undefined
  })
  define('sleep', milliseconds => {
    sleep(milliseconds?.toNumber() ?? 0)
    return engine.undefined
  })
  define('encode', string => engine.newArrayBuffer(encoder.encode(text(string))))
  define('decode', data => engine.newString(decoder.decode(bytes(data))))
  define('builtin', name => {
    const code = Object.hasOwn(builtinModules, text(name)) ? builtinModules[text(name)] : undefined
    return code === undefined ? engine.undefined : engine.evalCode(code, internalName)
  })
  define('resolve', (specifier, from) => engine.newString(resolve(files, text(specifier), text(from), 'require')))
  define('main', path => {
    const found = fileOrDirectory(files, text(path))
    return found === undefined ? engine.undefined : engine.newString(found)
  })
  define('isModulePackage', path => (isInModulePackage(files, text(path)) ? engine.true : engine.false))
  define('compile', (code, name) => engine.evalCode(`${wrapper}${text(code)}\n})`, text(name)))
  define('evaluate', (code, name) => engine.evalCode(text(code), text(name)))
  define('checkModule', (code, name) => {
    loading.isChecking = true
    try {
      engine.evalCode(text(code), text(name), moduleFlag | compileOnlyFlag).dispose()
    } finally {
      loading.isChecking = false
    }
    return engine.undefined
  })
  define('runModule', (code, name) => engine.evalCode(withMeta(text(code), text(name)), text(name), moduleFlag))
  const { source, purpose, inputType, args, cwd, env } = program
  const settings = engine.newString(
    JSON.stringify({ source, purpose, inputType, args, cwd, env, builtinNames, wrapperLength: wrapper.length }),
  )
  const entries = engine.callFunction(engine.evalCode(startup, internalName), engine.undefined, host, settings)
  return {
    run: entries.getProp('run'),
    turn: entries.getProp('turn'),
    reject: entries.getProp('reject'),
    fail: entries.getProp('fail'),
  }
}

/** Around a CommonJS module. It is on the first line of the text, so that lines keep their numbers; columns of that line are corrected. */
const wrapper = '(function (exports, require, module, __filename, __dirname) {'

/** Frames of it are left out of stacks. */
const internalName = 'node:internal'

/** An error of the host goes on in the program, where its stack has no meaning. */
function forProgram<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ModuleNotFound) error.stack = ''
    throw error
  }
}

function normalize(files: ModuleFiles, specifier: string, from: string): string {
  const name = specifier.replace(/^node:/, '')
  return builtinNames.includes(name) ? `node:${name}` : resolve(files, specifier, from, 'import')
}

function resolve(files: ModuleFiles, specifier: string, from: string, request: ModuleRequest): string {
  const name = specifier.replace(/^node:/, '')
  const isMissing = missingModules.has(name) || name !== specifier
  try {
    if (name === specifier) return resolveModule(files, specifier, from, request)
  } catch (error) {
    if (!(error instanceof ModuleNotFound && isMissing)) throw error
  }
  throw new ModuleNotFound(
    `Cannot find module '${specifier}': this is QuickJS, not Node. Available are ${builtinNames.join(', ')}.`,
  )
}

/** The text of a module that is imported. Modules of other kinds are wrapped. */
function moduleText(engine: QuickJS, files: ModuleFiles, path: string): string {
  const required = `globalThis[Symbol.for('anchorage.require')](${JSON.stringify(path)})`
  if (path.startsWith('node:')) {
    const names = engine.evalCode(`Object.keys(${required}).join()`, internalName).toString()
    const exported = names.split(',').filter(name => name !== 'default' && name !== '')
    return `const found = ${required}; export default found; export const { ${exported.join(', ')} } = found`
  }
  if (path.endsWith('.json')) return `export default ${required}`
  const text = withoutHashbang(files.readText(path))
  const isModule =
    path.endsWith('.mjs') || (!path.endsWith('.cjs') && (isInModulePackage(files, path) || !isCommonJs(engine, text)))
  return isModule ? withMeta(text, path) : `export default ${required}`
}

/** Whether the text compiles as the body of a CommonJS module. */
function isCommonJs(engine: QuickJS, text: string): boolean {
  try {
    engine.compile(`${wrapper}${text}\n})`, internalName)
    return true
  } catch {
    return false
  }
}

function withoutHashbang(text: string): string {
  return text.startsWith('#!') ? `//${text}` : text
}

/** `import.meta` belongs to the module, so only its own text can fill it. Lines keep their numbers. */
function withMeta(text: string, path: string): string {
  if (!text.includes('import.meta')) return text
  const meta = {
    url: `file://${path.split('/').map(encodeURIComponent).join('/')}`,
    filename: path,
    dirname: path.slice(0, path.lastIndexOf('/')) || '/',
  }
  return `Object.assign(import.meta, ${JSON.stringify(meta)});${text}`
}

function moduleFiles(ask: (verb: string, args: readonly unknown[]) => CallReply): ModuleFiles {
  return {
    kindOf: path => {
      const reply = ask('stat', [path])
      const kind = reply.kind === 'value' ? (reply.value as { readonly kind?: unknown }).kind : undefined
      return kind === 'file' || kind === 'directory' ? kind : undefined
    },
    readText: path => {
      const reply = ask('readFile', [path])
      if (reply.kind === 'bytes') return decoder.decode(reply.bytes).replace(/^\ufeff/, '')
      throw new Error(reply.kind === 'failure' ? reply.message : `${path} could not be read`)
    },
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
