// One call of `sqlite3`: its arguments, the files that it opens, and the files that it writes.

import { createPauser } from '../../../core/pause.ts'
import { BrokenPipeError, type ShellCommandContext, type ShellInput } from '../../../shell/commands.ts'
import { resolveFrom, type ShellFiles } from '../../../shell/files.ts'
import { EngineUnavailable, withDatabase, type ChangedFiles } from '../database.ts'
import type { Connection } from '../connection.ts'
import { sourceOf } from '../paged-file.ts'
import { modes } from './modes.ts'
import { help } from './help.ts'
import { Quit, Session } from './session.ts'

const usage = `Usage: sqlite3 [OPTIONS] [FILE [SQL]...]
-bail -batch -cmd COMMAND -header -noheader -newline SEP -nullvalue TEXT -readonly -separator SEP -version
${Object.keys(modes)
  .map(mode => `-${mode}`)
  .join(' ')}
`

interface Asked {
  file: string
  sql: string[]
  commands: string[]
  isReadOnly: boolean
  settings: ((session: Session) => void)[]
}

export async function run(context: ShellCommandContext): Promise<number> {
  const asked = readArguments(context.args)
  if ('answer' in asked) {
    await (asked.code === 0 ? context.stdout : context.stderr).write(asked.answer)
    return asked.code
  }
  try {
    return await runAsked(asked, context)
  } catch (error) {
    if (error instanceof BrokenPipeError || context.signal.aborted) throw error
    const reason =
      error instanceof EngineUnavailable
        ? `SQLite cannot run here: ${error.message}`
        : error instanceof Error
          ? error.message
          : error
    await context.stderr.write(`Error: ${String(reason)}\n`)
    return 1
  }
}

function readArguments(args: readonly string[]): Asked | { readonly answer: string; readonly code: number } {
  const asked: Asked = { file: '', sql: [], commands: [], isReadOnly: false, settings: [] }
  const operands: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const name = arg.replace(/^--?/, '')
    const next = (): string => args[++index] ?? ''
    if (!arg.startsWith('-') || arg === '-') operands.push(arg)
    else if (Object.hasOwn(modes, name)) asked.settings.push(session => session.chooseMode(name))
    else {
      switch (name) {
        case 'header':
        case 'noheader':
          asked.settings.push(session => (session.headers = name === 'header'))
          break
        case 'bail':
          asked.settings.push(session => (session.isBail = true))
          break
        case 'separator': {
          const separator = next()
          asked.settings.push(session => (session.columnSeparator = separator))
          break
        }
        case 'newline': {
          const separator = next()
          asked.settings.push(session => (session.rowSeparator = separator))
          break
        }
        case 'nullvalue': {
          const text = next()
          asked.settings.push(session => (session.nullValue = text))
          break
        }
        case 'cmd':
          asked.commands.push(next())
          break
        case 'readonly':
          asked.isReadOnly = true
          break
        case 'batch':
        case 'safe':
          break
        case 'version':
          return { answer: 'SQLite, as `select sqlite_version()` says\n', code: 0 }
        case 'help':
          return { answer: usage + help, code: 0 }
        default:
          return { answer: `sqlite3: Error: unknown option: ${arg}\nUse -help for a list of options.\n`, code: 1 }
      }
    }
  }
  const [file = '', ...sql] = operands
  return { ...asked, file, sql }
}

async function runAsked(asked: Asked, context: ShellCommandContext): Promise<number> {
  const { stdout, stderr, stdin, files, cwd, signal } = context
  const isInMemory = asked.file === '' || asked.file === ':memory:'
  const path = resolveFrom(cwd, asked.file)
  const found = isInMemory ? {} : await readDatabase(files, path, asked.file, asked.isReadOnly)
  const pauser = createPauser()
  const pause = async (): Promise<void> => {
    signal.throwIfAborted()
    await pauser()
  }
  // What was committed before the reader left is written.
  let brokenPipe: BrokenPipeError | undefined
  let isOpened = false
  const backups: (readonly [name: string, statements: string])[] = []
  const work = async (connection: Connection): Promise<number> => {
    const terminal = {
      print: async (text: string) => stdout.write(text),
      complain: async (text: string) => stderr.write(text),
      files,
      cwd,
      pause,
      onOpen: () => {
        isOpened = true
      },
      fileName: isInMemory ? ':memory:' : asked.file,
      backUp: (name: string, statements: string): unknown => backups.push([name, statements]),
    }
    const session = new Session(connection, terminal, isInMemory ? '""' : path)
    for (const set of asked.settings) set(session)
    try {
      for (const command of asked.commands) await session.runArgument(command)
      for (const text of asked.sql) {
        const code = await session.runArgument(text)
        if (code !== 0) return code
      }
      return asked.sql.length > 0 ? 0 : await session.runLines(linesOf(stdin))
    } catch (error) {
      if (error instanceof Quit) return error.exitCode
      if (!(error instanceof BrokenPipeError)) throw error
      brokenPipe = error
      return 141
    } finally {
      await session.finishOutput()
    }
  }
  const main = sourceOf(found.main ?? new Uint8Array())
  const { result, changed } = await withDatabase(
    {
      main,
      ...(found.wal === undefined ? {} : { wal: sourceOf(found.wal) }),
      ...(found.journal === undefined ? {} : { journal: sourceOf(found.journal) }),
    },
    signal,
    work,
    'program',
  )
  if (!isInMemory && isOpened) await writeDatabase(files, path, found, changed, asked)
  for (const [name, statements] of backups) {
    const empty = { main: sourceOf(new Uint8Array()) }
    const copied = await withDatabase(empty, signal, async copy => copy.execute(statements), 'program')
    await files.writeFile(resolveFrom(cwd, name), copied.changed.main ?? new Uint8Array())
  }
  if (brokenPipe !== undefined) throw brokenPipe
  return result
}

interface Found {
  readonly main?: Uint8Array
  readonly wal?: Uint8Array
  readonly journal?: Uint8Array
}

const suffixes = { main: '', wal: '-wal', journal: '-journal' } as const

async function readDatabase(files: ShellFiles, path: string, shown: string, isReadOnly: boolean): Promise<Found> {
  const found: { main?: Uint8Array; wal?: Uint8Array; journal?: Uint8Array } = {}
  for (const role of ['main', 'wal', 'journal'] as const)
    if (await files.exists(path + suffixes[role])) found[role] = await files.readFile(path + suffixes[role])
  const mayBeMade = !isReadOnly && (await files.exists(path.slice(0, path.lastIndexOf('/')) || '/'))
  if (found.main === undefined && !mayBeMade) throw new Error(`unable to open database "${shown}": unable to open database file`)
  return found
}

async function writeDatabase(files: ShellFiles, path: string, found: Found, changed: ChangedFiles, asked: Asked): Promise<void> {
  if (asked.isReadOnly && Object.keys(changed).length > 0) throw new Error('attempt to write a readonly database')
  for (const role of ['main', 'wal', 'journal'] as const) {
    const bytes = changed[role]
    // A file that was missing when it was opened was created by another writer since.
    if (bytes !== undefined)
      await files.writeFile(path + suffixes[role], bytes, found[role] === undefined ? { create: 'exclusive' } : {})
    else if (role === 'main' && found.main === undefined) await files.writeFile(path, new Uint8Array(), { create: 'exclusive' })
  }
}

async function* linesOf(input: ShellInput): AsyncGenerator<string> {
  if (!input.isGiven) return
  const decoder = new TextDecoder()
  let rest = ''
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
