// Reads the records of an awk program's input files in order.

import { openInput } from '../filter/input.ts'
import { RecordInput, type AwkRecord } from './record-input.ts'
import { special, type Runtime } from './runtime.ts'
import { InputText, toNumber, type Value } from './values.ts'
import { unescape } from './tokens.ts'
import { codeOf, reasonOf } from '../../errno.ts'
import { AwkError } from './error.ts'
import { Completion } from './completion.ts'

export interface FileEvents {
  readonly assign: (name: string, value: Value) => void
  /** Runs the rules of BEGINFILE; undefined if there are none. */
  readonly begin: ((name: string) => Promise<Completion>) | undefined
  readonly end: () => Promise<void>
}

export class MainInput {
  private current: RecordInput | undefined
  private nextArgument = 1
  private hasFile = false
  private events: FileEvents | undefined
  private readonly runtime: Runtime

  constructor(runtime: Runtime) {
    this.runtime = runtime
  }

  listen(events: FileEvents): void {
    this.events = events
  }

  /** The next record, if it has already been read. */
  takeReady(): string | undefined {
    const record = this.current?.take(this.runtime.recordSeparator)
    return record === undefined || record === 'more' ? undefined : this.counted(record)
  }

  private counted({ text, end }: AwkRecord): string {
    const { slots } = this.runtime
    for (const slot of [special.NR, special.FNR]) {
      const count = slots[slot]
      slots[slot] = (count instanceof Map ? 0 : toNumber(count)) + 1
    }
    if (this.runtime.dialect.language === 'gawk') slots[special.RT] = end
    return text
  }

  /** The next record, from the current file or a later one. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const state = this.current?.take(this.runtime.recordSeparator)
      if (state !== undefined && state !== 'more') return this.counted(state)
      if (state === 'more') await this.current?.fill()
      else {
        await this.endFile()
        if (!(await this.open())) return undefined
      }
    }
  }

  /** `nextfile`. */
  async skipFile(): Promise<void> {
    await this.endFile()
  }

  private async endFile(): Promise<void> {
    if (this.current === undefined) return
    this.current = undefined
    await this.events?.end()
  }

  private async open(): Promise<boolean> {
    const { context } = this.runtime
    for (;;) {
      const name = this.nextName()
      if (name === undefined) return false
      let input: RecordInput
      try {
        input = new RecordInput(await openInput(name, context))
      } catch (error) {
        await this.runtime.streams.flush()
        const completion = this.events?.begin && (await this.begin(name, reasonOf(error)))
        if (completion === Completion.exit) return false
        if (completion === Completion.nextFile) continue
        if (codeOf(error) !== 'EISDIR') throw new AwkError(`fatal: cannot open file \`${name}' for reading: ${reasonOf(error)}`)
        await context.stderr.write(`awk: warning: command line argument \`${name}' is a directory: skipped\n`)
        continue
      }
      this.current = input
      const completion = await this.begin(name, '')
      if (completion === Completion.exit) return false
      if (completion !== Completion.nextFile) return true
      await this.endFile()
    }
  }

  /** BEGINFILE also runs for a file that cannot be read, and may skip it. */
  private async begin(name: string, problem: string): Promise<Completion> {
    const { slots } = this.runtime
    slots[special.FILENAME] = name
    slots[special.FNR] = 0
    if (this.events?.begin === undefined) return Completion.normal
    slots[special.ERRNO] = problem
    return this.events.begin(name)
  }

  /** Returns the next file operand and performs the assignments before it. Without file operands, standard input is read. */
  private nextName(): string | undefined {
    const { slots, textOf } = this.runtime
    const names = slots[special.ARGV]
    const count = toNumber(slots[special.ARGC] as Value)
    while (this.nextArgument < count) {
      const argument = names instanceof Map ? textOf(names.get(String(this.nextArgument)) as Value) : ''
      this.nextArgument += 1
      if (argument === '') continue
      const [, name, value = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(argument) ?? []
      if (name === undefined) {
        this.hasFile = true
        const { dialect, context } = this.runtime
        if (dialect.isSandbox && !context.args.includes(argument))
          throw new AwkError(`cannot add a new file (${argument}) to ARGV in sandbox mode`)
        return argument
      }
      this.events?.assign(name, new InputText(unescape(value)))
    }
    if (this.hasFile) return undefined
    this.hasFile = true
    return '-'
  }
}
