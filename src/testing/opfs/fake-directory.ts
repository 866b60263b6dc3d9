// Browser directories in memory, which fail permanently after a given number of changes, like a tab that has ended: the file that was being
// written then contains only a part. Handles of files are exclusive, like the browser's.

import type { DirectoryHandle, FileHandle, SyncHandle } from '../../backends/opfs/platform.ts'

type Content = { bytes: Uint8Array; isOpen: boolean }
type Entry = { readonly file: Content } | { readonly directory: Map<string, Entry> }

export class FakeDirectory {
  readonly #root: Map<string, Entry> = new Map()
  /** The number of changes that will still be done. */
  left: number = Infinity
  changeCount = 0

  get handle(): DirectoryHandle {
    return this.#directory(this.#root, '')
  }

  /** After a crash: all handles are closed. */
  revive(): void {
    this.left = Infinity
    const close = (directory: Map<string, Entry>): void => {
      for (const entry of directory.values()) {
        if ('file' in entry) entry.file.isOpen = false
        else close(entry.directory)
      }
    }
    close(this.#root)
  }

  /** path → text; empty directories end in '/'. */
  shown(): Record<string, string> {
    const found: Record<string, string> = {}
    const visit = (directory: Map<string, Entry>, path: string): void => {
      if (directory.size === 0 && path !== '') found[`${path}/`] = ''
      for (const [name, entry] of directory) {
        if ('file' in entry) found[`${path}/${name}`] = new TextDecoder().decode(entry.file.bytes)
        else visit(entry.directory, `${path}/${name}`)
      }
    }
    visit(this.#root, '')
    return found
  }

  #change(): void {
    this.changeCount++
    if (this.left-- <= 0) throw new DOMException('the tab is gone', 'InvalidStateError')
  }

  #directory(entries: Map<string, Entry>, ownName: string): DirectoryHandle {
    const handleOf = (name: string, entry: Entry): FileHandle | DirectoryHandle =>
      'file' in entry ? this.#file(entry.file, name) : this.#directory(entry.directory, name)
    return {
      kind: 'directory',
      name: ownName,
      getDirectoryHandle: async (name, options) => {
        let entry = entries.get(name)
        if (entry === undefined) {
          if (options?.create !== true) throw new DOMException(name, 'NotFoundError')
          this.#change()
          entry = { directory: new Map() }
          entries.set(name, entry)
        }
        if ('file' in entry) throw new DOMException(name, 'TypeMismatchError')
        return this.#directory(entry.directory, name)
      },
      getFileHandle: async (name, options) => {
        if (name.includes('\\')) throw new TypeError('Name is not allowed.')
        let entry = entries.get(name)
        if (entry === undefined) {
          if (options?.create !== true) throw new DOMException(name, 'NotFoundError')
          this.#change()
          entry = { file: { bytes: new Uint8Array(), isOpen: false } }
          entries.set(name, entry)
        }
        if (!('file' in entry)) throw new DOMException(name, 'TypeMismatchError')
        return this.#file(entry.file, name)
      },
      removeEntry: async name => {
        const entry = entries.get(name)
        if (entry === undefined) throw new DOMException(name, 'NotFoundError')
        if ('directory' in entry && entry.directory.size > 0) throw new DOMException(name, 'InvalidModificationError')
        if ('file' in entry && entry.file.isOpen) throw new DOMException(name, 'NoModificationAllowedError')
        this.#change()
        entries.delete(name)
      },
      async *keys() {
        yield* entries.keys()
      },
      async *values() {
        for (const [name, entry] of entries) yield handleOf(name, entry)
      },
    }
  }

  #file(file: Content, name: string): FileHandle {
    return {
      kind: 'file',
      name,
      getFile: async () => ({ size: file.bytes.length, arrayBuffer: async () => new Uint8Array(file.bytes).buffer }),
      createSyncAccessHandle: async () => {
        if (file.isOpen) throw new DOMException(name, 'NoModificationAllowedError')
        file.isOpen = true
        return this.#handle(file)
      },
    }
  }

  #handle(file: Content): SyncHandle {
    const resize = (sizeBytes: number): void => {
      const resized = new Uint8Array(sizeBytes)
      resized.set(file.bytes.subarray(0, sizeBytes))
      file.bytes = resized
    }
    const write = (bytes: Uint8Array, at: number): void => {
      if (at + bytes.length > file.bytes.length) resize(at + bytes.length)
      file.bytes.set(bytes, at)
    }
    return {
      getSize: () => file.bytes.length,
      read(target, { at }) {
        const found = file.bytes.subarray(at, at + target.length)
        target.set(found)
        return found.length
      },
      write: (bytes, { at }) => {
        // Only half of the last change is done.
        if (this.left === 0) write(bytes.subarray(0, bytes.length / 2), at)
        this.#change()
        write(bytes, at)
        return bytes.length
      },
      truncate: sizeBytes => {
        this.#change()
        resize(sizeBytes)
      },
      flush: () => this.#change(),
      close() {
        file.isOpen = false
      },
    }
  }
}
