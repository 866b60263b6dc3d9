// The input of the sqlite3 program: statements, and commands that begin with a dot.

import { resolveFrom, type ShellFiles } from '../../../shell/files.ts'
import { SqlError, type Connection } from '../connection.ts'
import { dump, names, schema } from './catalog.ts'
import { parseCsv } from './csv.ts'
import { copyStatements, countOfChanges, fullSchema, shownSettings } from './report-commands.ts'
import { isOn, wordsOf } from './dot-words.ts'
import { help } from './help.ts'
import { identifier, modes, planPrinter, separatorsOf, showsHeaders, type Cell, type Printer } from './modes.ts'

export interface Terminal {
  readonly print: (text: string) => Promise<void>
  readonly complain: (text: string) => Promise<void>
  readonly files: ShellFiles
  readonly cwd: string
  /** Awaited between rows; throws if the script was ended. */
  readonly pause: () => Promise<void>
  /** The database is needed: creates a missing file. */
  readonly onOpen: () => void
  /** As it was given. */
  readonly fileName: string
  /** Makes the file `name` a database of these statements, once the script has ended. */
  readonly backUp: (name: string, statements: string) => void
}

/** The user asked for the end. */
export class Quit extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super('quit')
    this.exitCode = exitCode
  }
}

const maxReadDepth = 16

/** The file that takes what is printed. */
interface OutputFile {
  readonly name: string
  /** It is for one statement or command only. */
  readonly isOnce: boolean
  readonly parts: string[]
}

export class Session {
  mode = 'list'
  headers: boolean | undefined
  columnSeparator: string | undefined
  rowSeparator: string | undefined
  nullValue = ''
  isBail = false
  private isEchoed = false
  private showsChanges = false
  private showsTime = false
  private tableName = 'table'
  private readDepth = 0
  private output: OutputFile | undefined
  private readonly unopened: Connection
  private readonly terminal: Terminal
  private readonly shownName: string

  constructor(connection: Connection, terminal: Terminal, shownName: string) {
    this.unopened = connection
    this.terminal = terminal
    this.shownName = shownName
  }

  private get connection(): Connection {
    this.terminal.onOpen()
    return this.unopened
  }

  /** An argument: statements, or one command. Returns the exit code. */
  async runArgument(text: string): Promise<number> {
    if (text.startsWith('.')) return this.command(text, 'Error: ')
    return this.endOnce(
      this.statements(text, (kind, message) => `Error: ${kind === 'parse' ? 'in prepare' : 'stepping'}, ${message}`),
    )
  }

  /** Writes the file of `.output`, if there is one. */
  async finishOutput(): Promise<void> {
    const { output } = this
    this.output = undefined
    if (output === undefined) return
    const path = resolveFrom(this.terminal.cwd, output.name)
    await this.terminal.files.writeFile(path, new TextEncoder().encode(output.parts.join('')))
  }

  private async endOnce(ran: Promise<number>): Promise<number> {
    const { output } = this
    const code = await ran
    if (output !== undefined && output === this.output && output.isOnce) await this.finishOutput()
    return code
  }

  private readonly print = async (text: string): Promise<void> => {
    if (this.output === undefined) await this.terminal.print(text)
    else this.output.parts.push(text)
  }

  private async printInto(name: string | undefined, isOnce: boolean): Promise<number> {
    await this.finishOutput()
    if (name === undefined || name === 'stdout') return 0
    if (name.startsWith('|') || name.startsWith('-')) throw new Error(`"${name}" is not available here; name a file`)
    this.output = { name, isOnce, parts: [] }
    return 0
  }

  /** The lines of a script. Continues after an error, unless that ends it. */
  async runLines(lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
    let [pending, firstLine, lineNumber, code] = ['', 0, 0, 0]
    const runPending = async (): Promise<boolean> => {
      const text = pending
      pending = ''
      if (this.isEchoed) await this.print(text)
      const startMs = performance.now()
      const failed = await this.endOnce(
        this.statements(
          text,
          (kind, message) => `${kind === 'parse' ? 'Parse' : 'Runtime'} error near line ${firstLine}: ${message}`,
        ),
      )
      if (failed !== 0) code = 1
      else if (this.showsChanges) await this.print(await countOfChanges(this.connection))
      const seconds = ((performance.now() - startMs) / 1000).toFixed(6)
      if (this.showsTime) await this.print(`Run Time: real ${seconds.slice(0, -3)} user ${seconds} sys 0.000000\n`)
      return failed !== 0 && this.isBail
    }
    for await (const line of lines) {
      lineNumber += 1
      if (pending === '') {
        if (line.trim() === '' || line.startsWith('#')) continue
        if (line.startsWith('.')) {
          if (this.isEchoed) await this.print(`${line}\n`)
          if ((await this.command(line, '')) !== 0) code = 1
          if (code !== 0 && this.isBail) return code
          continue
        }
        firstLine = lineNumber
      }
      pending += `${line}\n`
      if (line.trimEnd().endsWith(';') && this.unopened.isComplete(pending) && (await runPending())) return code
    }
    if (pending.trim() !== '') await runPending()
    return code
  }

