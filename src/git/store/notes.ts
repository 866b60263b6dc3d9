// Notes for objects: a tree of texts, named by the IDs of the objects, under a separate reference.

import type { Changes } from '../changes.ts'
import { fatal } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { peel } from '../revs/revision.ts'
import { compareTreeEntries, encodeTree, isObjectId, modes, type ObjectId, type TreeEntry } from './object-format.ts'

export const usualNotesRef = 'refs/notes/commits'

/** The reference that commands use: `--ref`, the environment, the configuration. */
export function notesRef(repository: Repository, given: string | undefined): string {
  if (given !== undefined) return fullNotesRef(given)
  const { env } = repository.environment
  return env['GIT_NOTES_REF'] || repository.config().get('core.notesref') || usualNotesRef
}

export function fullNotesRef(name: string): string {
  if (name.startsWith('refs/notes/')) return name
  return name.startsWith('notes/') ? `refs/${name}` : `refs/notes/${name}`
}

export class Notes {
  readonly #repository: Repository
  readonly ref: string
  #notes = new Map<ObjectId, ObjectId>()
  #parent: ObjectId | undefined
  #others: readonly TreeEntry[] = []

  constructor(repository: Repository, ref: string) {
    this.#repository = repository
    this.ref = ref
  }

  static async read(repository: Repository, ref: string): Promise<Notes> {
    const notes = new Notes(repository, ref)
    const oid = await repository.refs.idOf(ref)
    if (oid === undefined) return notes
    const tree = await peel(repository, oid, 'tree')
    if (tree === undefined) throw fatal(`cannot read notes tree ${ref}`)
    notes.#parent = oid
    await notes.#readTree(tree, '')
    return notes
  }

  /** Directories are named by the first digits of the IDs in them. */
  async #readTree(tree: ObjectId, digits: string): Promise<void> {
    const others: TreeEntry[] = []
    for (const entry of await this.#repository.objects.readTree(tree)) {
      const id = digits + entry.name
      if (entry.mode === modes.tree && /^[0-9a-f]{2}$/.test(entry.name) && id.length < 40) await this.#readTree(entry.oid, id)
      else if (entry.mode !== modes.tree && isObjectId(id)) this.#notes.set(id, entry.oid)
      else others.push(entry)
    }
    if (digits === '') this.#others = others
    else if (others.length > 0) throw fatal(`${this.ref} holds files that are no notes, which this git cannot keep`)
  }

  get(object: ObjectId): ObjectId | undefined {
    return this.#notes.get(object)
  }

  set(object: ObjectId, note: ObjectId | undefined): void {
    if (note === undefined) this.#notes.delete(object)
    else this.#notes.set(object, note)
  }

  /** Pairs of object and note, sorted by object. */
  list(): readonly (readonly [object: ObjectId, note: ObjectId])[] {
    return [...this.#notes].sort(([a], [b]) => (a < b ? -1 : 1))
  }

  /** Makes a new commit of the reference, which `changes` will store. */
  async commit(changes: Changes, message: string): Promise<void> {
    const repository = this.#repository
    const entries = this.list().map(([object, note]) => ({ object, note }))
    const tree = await this.#writeTree(entries, 0, this.#others)
    const author = await repository.identity('author')
    const committer = await repository.identity('committer')
    const parents = this.#parent === undefined ? [] : [this.#parent]
    const oid = await repository.writeCommit({ tree, parents, author, committer, message: `${message}\n` })
    await repository.refs.update(changes, { name: this.ref, oid, message: `notes: ${message}` })
  }

  async #writeTree(
    entries: readonly { readonly object: ObjectId; readonly note: ObjectId }[],
    depth: number,
    others: readonly TreeEntry[],
  ): Promise<ObjectId> {
    const rows: TreeEntry[] = [...others]
    const groups = new Map<string, typeof entries>()
    const isSplit = fillsAllDigits(entries, depth)
    for (const entry of entries) {
      if (isSplit) {
        const digits = entry.object.slice(depth, depth + 2)
        groups.set(digits, [...(groups.get(digits) ?? []), entry])
      } else rows.push({ mode: modes.file, name: entry.object.slice(depth), oid: entry.note })
    }
    for (const [name, group] of groups) rows.push({ mode: modes.tree, name, oid: await this.#writeTree(group, depth + 2, []) })
    return this.#repository.objects.write('tree', encodeTree(rows.toSorted(compareTreeEntries)))
  }
}

/** Git creates directories if each of the next sixteen digits leads to more than one note. */
function fillsAllDigits(entries: readonly { readonly object: ObjectId }[], depth: number): boolean {
  const counts = new Map<string, number>()
  for (const { object } of entries) {
    const digit = object[depth] ?? ''
    counts.set(digit, (counts.get(digit) ?? 0) + 1)
  }
  return counts.size === 16 && [...counts.values()].every(count => count > 1)
}
