// What is kept from one command to the next.

import { ObjectStore } from './store/objects.ts'
import { GitIndex } from './index/git-index.ts'
import { SeenFiles } from './work/seen-files.ts'
import { GitFiles } from './files.ts'

/** Caches that survive a command: packs, trees and commits never change under their ID. */
export class RepositoryCache {
  readonly #stores = new Map<string, ObjectStore>()
  readonly #indexes = new Map<string, { readonly key: string; readonly index: GitIndex }>()
  readonly #seen = new Map<string, Promise<SeenFiles | undefined>>()

  objects(files: GitFiles, directory: string): ObjectStore {
    const known = this.#stores.get(directory)
    if (known !== undefined) return known
    const store = new ObjectStore(files, directory)
    this.#stores.set(directory, store)
    return store
  }

  /** Drops the cached objects: the files were replaced, or a command failed before it wrote its new objects. */
  drop(): void {
    this.#stores.clear()
    this.#indexes.clear()
  }

  /** The cache of files below the root of a work tree. */
  seen(files: GitFiles, root: string): Promise<SeenFiles | undefined> {
    const known = this.#seen.get(root)
    if (known !== undefined) return known
    const found = SeenFiles.watch(files, root)
    this.#seen.set(root, found)
    return found
  }

  index(path: string, key: string): GitIndex | undefined {
    const known = this.#indexes.get(path)
    return known?.key === key ? known.index.copy() : undefined
  }

  keepIndex(path: string, key: string, index: GitIndex): void {
    this.#indexes.set(path, { key, index: index.copy() })
  }
}
