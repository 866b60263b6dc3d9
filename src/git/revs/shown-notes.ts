// The notes that `log` and `show` print below messages.

import { decodeText } from '../../shell/byte-text.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { fullNotesRef, Notes, notesRef, usualNotesRef } from '../store/notes.ts'
import type { ObjectId } from '../store/object-format.ts'

export class ShownNotes {
  readonly #repository: Repository
  readonly #refs: () => Promise<readonly string[]>
  #all: Promise<readonly Notes[]> | undefined

  /** `isUsual`: shown unless an option says otherwise. */
  constructor(call: GitCall, repository: Repository, options: Options, isUsual: boolean) {
    this.#repository = repository
    const given = options.given.filter(({ key }) => key === 'notes' || key === 'show-notes')
    const last = given.findLastIndex(({ isNegated }) => isNegated)
    const wanted = given.slice(last + 1).map(({ value }) => value)
    const isDefault =
      wanted.includes(undefined) || given.some(({ key }) => key === 'show-notes') || (given.length === 0 && isUsual)
    this.#refs = async () => {
      const refs = isDefault ? await this.#defaults() : []
      const named = wanted.filter(name => name !== undefined).map(fullNotesRef)
      for (const ref of named)
        if ((await repository.refs.idOf(ref)) === undefined) await call.warn(`warning: notes ref ${ref} is invalid`)
      return [...new Set([...refs, ...named])]
    }
  }

  async #defaults(): Promise<readonly string[]> {
    const found = [notesRef(this.#repository, undefined)]
    const patterns = this.#repository.config().all('notes.displayref')
    for (const { name } of patterns.length === 0 ? [] : await this.#repository.refs.list('refs/notes/')) {
      if (patterns.some(pattern => matchesWildcard(compileWildcard(encodeText(pattern), false), encodeText(name))))
        found.push(name)
    }
    return found
  }

  #read(): Promise<readonly Notes[]> {
    return (this.#all ??= (async () => {
      const found: Notes[] = []
      for (const ref of await this.#refs()) found.push(await Notes.read(this.#repository, ref))
      return found
    })())
  }

  /** The text below a message, '' if there is none. */
  async below(oid: ObjectId): Promise<string> {
    let text = ''
    for (const notes of await this.#read()) {
      const body = await this.#textOf(notes, oid)
      if (body === undefined) continue
      const title = notes.ref === usualNotesRef ? 'Notes:' : `Notes (${notes.ref.replace(/^refs\/(?:notes\/)?/, '')}):`
      text += `\n${title}\n${body.replace(/\n$/, '').replaceAll(/^/gm, '    ')}\n`
    }
    return text
  }

  /** `%N`. */
  async raw(oid: ObjectId): Promise<string> {
    let text = ''
    for (const notes of await this.#read()) text += (await this.#textOf(notes, oid)) ?? ''
    return text
  }

  /** All notes, by the objects that have any. */
  async texts(): Promise<ReadonlyMap<ObjectId, string>> {
    const found = new Map<ObjectId, string>()
    for (const notes of await this.#read())
      for (const [object] of notes.list()) if (!found.has(object)) found.set(object, await this.raw(object))
    return found
  }

  async #textOf(notes: Notes, oid: ObjectId): Promise<string | undefined> {
    const note = notes.get(oid)
    return note === undefined ? undefined : decodeText(await this.#repository.objects.readBlob(note))
  }
}
