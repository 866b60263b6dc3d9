// The part of SQLite's C interface that is used here, as the WebAssembly build provides it. Declared here instead of imported, because
// users of this package would otherwise have to install the vendor's types.

/** An address in the engine's memory. */
export type Pointer = number

/** A C structure that JavaScript fills. Its fields are called as in C, with a dollar sign. */
interface Struct {
  readonly pointer: Pointer
  dispose(): void
  [field: `$${string}`]: Pointer
}

interface StructType {
  new (pointer?: Pointer): Struct
  readonly structInfo: { readonly sizeof: number }
}

type Authorizer = (
  context: Pointer,
  action: number,
  first: string | 0 | null,
  second: string | 0 | null,
  database: string | 0 | null,
  trigger: string | 0 | null,
) => number

type Constant =
  | 'SQLITE_AUTH'
  | 'SQLITE_BLOB'
  | 'SQLITE_CANTOPEN'
  | 'SQLITE_DBCONFIG_DEFENSIVE'
  | 'SQLITE_DBCONFIG_ENABLE_FKEY'
  | 'SQLITE_DBCONFIG_TRUSTED_SCHEMA'
  | 'SQLITE_DENY'
  | 'SQLITE_DONE'
  | 'SQLITE_FLOAT'
  | 'SQLITE_FUNCTION'
  | 'SQLITE_INTEGER'
  | 'SQLITE_INTERRUPT'
  | 'SQLITE_IOERR_READ'
  | 'SQLITE_IOERR_SHORT_READ'
  | 'SQLITE_IOERR_WRITE'
  | 'SQLITE_LIMIT_ATTACHED'
  | 'SQLITE_LIMIT_LENGTH'
  | 'SQLITE_NOTFOUND'
  | 'SQLITE_OK'
  | 'SQLITE_OPEN_CREATE'
  | 'SQLITE_OPEN_DELETEONCLOSE'
  | 'SQLITE_OPEN_READWRITE'
  | 'SQLITE_PRAGMA'
  | 'SQLITE_READ'
  | 'SQLITE_RECURSIVE'
  | 'SQLITE_ROW'
  | 'SQLITE_SELECT'
  | 'SQLITE_TEXT'
  | 'SQLITE_TRANSIENT'

/** The C functions and constants, with their C names. */
export interface CApi extends Readonly<Record<Constant, number>> {
  readonly sqlite3_vfs: StructType
  readonly sqlite3_io_methods: StructType
  readonly sqlite3_file: StructType
  sqlite3_vfs_find(name: string | null): Pointer
  sqlite3_open_v2(name: string, database: Pointer, flags: number, vfs: string): number
  sqlite3_close_v2(database: Pointer): number
  sqlite3_exec(database: Pointer, sql: string, callback: 0, context: 0, error: 0): number
  sqlite3_prepare_v3(database: Pointer, sql: Pointer, bytes: number, flags: number, statement: Pointer, tail: Pointer): number
  sqlite3_step(statement: Pointer): number
  sqlite3_finalize(statement: Pointer): number
  sqlite3_errmsg(database: Pointer): string
  sqlite3_extended_errcode(database: Pointer): number
  sqlite3_stmt_readonly(statement: Pointer): number
  sqlite3_stmt_isexplain(statement: Pointer): number
  sqlite3_bind_parameter_count(statement: Pointer): number
  sqlite3_column_count(statement: Pointer): number
  sqlite3_column_name(statement: Pointer, column: number): string
  sqlite3_column_type(statement: Pointer, column: number): number
  sqlite3_column_int64(statement: Pointer, column: number): bigint
  sqlite3_column_double(statement: Pointer, column: number): number
  sqlite3_column_text(statement: Pointer, column: number): string | null
  sqlite3_complete(sql: string): number
  sqlite3_column_blob(statement: Pointer, column: number): Pointer
  sqlite3_column_bytes(statement: Pointer, column: number): number
  sqlite3_bind_null(statement: Pointer, index: number): void
  sqlite3_bind_int64(statement: Pointer, index: number, value: bigint): number
  sqlite3_bind_double(statement: Pointer, index: number, value: number): number
  sqlite3_bind_text(statement: Pointer, index: number, value: Pointer, bytes: number, destructor: number): number
  sqlite3_set_authorizer(database: Pointer, callback: Authorizer | 0, context: 0): number
  sqlite3_progress_handler(database: Pointer, operations: number, callback: (() => number) | 0, context: 0): void
  sqlite3_limit(database: Pointer, limit: number, value: number): number
  sqlite3_db_config(database: Pointer, option: number, value: number, result: 0): number
}

/** A file's methods or a filesystem's, as JavaScript functions by their C names. */
type Methods = Readonly<Record<string, (...args: never[]) => number>>

/** The loaded engine. */
export interface Engine {
  readonly capi: CApi
  readonly wasm: {
    heap8u(): Uint8Array
    alloc(bytes: number): Pointer
    dealloc(pointer: Pointer): void
    cstrToJs(pointer: Pointer): string | null
    peekPtr(pointer: Pointer): Pointer
    poke32(pointer: Pointer, value: number): unknown
    poke64(pointer: Pointer, value: bigint): unknown
  }
  readonly vfs: {
    installVfs(options: {
      readonly io: { readonly struct: Struct; readonly methods: Methods }
      readonly vfs: { readonly struct: Struct; readonly methods: Methods; readonly name: string }
    }): unknown
  }
}