  private async statements(text: string, shown: (kind: 'parse' | 'run', message: string) => string): Promise<number> {
    const script = new TextEncoder().encode(text)
    let isStepping = false
    try {
      for (let at = 0; at < script.length;) {
        isStepping = false
        let printer: Printer | undefined
        at = await this.connection.runNext(script, at, {
          pause: this.terminal.pause,
          onColumns: (columns, isPlan) => {
            isStepping = true
            printer = isPlan ? planPrinter() : this.printer(columns)
          },
          onRow: async cells => {
            const text = printer?.row(cells.map(shownCell)) ?? ''
            if (text !== '') await this.print(text)
          },
        })
        const end = (printer as Printer | undefined)?.end() ?? ''
        if (end !== '') await this.print(end)
      }
      return 0
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      const code = error.primaryCode
      const message = error.isInterrupted ? 'interrupted: the statement took too long' : error.message
      await this.terminal.complain(`${shown(isStepping ? 'run' : 'parse', message)}${code > 1 ? ` (${code})` : ''}\n`)
      return code
    }
  }

  private printer(columns: readonly string[]): Printer {
    const [column, row] = separatorsOf(this.mode)
    const mode = modes[this.mode]
    if (mode === undefined) throw new Error(`unreachable: there is no mode ${this.mode}`)
    return mode(columns, {
      hasHeaders: this.headers ?? showsHeaders(this.mode),
      columnSeparator: this.columnSeparator ?? column,
      rowSeparator: this.rowSeparator ?? row,
      nullValue: this.nullValue,
      tableName: this.tableName,
    })
  }

  private shown(): string {
    const [column, row] = separatorsOf(this.mode)
    return shownSettings({
      isEchoed: this.isEchoed,
      hasHeaders: this.headers ?? this.mode === 'column',
      mode: this.mode,
      nullValue: this.nullValue,
      outputName: this.output?.name ?? 'stdout',
      separators: [this.columnSeparator ?? column, this.rowSeparator ?? row],
      fileName: this.terminal.fileName,
    })
  }

  /** Chosen by an option, which also decides whether column names are shown. */
  chooseMode(name: string): void {
    this.mode = name
    if (name === 'column') this.headers ??= false
  }

  /** False if there is none with this name. */
  private setMode(name: string, tableName = 'table'): boolean {
    const found = Object.keys(modes).find(mode => mode === name) ?? (name === 'columns' ? 'column' : undefined)
    if (found === undefined) return false
    this.mode = found
    this.tableName = tableName
    // The modes that use none leave the separators as they are.
    if (/^(?:box|table|markdown|json|html)$/.test(found)) return true
    this.columnSeparator = undefined
    this.rowSeparator = found === 'csv' ? '\r\n' : undefined
    return true
  }

  private command(line: string, prefix: string): Promise<number> {
    const [name = '', ...args] = wordsOf(line.slice(1))
    return this.endOnce(this.named(name, args, prefix))
  }

