// The output of `git blame`.

import { largest } from '../../core/many.ts'
import { lineAt, type LineTable } from '../../text/git-diff/lines.ts'
import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { Mailmap } from '../revs/mailmap.ts'
import { parentsOf } from '../revs/parents.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { titleOf } from '../revs/subject.ts'
import { type ObjectId, type Person, zeroId } from '../store/object-format.ts'
import type { BlamedRange } from '../work/blame.ts'

/** Git's columns for a date, also where all dates are shorter. */
const dateColumns: Readonly<Record<string, number>> = { relative: 22, default: 30, normal: 30, human: 16 }

interface Told {
  readonly author: Person
  readonly committer: Person
  readonly subject: string
}

const leastDateColumns = 10

export class BlameReport {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options
  readonly #table: LineTable
  readonly #path: string
  readonly #from: string
  #mailmap: Promise<Mailmap> | undefined
  readonly #told = new Map<ObjectId, Told>()

  constructor(call: GitCall, repository: Repository, options: Options, table: LineTable, path: string, from: string) {
    this.#call = call
    this.#repository = repository
    this.#options = options
    this.#table = table
    this.#path = path
    this.#from = from
  }

  async #tell(oid: ObjectId): Promise<Told> {
    const known = this.#told.get(oid)
    if (known !== undefined) return known
    let told: Told
    if (oid === zeroId) {
      const who: Person = { name: 'Not Committed Yet', email: 'not.committed.yet', time: this.#call.now, zone: '+0000' }
      told = { author: who, committer: who, subject: `Version of ${this.#path} from ${this.#from}` }
    } else {
      const { author, committer, message } = await this.#repository.objects.readCommit(oid)
      this.#mailmap ??= Mailmap.read(this.#repository)
      const mailmap = await this.#mailmap
      told = { author: mailmap.of(author), committer: mailmap.of(committer), subject: titleOf(message) }
    }
    this.#told.set(oid, told)
    return told
  }

