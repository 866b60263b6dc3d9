// A filesystem inside the engine, made of PagedFiles: a database, its journals, and temporary files of SQLite.

import type { CApi, Engine, Pointer } from './capi.ts'
import { MissingBytes, PagedFile } from './paged-file.ts'

export const vfsName = 'anchorage'

/** The files of one connection by name. SQLite creates and removes journals here. */
export type FileTable = Map<string, PagedFile>

interface OpenFile {
  readonly file: PagedFile
  readonly name: string | undefined
  readonly deleteOnClose: boolean
}

/** The files of all open connections, found by the directory part of their names. */
export class EngineFiles {
  readonly #tables = new Map<string, FileTable>()
  readonly #open = new Map<Pointer, OpenFile>()
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
    install(engine, this)
  }

  /** Makes the files of `table` reachable as `/id/name`. */
  mount(id: string, table: FileTable): void {
    this.#tables.set(id, table)
  }

  unmount(id: string): void {
    this.#tables.delete(id)
  }

  /** Opens a file for SQLite; one without a name is temporary. */
  open(path: string | null, handle: Pointer, canCreate: boolean, deleteOnClose: boolean): boolean {
    const { table, name } = this.#locate(path)
    let file = name === undefined ? new PagedFile() : table?.get(name)
    if (file === undefined) {
      if (!canCreate || table === undefined || name === undefined) return false
      file = new PagedFile()
      table.set(name, file)
    }
    this.#open.set(handle, { file, name: path ?? undefined, deleteOnClose })
    return true
  }

  close(handle: Pointer): void {
    const open = this.#open.get(handle)
    this.#open.delete(handle)
    if (open?.deleteOnClose === true && open.name !== undefined) this.remove(open.name)
  }

  has(path: string | null): boolean {
    const { table, name } = this.#locate(path)
    const file = name === undefined ? undefined : table?.get(name)
    // SQLite treats an empty journal as missing, and so does this.
    return file !== undefined && file.sizeBytes > 0
  }

  remove(path: string | null): void {
    const { table, name } = this.#locate(path)
    if (name !== undefined) table?.delete(name)
  }

  file(handle: Pointer): PagedFile | undefined {
    return this.#open.get(handle)?.file
  }

  /** A view of the engine's memory, which moves when it grows. */
  memory(at: Pointer, bytes: number): Uint8Array {
    return this.#engine.wasm.heap8u().subarray(at, at + bytes)
  }

  #locate(path: string | null): { table: FileTable | undefined; name: string | undefined } {
    const [, id = '', name] = /^\/([^/]+)\/(.+)$/.exec(path ?? '') ?? []
    return { table: this.#tables.get(id), name }
  }
}

function install(engine: Engine, files: EngineFiles): void {
  const { capi, wasm } = engine
  const io = new capi.sqlite3_io_methods()
  // Version 1 has no shared memory: an exclusive connection then keeps the index of a write-ahead log on its heap.
  io['$iVersion'] = 1
  const vfs = new capi.sqlite3_vfs()
  const host = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null))
  vfs['$iVersion'] = 1
  vfs['$szOsFile'] = capi.sqlite3_file.structInfo.sizeof
  vfs['$mxPathname'] = 512
  for (const same of ['$xRandomness', '$xSleep', '$xCurrentTime'] as const) vfs[same] = host[same] ?? 0
  host.dispose()
  engine.vfs.installVfs({
    io: { struct: io, methods: fileMethods(capi, wasm, files) },
    vfs: { struct: vfs, methods: systemMethods(engine, files, io.pointer), name: vfsName },
  })
}

function systemMethods({ capi, wasm }: Engine, files: EngineFiles, methods: Pointer) {
  return {
    xOpen(_vfs: Pointer, name: Pointer, handle: Pointer, flags: number, outFlags: Pointer): number {
      const path = name === 0 ? null : wasm.cstrToJs(name)
      const canCreate = (flags & capi.SQLITE_OPEN_CREATE) !== 0
      if (!files.open(path, handle, canCreate, (flags & capi.SQLITE_OPEN_DELETEONCLOSE) !== 0)) return capi.SQLITE_CANTOPEN
      const file = new capi.sqlite3_file(handle)
      file['$pMethods'] = methods
      file.dispose()
      if (outFlags !== 0) wasm.poke32(outFlags, flags)
      return capi.SQLITE_OK
    },
    xDelete(_vfs: Pointer, name: Pointer): number {
      files.remove(wasm.cstrToJs(name))
      return capi.SQLITE_OK
    },
    xAccess(_vfs: Pointer, name: Pointer, _flags: number, out: Pointer): number {
      wasm.poke32(out, files.has(wasm.cstrToJs(name)) ? 1 : 0)
      return capi.SQLITE_OK
    },
    xFullPathname(_vfs: Pointer, name: Pointer, capacity: number, out: Pointer): number {
      const text = new TextEncoder().encode(wasm.cstrToJs(name) ?? '')
      if (text.length + 1 > capacity) return capi.SQLITE_CANTOPEN
      const into = files.memory(out, text.length + 1)
      into.set(text)
      into[text.length] = 0
      return capi.SQLITE_OK
    },
    xGetLastError: (): number => capi.SQLITE_OK,
  }
}

function fileMethods(capi: CApi, wasm: Engine['wasm'], files: EngineFiles) {
  const done = (): number => capi.SQLITE_OK
  return {
    xClose(handle: Pointer): number {
      files.close(handle)
      return capi.SQLITE_OK
    },
    xRead(handle: Pointer, into: Pointer, bytes: number, offset: bigint): number {
      return guarded(capi.SQLITE_IOERR_READ, () => {
        const there = files.file(handle)?.read(Number(offset), files.memory(into, bytes)) ?? 0
        return there < bytes ? capi.SQLITE_IOERR_SHORT_READ : capi.SQLITE_OK
      })
    },
    xWrite(handle: Pointer, from: Pointer, bytes: number, offset: bigint): number {
      return guarded(capi.SQLITE_IOERR_WRITE, () => {
        files.file(handle)?.write(Number(offset), files.memory(from, bytes))
        return capi.SQLITE_OK
      })
    },
    xTruncate(handle: Pointer, sizeBytes: bigint): number {
      files.file(handle)?.truncate(Number(sizeBytes))
      return capi.SQLITE_OK
    },
    xFileSize(handle: Pointer, out: Pointer): number {
      wasm.poke64(out, BigInt(files.file(handle)?.sizeBytes ?? 0))
      return capi.SQLITE_OK
    },
    xCheckReservedLock(_handle: Pointer, out: Pointer): number {
      wasm.poke32(out, 0)
      return capi.SQLITE_OK
    },
    xSync: done,
    xLock: done,
    xUnlock: done,
    xFileControl: (): number => capi.SQLITE_NOTFOUND,
    xSectorSize: (): number => 4096,
    xDeviceCharacteristics: (): number => 0,
  }
}

/** SQLite only learns that a read failed; the caller asks the cache what is missing. */
function guarded(failure: number, work: () => number): number {
  try {
    return work()
  } catch (error) {
    if (error instanceof MissingBytes) return failure
    throw error
  }
}
