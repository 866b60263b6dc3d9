// Real files of the origin private file system, by path below one directory.

import type { DirectoryHandle } from '../platform.ts'

export class RealFiles {
  readonly #root: DirectoryHandle
  readonly #directories = new Map<string, Promise<DirectoryHandle>>()

  constructor(root: DirectoryHandle) {
    this.#root = root
  }

  /** Throws what the browser throws. If the tab ends during a write, the content of the file is undefined. */
  async write(path: string, content: Uint8Array): Promise<void> {
    const { parent, name } = splitPath(path)
    const directory = await this.#directoryAt(parent)
    const file = await directory.getFileHandle(name, { create: true })
    const handle = await file.createSyncAccessHandle?.()
    if (handle === undefined) throw new Error('sync access handles are missing; the caller checks for them')
    try {
      handle.truncate(0)
      if (handle.write(content, { at: 0 }) !== content.length)
        throw new DOMException('a mirrored file does not fit', 'QuotaExceededError')
      handle.flush()
    } finally {
      handle.close()
    }
  }

  /** Does nothing if the file is missing. Removes directories that become empty. */
  async remove(path: string): Promise<void> {
    for (
      let { parent, name } = splitPath(path), isFile = true;
      name !== '';
      { parent, name } = splitPath(parent), isFile = false
    ) {
      try {
        const directory = await this.#existing(parent)
        await directory.removeEntry(name)
        this.#directories.delete(parent === '/' ? `/${name}` : `${parent}/${name}`)
      } catch (error) {
        const reason = error instanceof Error ? error.name : ''
        // A crash may have left the directories above without what was to be in them.
        if (reason === 'NotFoundError') continue
        // The directory is not empty.
        if (!isFile) return
        throw error
      }
    }
  }

  #directoryAt(path: string): Promise<DirectoryHandle> {
    const known = this.#directories.get(path)
    if (known !== undefined) return known
    const { parent, name } = splitPath(path)
    const made =
      name === ''
        ? Promise.resolve(this.#root)
        : this.#directoryAt(parent).then(at => at.getDirectoryHandle(name, { create: true }))
    this.#directories.set(path, made)
    // Forget the failure, because the next attempt may succeed.
    made.catch(() => this.#directories.delete(path))
    return made
  }

  async #existing(path: string): Promise<DirectoryHandle> {
    const { parent, name } = splitPath(path)
    return name === '' ? this.#root : await (await this.#existing(parent)).getDirectoryHandle(name)
  }
}

function splitPath(path: string): { readonly parent: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { parent: path.slice(0, slash) || '/', name: path.slice(slash + 1) }
}