  #isBoundary({ isBoundary, oid }: BlamedRange, parents: ReadonlyMap<ObjectId, number>): boolean {
    if (!isBoundary) return false
    const showsRoot = this.#options.has('root') || this.#repository.config().bool('blame.showroot', false)
    return !(showsRoot && parents.get(oid) === 0)
  }

  async #parentCounts(ranges: readonly BlamedRange[]): Promise<ReadonlyMap<ObjectId, number>> {
    const counts = new Map<ObjectId, number>()
    for (const { oid } of ranges) if (oid !== zeroId) counts.set(oid, (await parentsOf(this.#repository, oid)).length)
    return counts
  }

  async writeTable(ranges: readonly BlamedRange[]): Promise<void> {
    const options = this.#options
    const last = ranges.at(-1)
    if (last === undefined) return
    const parents = await this.#parentCounts(ranges)
    const idWidth = await this.#idWidth(ranges)
    const names = new Map<ObjectId, string>()
    const dates = new Map<ObjectId, string>()
    for (const { oid } of ranges) {
      const { author } = await this.#tell(oid)
      names.set(oid, options.has('show-email') ? `<${author.email}>` : author.name)
      dates.set(oid, this.#date(author))
    }
    const nameWidth = largest([...names.values()].map(name => [...name].length))
    const dateWidth = this.#dateMode.startsWith('format')
      ? this.#date({ name: '', email: '', time: 0, zone: '+0000' }).length
      : largest(
          [...dates.values()].map(date => date.length),
          dateColumns[this.#dateMode],
        )
    const dateColumn = ({ oid }: BlamedRange): string => (dates.get(oid) ?? '').padEnd(dateWidth).padStart(leastDateColumns)
    const lineWidth = String(largest(ranges.map(({ finalStart, count }) => finalStart + count))).length
    const sourceWidth = String(largest(ranges.map(({ start, count }) => start + count))).length
    const showsPath = options.has('show-name') || ranges.some(({ path }) => path !== this.#path)
    const pathWidth = largest(ranges.map(({ path }) => path.length))
    for (const range of ranges) {
      const isCompatible = options.has('c')
      const isBoundary = this.#isBoundary(range, parents) && (options.has('b') || !isCompatible)
      const id = isBoundary
        ? options.has('b')
          ? ' '.repeat(idWidth)
          : `^${range.oid.slice(0, idWidth - 1)}`
        : range.oid.slice(0, idWidth)
      const name = names.get(range.oid) ?? ''
      for (let line = 0; line < range.count; line++) {
        if (isCompatible) {
          const head = `${id}\t(${name.padStart(10)}\t${dateColumn(range)}\t${range.finalStart + line + 1})`
          await this.#writeLine(head, range.finalStart + line)
          continue
        }
        let head = id
        if (showsPath) head += ` ${range.path.padEnd(pathWidth)}`
        if (options.has('show-number')) head += ` ${String(range.start + line + 1).padStart(sourceWidth)}`
        if (!options.has('s')) {
          const pad = ' '.repeat(nameWidth - [...name].length)
          head += ` (${name}${pad} ${dateColumn(range)}`
        }
        head += ` ${String(range.finalStart + line + 1).padStart(lineWidth)}) `
        await this.#writeLine(head, range.finalStart + line)
      }
    }
  }

  async #writeLine(head: string, line: number): Promise<void> {
    const bytes = lineAt(this.#table, line)
    await this.#call.out.write(head)
    await this.#call.out.write(bytes)
    if (bytes.at(-1) !== 0x0a) await this.#call.out.write('\n')
  }

  get #dateMode(): string {
    return this.#options.value('date') ?? this.#repository.config().get('blame.date') ?? 'iso'
  }

  #date(author: Person): string {
    if (this.#options.has('t')) return `${author.time} ${author.zone}`
    const mode = this.#dateMode
    const text = formatDate(author, mode, this.#call.now)
    if (text === undefined) throw fatal(`unknown date format ${mode}`)
    return text
  }

  /** One digit more than needed to be unique: the place for the mark of a boundary. */
  async #idWidth(ranges: readonly BlamedRange[]): Promise<number> {
    if (this.#options.has('l')) return 40
    const ids = new ShortIds(this.#repository)
    const given = this.#options.number('abbrev')
    let width = given ?? 7
    for (const { oid } of ranges) if (oid !== zeroId && given === undefined) width = Math.max(width, (await ids.of(oid)).length)
    return Math.min(40, width + 1)
  }

  async writePorcelain(ranges: readonly BlamedRange[]): Promise<void> {
    const told = new Set<string>()
    const parents = await this.#parentCounts(ranges)
    const repeats = this.#options.has('line-porcelain')
    const pathsOf = new Map<ObjectId, Set<string>>()
    for (const { oid, path } of ranges) pathsOf.set(oid, (pathsOf.get(oid) ?? new Set<string>()).add(path))
    for (const range of ranges) {
      for (let line = 0; line < range.count; line++) {
        const size = line === 0 ? ` ${range.count}` : ''
        await this.#call.print(`${range.oid} ${range.start + line + 1} ${range.finalStart + line + 1}${size}`)
        if (repeats || (line === 0 && !told.has(range.oid))) await this.#call.out.write(await this.#headers(range, parents))
        else if (line === 0 && (pathsOf.get(range.oid)?.size ?? 0) > 1) await this.#call.out.write(placeOf(range))
        told.add(range.oid)
        await this.#writeLine('\t', range.finalStart + line)
      }
    }
  }

  /** Each range as it was found, and of each commit the headers once. */
  async writeIncremental(ranges: readonly BlamedRange[]): Promise<void> {
    const parents = await this.#parentCounts(ranges)
    const told = new Set<ObjectId>()
    for (const range of ranges) {
      await this.#call.print(`${range.oid} ${range.start + 1} ${range.finalStart + 1} ${range.count}`)
      await this.#call.out.write(told.has(range.oid) ? placeOf(range) : await this.#headers(range, parents))
      told.add(range.oid)
    }
  }

  async #headers(range: BlamedRange, parents: ReadonlyMap<ObjectId, number>): Promise<string> {
    const { author, committer, subject } = await this.#tell(range.oid)
    const person = (role: string, { name, email, time, zone }: Person): readonly string[] => [
      `${role} ${name}`,
      `${role}-mail <${email}>`,
      `${role}-time ${time}`,
      `${role}-tz ${zone}`,
    ]
    const lines = [...person('author', author), ...person('committer', committer), `summary ${subject}`]
    if (this.#isBoundary(range, parents)) lines.push('boundary')
    return lines.map(line => `${line}\n`).join('') + placeOf(range)
  }
}

function placeOf({ previous, path }: BlamedRange): string {
  return `${previous === undefined ? '' : `previous ${previous.oid} ${previous.path}\n`}filename ${path}\n`
}
