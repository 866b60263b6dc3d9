// The files and references that keep a session of `git bisect`, where real git finds them too.

import { encodeText } from '../../shell/byte-text.ts'
import { GitFailure } from '../errors.ts'
import type { Changes, Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'

const stateFiles = 'EXPECTED_REV ANCESTORS_OK LOG NAMES RUN TERMS FIRST_PARENT START'.split(' ').map(name => `BISECT_${name}`)

/** The words for the two answers. */
export interface Terms {
  readonly bad: string
  readonly good: string
}

export class BisectState {
  readonly #repository: Repository

  constructor(repository: Repository) {
    this.#repository = repository
  }

  async mark(changes: Changes, state: string, terms: Terms, oid: ObjectId): Promise<void> {
    const name = state === terms.bad ? terms.bad : `${state}-${oid}`
    await this.#repository.refs.update(changes, { name: `refs/bisect/${name}`, oid, message: '' })
  }

  async known(terms: Terms): Promise<{
    readonly bad: ObjectId | undefined
    readonly good: readonly ObjectId[]
    readonly skipped: ReadonlySet<ObjectId>
  }> {
    let bad: ObjectId | undefined
    const good: ObjectId[] = []
    const skipped = new Set<ObjectId>()
    for (const { name, oid } of await this.#repository.refs.list('refs/bisect/')) {
      const own = name.slice('refs/bisect/'.length)
      if (own === terms.bad) bad = oid
      else if (own.startsWith(`${terms.good}-`)) good.push(oid)
      else if (own.startsWith('skip-')) skipped.add(oid)
    }
    return { bad, good, skipped }
  }

  async readTerms(): Promise<Terms | undefined> {
    const text = await this.#repository.readState('BISECT_TERMS')
    if (text === undefined) return undefined
    const [bad = 'bad', good = 'good'] = text.split('\n')
    return { bad, good }
  }

  async paths(): Promise<readonly string[]> {
    const text = (await this.#repository.readState('BISECT_NAMES')) ?? ''
    const words = [...text.matchAll(/'((?:[^']|'\\['!]')*)'/g)].map(([, word = '']) => word.replaceAll(/'\\(['!])'/g, '$1'))
    return words.slice(words[0] === '--' ? 1 : 0).map(word => `:(top)${word}`)
  }

  async needSession(): Promise<void> {
    if ((await this.#repository.readState('BISECT_START')) === undefined)
      throw new GitFailure('You need to start by "git bisect start"\n', 1)
  }

  async clear(changes: Changes): Promise<void> {
    for (const { name } of await this.#repository.refs.list('refs/bisect/'))
      await this.#repository.refs.update(changes, { name, oid: undefined, message: '', noDeref: true })
    await this.#repository.removeState(changes, ...stateFiles)
  }

  note(changes: Changes, text: string): void {
    changes.append(`${this.#repository.gitDir}/BISECT_LOG`, encodeText(text))
  }
}
