// Files are mostly used directory by directory, and looking up the same names again is most of what finding one costs.

import type { VfsPath } from '../../core/path.ts'
import type { DirectoryNode } from './node.ts'

/** Where the last path led to, up to its last name. Whoever puts another directory under a path forgets this. */
export class RecentDirectory {
  /** With the '/' at its end. */
  #path = ''
  #node: DirectoryNode | undefined

  /** The directory that the first `length` characters of `path` name, if it was the last one. */
  at(path: VfsPath, length: number): DirectoryNode | undefined {
    return this.#path.length === length && path.startsWith(this.#path) ? this.#node : undefined
  }

  remember(path: VfsPath, length: number, node: DirectoryNode): void {
    this.#path = path.slice(0, length)
    this.#node = node
  }

  forget(): void {
    this.#path = ''
    this.#node = undefined
  }
}
