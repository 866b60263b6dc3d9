// Databases of SQLite: `app.sqlite`, `app.sqlite:users`, `app.sqlite:users:42`, `app.sqlite?q=select …`.

import { ToolError } from '../../core/errors.ts'
import { createPauser } from '../../core/pause.ts'
import { formatSize } from '../../core/size.ts'
import type { PlannedWrite } from '../../vfs/planned-write.ts'
import type { Resource, ResourceAddress, ResourceContext, ResourceMember, ResourceSource, WritePlan } from '../kind.ts'
import { mayEndWithSelector, parseDatabaseAddress, rowLimits } from './address.ts'
import { SqlError, type Connection } from './connection.ts'
import {
  EngineUnavailable,
  headBytes,
  isDatabase,
  isUtf16,
  TooMuchRead,
  withDatabase,
  type ChangedFiles,
  type DatabaseFiles,
} from './database.ts'
import { sourceOf, type RangeSource } from './paged-file.ts'
import { countRows, pageOfRows, showAddress, tableNamed } from './read.ts'
import { NoSingleKey, tablesOf, type Table } from './tables.ts'
import { applyRowChange, parseRowChange } from './write.ts'

/** A changed database is written as a whole. */
const writtenMaxBytes = 256 * 1024 * 1024
/** The number of rows of a table that a search reads. */
const searchedMaxRows = 50_000

/** Files with these names and another start remain plain files. */
export function claims(head: Uint8Array): boolean {
  return isDatabase(head)
}

export async function open(address: ResourceAddress, context: ResourceContext): Promise<Resource | undefined> {
  const { source, inner } = address
  if (source === undefined || !(await isDatabaseFile(source))) return undefined
  const pause = pauserOf(context.signal)
  const read = async (files: DatabaseFiles) =>
    withDatabase(files, context.signal, async connection => {
      const tables = await tablesOf(connection)
      const parsed = parseDatabaseAddress(
        inner,
        tables.map(({ name }) => name),
      )
      if (parsed === undefined) return undefined
      const shown = await showAddress(connection, parsed, tables, pause)
      const table = parsed.kind === 'tables' ? tables.map(({ name }) => name) : parsed.kind === 'table' ? [parsed.table] : []
      return { ...shown, kind: parsed.kind, searched: table }
    })
  try {
    const { result } = await unchangedDuring(source, context, read)
    if (result === undefined) return undefined
    // A number after a table is a key first and a line second; ranges such as 5-16 are lines if no row has that key.
    if (result.kind === 'row' && result.text === '' && mayEndWithSelector(inner) && !/:-?\d+$/.test(inner)) return undefined
    const { text, notes, searched } = result
    return {
      kind: 'text',
      display: address.text,
      text,
      notes,
      ...(searched.length === 0 ? {} : { members: () => searchedPages(source, searched, context) }),
    }
  } catch (error) {
    if (isAboutAddress(error) && mayEndWithSelector(inner)) return undefined
    throw explained(error, address)
  }
}

export async function missing(address: ResourceAddress, context: ResourceContext): Promise<ToolError> {
  const { source, inner, text } = address
  if (source === undefined || !(await isDatabaseFile(source))) return notDatabase(source?.display ?? text)
  let tables: readonly Table[]
  try {
    ;({ result: tables } = await withDatabase(await filesOf(source, context), context.signal, tablesOf))
  } catch (error) {
    throw explained(error, address)
  }
  const shown = tables.slice(0, 20).map(({ name }) => name)
  return new ToolError('ENOENT', `no such table: ${inner.split(/[:?]/)[0] ?? inner}`, {
    nextStep: `${source.display} has ${tables.length === 0 ? 'no tables' : `these tables: ${shown.join(', ')}${tables.length > 20 ? ', …' : ''}`}.`,
    details: { path: text },
  })
}

export async function plan(address: ResourceAddress, content: string, context: ResourceContext): Promise<WritePlan> {
  const { source, inner } = address
  const stored = source?.stored
  if (source === undefined || stored === undefined || stored.rev === 0 || !(await isDatabaseFile(source)))
    throw notDatabase(source?.display ?? address.text)
  if (source.sizeBytes > writtenMaxBytes) throw tooLargeToWrite(source)
  const files = await filesOf(source, context)
  const main = sourceOf(await source.read())
  try {
    const { result, changed } = await withDatabase({ ...files, main }, context.signal, async connection => {
      const tables = await tablesOf(connection)
      const parsed = parseDatabaseAddress(
        inner,
        tables.map(({ name }) => name),
      )
      if (parsed === undefined) return undefined
      if (parsed.kind !== 'table' && parsed.kind !== 'row') throw notWritable(address)
      const change = await parseRowChange(content, parsed.kind === 'row' ? parsed.key : undefined)
      return applyRowChange(connection, tableNamed(tables, parsed.table), change)
    })
    if (result === undefined) throw await missing(address, context)
    return {
      kind: 'files',
      writes: result.isChanged ? plannedWrites(source, stored, files, changed, { display: address.text, ...result }) : [],
      summary: result.after === undefined ? result.summary : `${result.summary}\n${result.after}`,
      details: { meta: { source: 'sqlite', sourcePath: stored.path }, resolvedPath: stored.path },
    }
  } catch (error) {
    throw explained(error, address)
  }
}

