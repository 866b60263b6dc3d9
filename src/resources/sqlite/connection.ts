// One open database: statements, values and time limits. SQLite itself determines what a statement would do; no text is searched for words.

import type { CApi, Engine, Pointer } from './capi.ts'
import { type EngineFiles, type FileTable, vfsName } from './file-system.ts'

/** The value of a column. An integer is a `number` only if that represents it exactly. */
export type SqlValue = null | number | bigint | string | Uint8Array

export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  /** There were more rows than the limit. */
  readonly hasMore: boolean
}

/** An error of SQLite, or a statement that was ended because it took too long. */
export class SqlError extends Error {
  readonly code: number
  readonly isInterrupted: boolean

  constructor(message: string, code: number, isInterrupted = false) {
    super(message)
    this.code = code
    this.isInterrupted = isInterrupted
  }

  /** Without the position that SQLite adds. */
  get primaryCode(): number {
    return this.code & 0xff
  }
}

/** How long a statement may run without a pause, and in total. */
const stepMaxMs = 1_500
const statementMaxMs = 10_000
/** What `sqlite3_stmt_isexplain` says of EXPLAIN QUERY PLAN. */
const planKind = 2
const operationsBetweenLooks = 10_000
/** Limits for a text or blob, and for a statement, in bytes. */
const valueMaxBytes = 64 * 1024 * 1024
const heapMaxBytes = 192 * 1024 * 1024

export interface QueryOptions {
  readonly parameters?: readonly SqlValue[]
  readonly maxRows?: number
  /** Awaited between rows: lets other work run, and throws if the call was aborted. */
  readonly pause?: () => Promise<void>
  /** The statement comes from outside: it must be one SELECT, and may do nothing but read tables. */
  readonly isForeign?: boolean
}

/** `document`: a file from outside is read, or changed by our own statements. `program`: a user's statements, as the program runs them. */
export type ConnectionUse = 'document' | 'program'

export interface ScriptOptions {
  /** Called once, before the first row. */
  readonly onColumns?: (columns: readonly string[], isPlan: boolean) => void
  readonly onRow: (cells: readonly { readonly value: SqlValue; readonly text: string }[]) => Promise<void>
  readonly pause?: () => Promise<void>
}

export class Connection {
  readonly #capi: CApi
  readonly #wasm: Engine['wasm']
  readonly #files: EngineFiles
  readonly #database: Pointer
  readonly #id: string
  #deadlineMs = Infinity
  #stepDeadlineMs = Infinity

