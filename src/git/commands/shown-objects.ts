import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import type { ObjectId, Person } from '../store/object-format.ts'
import type { LogWriter } from './log-writer.ts'

/** Writes any object that `show` accepts, and each commit once. */
export class ShownObjects {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #writer: LogWriter
  readonly #isShown: (commit: WalkedCommit) => boolean
  readonly #shown = new Set<ObjectId>()

  constructor(
    call: GitCall,
    repository: Repository,
    options: Options,
    writer: LogWriter,
    isShown: (commit: WalkedCommit) => boolean,
  ) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#writer = writer
    this.#isShown = isShown
  }

  async write(oid: ObjectId, text: string): Promise<void> {
    const object = await this.#repository.objects.read(oid)
    if (object === undefined) throw fatal(`bad object ${text}`)
    const out = this.#call.out
    switch (object.type) {
      case 'blob':
        await out.write(object.bytes)
        return
      case 'tree': {
        await this.#writer.startObject()
        await out.write(`tree ${text}\n\n`)
        for (const { name, mode } of await this.#repository.objects.readTree(oid))
          await out.write(`${name}${mode === 0o40000 ? '/' : ''}\n`)
        return
      }
      case 'tag': {
        await this.#writer.startObject()
        const tag = await this.#repository.objects.readTag(oid)
        await out.write(`tag ${tag.name}\n`)
        if (tag.tagger !== undefined) await out.write(this.#taggerLines(tag.tagger))
        await out.write(`\n${tag.message}`)
        await this.write(tag.object, text)
        return
      }
      case 'commit': {
        const commit = await this.#repository.objects.readCommit(oid)
        const walked = { oid, commit, parents: commit.parents, source: text, side: undefined, isBoundary: false }
        if (this.#shown.has(oid) || !this.#isShown(walked) || (await this.#writer.isUntouched(commit))) return
        this.#shown.add(oid)
        await this.#writer.write(walked)
      }
    }
  }

  #taggerLines(tagger: Person): string {
    const { kind } = this.#writer
    if (kind === 'oneline') return ''
    const name = `${tagger.name} <${tagger.email}>`
    const date = formatDate(tagger, this.#options.value('date') ?? 'default', this.#call.now) ?? ''
    if (kind === 'medium') return `Tagger: ${name}\nDate:   ${date}\n`
    if (kind === 'fuller') return `Tagger:     ${name}\nTaggerDate: ${date}\n`
    if (kind === 'email' || kind === 'mboxrd') return `From: ${name}\nDate: ${formatDate(tagger, 'rfc', this.#call.now) ?? ''}\n`
    return `Tagger: ${name}\n`
  }
}