interface OpenedFiles extends DatabaseFiles {
  /** Path and revision of each existing file. */
  readonly revisions: readonly { readonly role: 'wal' | 'journal'; readonly path: string; readonly rev: number }[]
}

async function filesOf(source: ResourceSource, context: ResourceContext): Promise<OpenedFiles> {
  const { stored } = source
  const opened: { wal?: RangeSource; journal?: RangeSource } = {}
  const revisions: { role: 'wal' | 'journal'; path: string; rev: number }[] = []
  for (const role of ['wal', 'journal'] as const) {
    if (stored === undefined) continue
    const beside = await context.resolve(`${stored.path}-${role}`)
    if (beside?.stored === undefined || beside.stored.rev === 0 || beside.sizeBytes === 0) continue
    opened[role] = rangesOf(beside)
    revisions.push({ role, path: beside.stored.path, rev: beside.stored.rev })
  }
  return { main: rangesOf(source), ...opened, revisions }
}

function rangesOf(source: ResourceSource): RangeSource {
  return {
    sizeBytes: source.sizeBytes,
    read: (start, end) => (source.readSync === undefined ? source.read({ start, end }) : source.readSync({ start, end })),
  }
}

/** A database is read in many pieces, which may not fit together if it changed meanwhile. */
async function unchangedDuring<T>(
  source: ResourceSource,
  context: ResourceContext,
  work: (files: DatabaseFiles) => Promise<T>,
): Promise<T> {
  const files = await filesOf(source, context)
  let outcome: { readonly value: T } | { readonly error: unknown }
  try {
    outcome = { value: await work(files) }
  } catch (error) {
    outcome = { error }
  }
  for (const { path, rev } of [
    ...files.revisions,
    ...(source.stored === undefined ? [] : [{ path: source.stored.path, rev: source.stored.rev }]),
  ]) {
    if ((await context.resolve(path))?.stored?.rev === rev) continue
    throw new ToolError('file-changed', `${source.display} was changed by someone else while it was read.`, {
      nextStep: 'Read it again.',
      details: { path: source.display },
    })
  }
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** Each page of a table, under the address that reads the same lines. */
async function* searchedPages(
  source: ResourceSource,
  tables: readonly string[],
  context: ResourceContext,
): AsyncGenerator<ResourceMember> {
  const pause = pauserOf(context.signal)
  const within = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const { result } = await withDatabase(await filesOf(source, context), context.signal, work)
    return result
  }
  for (const table of tables) {
    const address = { text: `${source.display}:${table}`, source, inner: table }
    const counted = await within(connection => countRows(connection, table, searchedMaxRows, pause)).catch((error: unknown) =>
      explained(error, address),
    )
    if (typeof counted !== 'number') {
      if (!(counted instanceof ToolError)) throw counted
      // A table or view that cannot be read does not prevent the search in the others.
      yield { display: address.text, name: table, isDirectory: false, text: () => Promise.reject(counted) }
      continue
    }
    for (let offset = 0; offset < Math.min(counted, searchedMaxRows); offset += rowLimits.most) {
      const from = offset === 0 ? '' : `&offset=${offset}`
      const name = `${table}?limit=${rowLimits.most}${from}`
      yield {
        display: `${source.display}:${name}`,
        name,
        isDirectory: false,
        text: () =>
          within(connection => pageOfRows(connection, table, rowLimits.most, offset, pause)).catch((error: unknown) => {
            throw explained(error, address)
          }),
      }
    }
  }
}

function plannedWrites(
  source: ResourceSource,
  stored: NonNullable<ResourceSource['stored']>,
  files: OpenedFiles,
  changed: ChangedFiles,
  inside: NonNullable<PlannedWrite['inside']>,
): readonly PlannedWrite[] {
  const main =
    changed.main === undefined
      ? []
      : [{ path: stored.path, display: source.display, bytes: changed.main, baseRev: stored.rev, inside }]
  // SQLite has moved the journals into the database. It treats an empty one as missing.
  const journals = files.revisions.flatMap(({ role, path, rev }) => {
    const bytes = changed[role]
    return bytes === undefined
      ? []
      : [{ path: path as PlannedWrite['path'], display: `${source.display}-${role}`, bytes, baseRev: rev }]
  })
  return [...main, ...journals]
}