  private async named(name: string, args: readonly string[], prefix: string): Promise<number> {
    const [first, second] = args
    const { print } = this
    const fail = async (message: string): Promise<number> => {
      await this.terminal.complain(`${prefix === '' ? 'Error: ' : prefix}${message}\n`)
      return 1
    }
    const usage = (text: string): Promise<number> => fail(`usage: ${text}`)
    try {
      switch (name) {
        case 'tables':
          await print(await names(this.connection, ['table', 'view'], first))
          return 0
        case 'indexes':
        case 'indices':
          await print(await names(this.connection, ['index'], first))
          return 0
        case 'schema':
          if (first?.startsWith('-') === true) return await usage('.schema ?PATTERN?')
          await print(await schema(this.connection, first))
          return 0
        case 'dump':
          await dump(this.connection, first, print)
          return 0
        case 'fullschema':
          await fullSchema(this.connection, print)
          return 0
        case 'show':
          await print(this.shown())
          return 0
        case 'echo':
        case 'changes':
        case 'timer':
          if (first === undefined || second !== undefined) return await usage(`.${name} on|off`)
          if (name === 'echo') this.isEchoed = isOn(first)
          else if (name === 'changes') this.showsChanges = isOn(first)
          else this.showsTime = isOn(first)
          return 0
        case 'backup':
        case 'save': {
          const file = first === 'main' ? second : first
          if (file === undefined || file.startsWith('-') || args.length > (first === 'main' ? 2 : 1))
            return await usage(`.${name} ?main? FILE`)
          this.terminal.backUp(file, await copyStatements(this.connection))
          return 0
        }
        case 'databases':
          await print(`main: ${this.shownName} r/w\n`)
          return 0
        case 'mode':
          if (second?.startsWith('-') === true) return await usage('.mode MODE ?TABLE?')
          if (first === undefined || !this.setMode(first, second))
            return await fail(`mode should be one of: ${Object.keys(modes).join(' ')}`)
          return 0
        case 'header':
        case 'headers':
          if (first === undefined) return await usage('.headers on|off')
          this.headers = isOn(first)
          return 0
        case 'bail':
          if (first === undefined) return await usage('.bail on|off')
          this.isBail = isOn(first)
          return 0
        case 'separator':
          if (first === undefined) return await usage('.separator COLUMN ?ROW?')
          this.columnSeparator = first
          if (second !== undefined) this.rowSeparator = second
          return 0
        case 'nullvalue':
          this.nullValue = first ?? ''
          return 0
        case 'print':
          await print(`${args.join(' ')}\n`)
          return 0
        case 'read':
          return first === undefined ? await usage('.read FILE') : await this.read(first)
        case 'output':
        case 'once':
          return await this.printInto(first, name === 'once')
        case 'import':
          return await this.import(args)
        case 'quit':
          throw new Quit(0)
        case 'exit':
          throw new Quit(Number(first ?? 0))
        case 'help':
          await print(help)
          return 0
        case 'timeout':
          // No other program has a lock on these files.
          return 0
        default:
          return await fail(`unknown command or invalid arguments:  "${name}". Enter ".help" for help`)
      }
    } catch (error) {
      if (error instanceof Quit || (error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
      if (error instanceof SqlError || error instanceof Error) return fail(error.message)
      throw error
    }
  }

  private async read(name: string): Promise<number> {
    if (this.readDepth >= maxReadDepth) throw new Error(`more than ${maxReadDepth} files read each other`)
    this.readDepth += 1
    try {
      return await this.runLines((await this.textOf(name)).replace(/\n$/, '').split('\n'))
    } finally {
      this.readDepth -= 1
    }
  }

  private async textOf(name: string): Promise<string> {
    try {
      return new TextDecoder().decode(await this.terminal.files.readFile(resolveFrom(this.terminal.cwd, name)))
    } catch {
      throw new Error(`cannot open "${name}"`)
    }
  }

  private async import(args: readonly string[]): Promise<number> {
    let skipped = 0
    let isCsv = this.mode === 'csv'
    const operands: string[] = []
    for (let index = 0; index < args.length; index++) {
      const arg = args[index] ?? ''
      if (arg === '--csv' || arg === '-csv') isCsv = true
      else if (arg === '--skip' || arg === '-skip') skipped = Number(args[++index] ?? 0)
      else if (arg.startsWith('-')) throw new Error(`unknown option: "${arg}"`)
      else operands.push(arg)
    }
    this.terminal.onOpen()
    if (this.rowSeparator === '\r\n') this.rowSeparator = '\n'
    const [file, table] = operands
    if (file === undefined || table === undefined) throw new Error('usage: .import [--csv] [--skip N] FILE TABLE')
    const separator = this.columnSeparator ?? (isCsv ? ',' : separatorsOf(this.mode)[0])
    const records = parseCsv(await this.textOf(file), separator).slice(skipped)
    const existing = await this.connection.query('SELECT name FROM pragma_table_info(?)', { parameters: [table] })
    let width = existing.rows.length
    this.connection.execute('SAVEPOINT import')
    try {
      if (width === 0) {
        const columns = records.shift() ?? []
        if (columns.length === 0) throw new Error(`${file}: empty file`)
        const list = columns.map(column => `"${column.replaceAll('"', '""')}" TEXT`).join(', ')
        this.connection.execute(`CREATE TABLE "${table.replaceAll('"', '""')}"(\n${list})`)
        width = columns.length
      }
      const sql = `INSERT INTO ${identifier(table)} VALUES(${Array.from({ length: width }, () => '?').join(',')})`
      for (const [index, record] of records.entries()) {
        const place = `${file}:${index + 1 + skipped + (existing.rows.length === 0 ? 1 : 0)}`
        if (record.length < width)
          await this.terminal.complain(
            `${place}: expected ${width} columns but found ${record.length} - filling the rest with NULL\n`,
          )
        if (record.length > width)
          await this.terminal.complain(`${place}: expected ${width} columns but found ${record.length} - extras ignored\n`)
        const values = Array.from({ length: width }, (_, column) => record[column] ?? null)
        try {
          await this.connection.query(sql, { parameters: values, pause: this.terminal.pause })
        } catch (error) {
          if (!(error instanceof SqlError)) throw error
          await this.terminal.complain(`${place}: INSERT failed: ${error.message}\n`)
        }
        await this.terminal.pause()
      }
    } finally {
      this.connection.execute('RELEASE import')
    }
    return 0
  }
}

/** As the program shows it: a text ends before a null character. */
function shownCell(cell: Cell): Cell {
  const { value, text } = cell
  if (!text.includes('\0')) return cell
  const shown = text.slice(0, text.indexOf('\0'))
  return { value: typeof value === 'string' ? shown : value, text: shown }
}
