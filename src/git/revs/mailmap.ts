// `.mailmap`: the proper names and addresses of people who commit under several.

import { decodeText } from '../../shell/byte-text.ts'
import type { Repository } from '../repository.ts'
import type { Person } from '../store/object-format.ts'
import { resolveRevision } from './revision.ts'

interface Proper {
  name?: string
  email?: string
}

interface Row {
  /** Applies to every name with this address. */
  readonly any: Proper
  readonly byName: Map<string, Proper>
}

export class Mailmap {
  readonly #rows = new Map<string, Row>()

  /** From the file at the root, or of the commit in a bare repository, and from the file that the configuration names. */
  static async read(repository: Repository): Promise<Mailmap> {
    const map = new Mailmap()
    const { files } = repository
    const config = repository.config()
    if (!repository.isBare) map.#add(await files.read(`${repository.root}/.mailmap`))
    const blob = config.get('mailmap.blob') ?? (repository.isBare ? 'HEAD:.mailmap' : undefined)
    const found = blob === undefined ? undefined : await resolveRevision(repository, blob).catch(() => undefined)
    if (found !== undefined) map.#add((await repository.objects.read(found.oid))?.bytes)
    const file = config.get('mailmap.file')?.replace(/^~(?=\/)/, () => repository.environment.env['HOME'] ?? '~')
    if (file !== undefined)
      map.#add(
        await files.read(file.startsWith('/') ? file : `${repository.isBare ? repository.gitDir : repository.root}/${file}`),
      )
    return map
  }

  #add(bytes: Uint8Array | undefined): void {
    for (const line of bytes === undefined ? [] : decodeText(bytes).split('\n')) {
      if (line.startsWith('#')) continue
      const [first, second] = [...line.matchAll(/([^<>]*)<([^<>]*)>/g)].map(([, name = '', email = '']) => ({
        name: name.trim(),
        email: email.trim(),
      }))
      if (first === undefined) continue
      const row = this.#row((second ?? first).email)
      const proper = second === undefined || second.name === '' ? row.any : this.#named(row, second.name)
      if (first.name !== '') proper.name = first.name
      if (second !== undefined) proper.email = first.email
    }
  }

  #row(email: string): Row {
    const key = email.toLowerCase()
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const row: Row = { any: {}, byName: new Map() }
    this.#rows.set(key, row)
    return row
  }

  #named({ byName }: Row, name: string): Proper {
    const key = name.toLowerCase()
    const known = byName.get(key)
    if (known !== undefined) return known
    const proper: Proper = {}
    byName.set(key, proper)
    return proper
  }

  of(person: Person): Person {
    const row = this.#rows.get(person.email.toLowerCase())
    if (row === undefined) return person
    const { name = person.name, email = person.email } = row.byName.get(person.name.toLowerCase()) ?? row.any
    return { ...person, name, email }
  }
}