/** Throws `ToolError` for a database that the engine would read wrongly. */
async function isDatabaseFile(source: ResourceSource): Promise<boolean> {
  const head = await source.read({ start: 0, end: headBytes })
  if (!isUtf16(head)) return isDatabase(head)
  throw new ToolError('sqlite-unsupported', `${source.display} keeps its texts as UTF-16, which cannot be read here.`, {
    nextStep:
      'Ask the user to save it in UTF-8: PRAGMA encoding, before the tables of a new database are filled from the old one.',
    details: { path: source.display },
  })
}

function pauserOf(signal: AbortSignal): () => Promise<void> {
  const pause = createPauser()
  return async () => {
    await pause()
    signal.throwIfAborted()
  }
}

/** Errors whose cause may be a line selector that was read as part of the address. */
function isAboutAddress(error: unknown): boolean {
  return error instanceof SqlError || (error instanceof ToolError && /^(?:selector-invalid|sqlite-refused)$/.test(error.code))
}

function notDatabase(display: string): ToolError {
  return new ToolError('not-a-database', `SQLite database not found or is not SQLite: ${display}.`, {
    nextStep: 'Look for it with find. A database is made by a program, not by write.',
    details: { path: display },
  })
}

function notWritable({ text }: ResourceAddress): ToolError {
  return new ToolError('sqlite-row-invalid', `${text} does not name a row to write.`, {
    nextStep: 'Write to DATABASE:TABLE to insert a row, or to DATABASE:TABLE:KEY to change one. Parameters are for reading.',
    details: { path: text },
  })
}

function tooLargeToWrite({ display, sizeBytes }: ResourceSource): ToolError {
  return new ToolError(
    'database-too-large',
    `${display} is ${formatSize(sizeBytes)}; databases up to ${formatSize(writtenMaxBytes)} can be written. Nothing was written.`,
    { nextStep: 'Ask the user to change it with a program of their own.', details: { path: display, sizeBytes } },
  )
}

function explained(error: unknown, { text, source }: ResourceAddress): unknown {
  const details = { path: text }
  if (error instanceof EngineUnavailable) {
    return new ToolError(
      'sqlite-unsupported',
      `Databases cannot be opened here: WebAssembly cannot be compiled (${error.message}).`,
      {
        nextStep:
          'Cloudflare Workers and pages whose policy lacks wasm-unsafe-eval are such places. Read another export of the data.',
        details,
      },
    )
  }
  if (error instanceof TooMuchRead) {
    return new ToolError(
      'database-too-large',
      `${text} needs more of ${source?.display ?? 'the database'} than can be held at once.`,
      {
        nextStep: 'Ask for less: a row by its key, or a condition on a column that has an index.',
        details,
      },
    )
  }
  if (error instanceof NoSingleKey) {
    const [first, ...others] = error.keyColumns
    return new ToolError('sqlite-refused', `A row of ${text.replace(/:[^:]*$/, '')} has no single key.`, {
      nextStep:
        first === undefined
          ? 'Use ?where=… to choose rows of a view.'
          : `Its key is ${[first, ...others].join(', ')}: use ?where=${[first, ...others].map(name => `${name}=…`).join(' AND ')}.`,
      details,
    })
  }
  if (!(error instanceof SqlError)) return error
  if (error.isInterrupted) {
    return new ToolError('sqlite-timeout', `${text} took too long and was stopped.`, {
      nextStep: 'Ask for less: fewer rows, a condition on a column that has an index, or no join of large tables.',
      details,
    })
  }
  const [code, nextStep] = sqliteCodes[error.primaryCode] ?? [
    'sqlite-refused',
    'Correct the address; the tables are listed by reading the database.',
  ]
  return new ToolError(code, `SQLite: ${error.message}.`, { nextStep, details })
}

/** SQLite's result codes (sqlite.org/rescode.html) for which there is more to say than its message. */
const sqliteCodes: Readonly<Record<number, readonly [code: string, nextStep: string]>> = {
  7: ['sqlite-out-of-memory', 'Ask for less at once.'],
  11: ['database-damaged', 'Restore it from a backup, or ask the user.'],
  18: ['sqlite-out-of-memory', 'A value is too large: select only a part of it with substr.'],
  19: ['sqlite-refused', 'Nothing was written. Change the values so that the table takes them.'],
  23: ['sqlite-refused', 'Only one SELECT over the tables of this database may run; tables of SQLite itself are off limits.'],
  26: ['database-damaged', 'The file is damaged or encrypted. Ask the user.'],
}