  /** Opens `db` of `table`. Throws {@link SqlError}. */
  constructor(engine: Engine, files: EngineFiles, id: string, table: FileTable, use: ConnectionUse = 'document') {
    this.#capi = engine.capi
    this.#wasm = engine.wasm
    this.#files = files
    this.#id = id
    files.mount(id, table)
    const out = this.#wasm.alloc(8)
    const code = this.#capi.sqlite3_open_v2(`/${id}/db`, out, this.#capi.SQLITE_OPEN_READWRITE, vfsName)
    this.#database = this.#wasm.peekPtr(out)
    this.#wasm.dealloc(out)
    try {
      this.#check(code)
      this.#capi.sqlite3_limit(this.#database, this.#capi.SQLITE_LIMIT_LENGTH, valueMaxBytes)
      this.#capi.sqlite3_limit(this.#database, this.#capi.SQLITE_LIMIT_ATTACHED, 0)
      // The views, triggers and defaults of a file from outside must not call functions.
      this.#capi.sqlite3_db_config(this.#database, this.#capi.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, 0)
      const isDocument = use === 'document' ? 1 : 0
      this.#capi.sqlite3_db_config(this.#database, this.#capi.SQLITE_DBCONFIG_DEFENSIVE, isDocument, 0)
      this.#capi.sqlite3_db_config(this.#database, this.#capi.SQLITE_DBCONFIG_ENABLE_FKEY, isDocument, 0)
      this.#capi.sqlite3_progress_handler(this.#database, operationsBetweenLooks, () => this.#isOverdue(), 0)
      // An exclusive connection needs no shared memory, which a write-ahead log would need otherwise.
      this.execute(
        `PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON; PRAGMA hard_heap_limit=${heapMaxBytes}`,
      )
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Runs statements of our own. */
  execute(sql: string): void {
    this.#startClock()
    this.#check(this.#capi.sqlite3_exec(this.#database, sql, 0, 0, 0))
  }

  /** The rows of one statement. Throws {@link SqlError}. */
  async query(sql: string, options: QueryOptions = {}): Promise<Rows> {
    const { parameters = [], maxRows = Infinity, pause, isForeign = false } = options
    if (isForeign) this.#capi.sqlite3_set_authorizer(this.#database, readsOnly(this.#capi), 0)
    let statement: Pointer = 0
    try {
      this.#startClock()
      statement = this.#prepare(sql, isForeign)
      for (const [index, value] of parameters.entries()) this.#bind(statement, index + 1, value)
      const columns = distinct(this.#eachColumn(statement, column => this.#capi.sqlite3_column_name(statement, column)))
      const rows: SqlValue[][] = []
      for (;;) {
        this.#stepDeadlineMs = performance.now() + stepMaxMs
        const code = this.#capi.sqlite3_step(statement)
        if (code === this.#capi.SQLITE_DONE) return { columns, rows, hasMore: false }
        if (code !== this.#capi.SQLITE_ROW) this.#check(code)
        if (rows.length >= maxRows) return { columns, rows, hasMore: true }
        rows.push(this.#eachColumn(statement, column => this.#value(statement, column)))
        if (pause !== undefined) await this.#outside(pause)
      }
    } finally {
      this.#capi.sqlite3_finalize(statement)
      if (isForeign) this.#capi.sqlite3_set_authorizer(this.#database, 0, 0)
    }
  }

  /** Whether `sql` ends with a whole statement. */
  isComplete(sql: string): boolean {
    return this.#capi.sqlite3_complete(sql) !== 0
  }

  /** Runs the first statement of `script` from the byte `start`, and returns where it ends. Throws {@link SqlError}. */
  async runNext(script: Uint8Array, start: number, { onColumns, onRow, pause }: ScriptOptions): Promise<number> {
    this.#startClock()
    const { statement, end } = this.#prepareBytes(script.subarray(start))
    // Blanks, a comment or a semicolon.
    if (statement === 0) return end === 0 ? script.length : start + end
    try {
      const columns = this.#eachColumn(statement, column => this.#capi.sqlite3_column_name(statement, column))
      onColumns?.(columns, this.#capi.sqlite3_stmt_isexplain(statement) === planKind)
      for (;;) {
        this.#stepDeadlineMs = performance.now() + stepMaxMs
        const code = this.#capi.sqlite3_step(statement)
        if (code === this.#capi.SQLITE_DONE) return start + end
        if (code !== this.#capi.SQLITE_ROW) this.#check(code)
        const cells = this.#eachColumn(statement, column => {
          const value = this.#value(statement, column)
          return { value, text: this.#capi.sqlite3_column_text(statement, column) ?? '' }
        })
        await this.#outside(async () => {
          await onRow(cells)
          await pause?.()
        })
      }
    } finally {
      this.#capi.sqlite3_finalize(statement)
    }
  }

  /** May be called twice. */
  close(): void {
    this.#startClock()
    if (this.#database !== 0) this.#capi.sqlite3_close_v2(this.#database)
    this.#files.unmount(this.#id)
  }

  /** Work between two steps, such as waiting for a reader, whose time does not count. */
  async #outside(work: () => Promise<unknown>): Promise<void> {
    const beginMs = performance.now()
    if (beginMs > this.#deadlineMs) throw new SqlError('interrupted', this.#capi.SQLITE_INTERRUPT, true)
    await work()
    this.#deadlineMs += performance.now() - beginMs
  }

  #startClock(): void {
    this.#deadlineMs = performance.now() + statementMaxMs
    this.#stepDeadlineMs = performance.now() + stepMaxMs
  }

  #isOverdue(): number {
    const nowMs = performance.now()
    return nowMs > this.#deadlineMs || nowMs > this.#stepDeadlineMs ? 1 : 0
  }

  #check(code: number): void {
    if (code === this.#capi.SQLITE_OK) return
    const message = this.#database === 0 ? 'out of memory' : this.#capi.sqlite3_errmsg(this.#database)
    const extended = this.#database === 0 ? code : this.#capi.sqlite3_extended_errcode(this.#database)
    throw new SqlError(message, extended === 0 ? code : extended, (code & 0xff) === this.#capi.SQLITE_INTERRUPT)
  }

  #prepare(sql: string, isForeign: boolean): Pointer {
    const text = new TextEncoder().encode(sql)
    const { statement, end } = this.#prepareBytes(text)
    if (isForeign) this.#refuseMoreThanOneSelect(statement, text, end)
    return statement
  }

  /** The first statement of a text, and the position of its last byte plus one. */
  #prepareBytes(text: Uint8Array): { readonly statement: Pointer; readonly end: number } {
    const memory = this.#wasm.alloc(text.length + 17)
    try {
      const [source, out, tail] = [memory + 16, memory, memory + 8]
      const heap = this.#wasm.heap8u()
      heap.set(text, source)
      heap[source + text.length] = 0
      this.#check(this.#capi.sqlite3_prepare_v3(this.#database, source, text.length, 0, out, tail))
      return { statement: this.#wasm.peekPtr(out), end: this.#wasm.peekPtr(tail) - source }
    } finally {
      this.#wasm.dealloc(memory)
    }
  }

  /** SQLite's own parser finds the end and the kind of the statement. */
  #refuseMoreThanOneSelect(statement: Pointer, sql: Uint8Array, end: number): void {
    const refuse = (message: string): never => {
      this.#capi.sqlite3_finalize(statement)
      throw new SqlError(message, this.#capi.SQLITE_AUTH)
    }
    if (statement === 0) refuse('the query is empty')
    const rest = new TextDecoder().decode(sql.subarray(end))
    if (/[^\s;]/.test(rest.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ''))) refuse('the query contains more than one statement')
    const isSelect =
      this.#capi.sqlite3_stmt_readonly(statement) !== 0 &&
      this.#capi.sqlite3_stmt_isexplain(statement) === 0 &&
      this.#capi.sqlite3_column_count(statement) > 0
    if (!isSelect) refuse('the query is not a SELECT')
    if (this.#capi.sqlite3_bind_parameter_count(statement) > 0)
      refuse('the query has parameters, for which no values can be given')
  }

  #eachColumn<T>(statement: Pointer, read: (column: number) => T): T[] {
    return Array.from({ length: this.#capi.sqlite3_column_count(statement) }, (_, column) => read(column))
  }

  #value(statement: Pointer, column: number): SqlValue {
    switch (this.#capi.sqlite3_column_type(statement, column)) {
      case this.#capi.SQLITE_INTEGER: {
        const value = this.#capi.sqlite3_column_int64(statement, column)
        return Number.isSafeInteger(Number(value)) ? Number(value) : value
      }
      case this.#capi.SQLITE_FLOAT:
        return this.#capi.sqlite3_column_double(statement, column)
      case this.#capi.SQLITE_TEXT:
        return new TextDecoder().decode(this.#bytes(statement, column))
      case this.#capi.SQLITE_BLOB:
        return this.#bytes(statement, column)
      default:
        return null
    }
  }

  #bytes(statement: Pointer, column: number): Uint8Array {
    const at = this.#capi.sqlite3_column_blob(statement, column)
    const length = this.#capi.sqlite3_column_bytes(statement, column)
    return at === 0 ? new Uint8Array() : this.#wasm.heap8u().slice(at, at + length)
  }

  #bind(statement: Pointer, index: number, value: SqlValue): void {
    // The engine's wrapper returns nothing for this one.
    if (value === null) this.#capi.sqlite3_bind_null(statement, index)
    else if (typeof value === 'bigint') this.#check(this.#capi.sqlite3_bind_int64(statement, index, value))
    else if (typeof value === 'number') {
      // JSON has one kind of number: an integral one is meant as an integer.
      if (Number.isSafeInteger(value)) this.#check(this.#capi.sqlite3_bind_int64(statement, index, BigInt(value)))
      else this.#check(this.#capi.sqlite3_bind_double(statement, index, value))
    } else if (typeof value === 'string') {
      const text = new TextEncoder().encode(value)
      const memory = this.#wasm.alloc(text.length + 1)
      this.#wasm.heap8u().set(text, memory)
      const code = this.#capi.sqlite3_bind_text(statement, index, memory, text.length, this.#capi.SQLITE_TRANSIENT)
      this.#wasm.dealloc(memory)
      this.#check(code)
    } else throw new Error('blobs are never bound')
  }
}

/** Allows reading tables and calling functions; refuses SQLite's own tables, and everything that changes or opens something. */
function readsOnly(capi: CApi): NonNullable<Exclude<Parameters<CApi['sqlite3_set_authorizer']>[1], 0>> {
  return (_context, action, first, second) => {
    const isAllowed =
      action === capi.SQLITE_SELECT ||
      action === capi.SQLITE_RECURSIVE ||
      (action === capi.SQLITE_FUNCTION && !/^(?:load_extension|fts3_tokenizer)$/i.test(String(second))) ||
      (action === capi.SQLITE_READ && !/^(?:sqlite_|pragma_)/i.test(String(first))) ||
      // Full-text search does this itself to see whether its table has changed.
      (action === capi.SQLITE_PRAGMA && first === 'data_version')
    return isAllowed ? capi.SQLITE_OK : capi.SQLITE_DENY
  }
}

/** Columns of a join may have the same name; as keys of one object the last one would hide the others. */
function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.map(name => {
    let unique = name
    for (let count = 1; seen.has(unique); count++) unique = `${name}:${count}`
    seen.add(unique)
    return unique
  })
}
