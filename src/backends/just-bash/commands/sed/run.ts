// Runs a sed script over its inputs. It awaits only input, files, and the consumer of its output.

import { BrokenPipeError, type ShellCommandContext } from '../../../../shell/commands.ts'
import type { Regex } from '../../regex/regex.ts'
import { StopCheck } from '../filter/input.ts'
import { type Pace, paceOf, unitsPerItem } from '../pace.ts'
import { letOthersRun } from '../stop.ts'
import { AppendQueue } from './append-queue.ts'
import { LineInput } from './line-input.ts'
import { listed } from './list.ts'
import { Substituting } from './substituting.ts'
import { SedOutputs } from './outputs.ts'
import { ScriptError, type RangeEnd, type Address, type Command, type Script, type Substitution } from './script.ts'

export interface RunOptions {
  readonly isQuiet: boolean
  /** `-s` and `-i`: each file is a separate input. */
  readonly isSeparate: boolean
  /**
   * Set with -i: replaces each file with the output. The suffix is appended to the name of the backup, or `*` in it is replaced
   * by the file name; if empty, no backup is kept.
   */
  readonly inPlaceSuffix: string | undefined
  /** -i edits what a link leads to, and does not replace the link. */
  readonly followsLinks: boolean
  readonly delimiter: string
  readonly listWidth: number
  readonly isPosix: boolean
}

/** The pattern space or hold space; `isEnded`: whether to write a newline after it. */
interface Space {
  text: string
  isEnded: boolean
}

/** `closed`: the range began at a line number, so it does not begin again. */
type RangeState = { kind: 'inactive' | 'closed' } | { kind: 'active'; untilLine: number | undefined }

type CycleEnd = 'next' | 'restart' | 'quit' | 'quit-silently'

/** Returns the exit code. */
export async function runScript(
  script: Script,
  names: readonly string[],
  options: RunOptions,
  context: ShellCommandContext,
): Promise<number> {
  const outputs = new SedOutputs(context, options.delimiter)
  const input = new LineInput(names, options, context, outputs)
  const machine = new Machine(script, options, context, input, outputs)
  return machine.run()
}

class Machine {
  private pattern: Space = { text: '', isEnded: true }
  private hold: Space = { text: '', isEnded: true }
  private lastRegex: Regex | undefined
  private isDeleted = false
  private hasReplaced = false
  private exitCode = 0
  private readonly ranges: RangeState[]
  private readonly appended: AppendQueue
  private readonly stop: StopCheck
  private readonly pace: Pace
  private readonly script: Script
  private readonly options: RunOptions
  private readonly context: ShellCommandContext
  private readonly input: LineInput
  private readonly outputs: SedOutputs
  private readonly isQuiet: boolean

  constructor(script: Script, options: RunOptions, context: ShellCommandContext, input: LineInput, outputs: SedOutputs) {
    this.script = script
    this.options = options
    this.context = context
    this.input = input
    this.outputs = outputs
    this.isQuiet = options.isQuiet || script.isQuiet
    this.stop = new StopCheck(context.signal)
    this.pace = paceOf(context.signal)
    this.ranges = script.commands.map(() => ({ kind: 'inactive' }))
    this.appended = new AppendQueue(context, outputs, options.delimiter)
    this.resetRanges()
  }

  async run(): Promise<number> {
    for (const { action } of this.script.commands) {
      if (action.kind === 'write' || action.kind === 'write-line') await this.outputs.openFile(action.file)
      if (action.kind === 'substitute' && action.substitution.file !== undefined)
        await this.outputs.openFile(action.substitution.file)
    }
    try {
      await this.runCycles()
    } catch (error) {
      // Standard output is closed; the output to files is still written.
      if (error instanceof BrokenPipeError) await this.outputs.flushFiles()
      throw error
    }
    return this.exitCode || this.input.exitCode
  }

  private async runCycles(): Promise<void> {
    let end: CycleEnd = 'next'
    while (end === 'next' || end === 'restart') {
      if (end === 'next' && !(await this.readLine())) break
      end = await this.cycle()
      if (end !== 'quit-silently') {
        if (!this.isQuiet && end !== 'restart') this.printPattern()
        if (end === 'quit') this.outputs.main.writeText('')
        await this.endCycle()
      }
    }
    await this.input.finish()
    await this.outputs.close()
  }

  private printPattern(): void {
    if (!this.isDeleted) this.outputs.main.writeLine(this.pattern.text, this.pattern.isEnded)
  }

  private async readLine(): Promise<boolean> {
    const before = this.input.fileCount
    const line = this.input.takeReady() ?? (await this.input.next())
    if (line === undefined) return false
    if (this.options.isSeparate && this.input.fileCount !== before && before > 0) this.beginFile()
    // A device gives lines without ever waiting.
    if (this.pace.isDue(line.text.length + unitsPerItem)) await this.pace.rest()
    this.pattern = { text: line.text, isEnded: line.isEnded }
    this.hasReplaced = false
    return true
  }

  /** With -s or -i, ranges, the files of R and the hold space are reset at the start of each file. */
  private beginFile(): void {
    this.resetRanges()
    this.appended.beginFile()
    this.hold = { text: '', isEnded: true }
  }

  private resetRanges(): void {
    for (const [index, { selection }] of this.script.commands.entries()) {
      const isFromZero = selection?.start.kind === 'line' && selection.start.line === 0 && selection.end !== undefined
      this.ranges[index] = isFromZero ? { kind: 'active', untilLine: undefined } : { kind: 'inactive' }
    }
  }

  /** Writes the queued text of a, r and R at the end of a cycle. */
  private async endCycle(): Promise<void> {
    if (!this.appended.isEmpty) await this.appended.write()
    if (this.outputs.isFull) await this.outputs.flush()
    this.stop.check()
  }

  /** `$i\\` without a text prints nothing. */
  private insertText(text: string): void {
    if (text !== '') this.outputs.main.writeLine(text.slice(0, -1), true)
  }

  private async cycle(): Promise<CycleEnd> {
    const { commands } = this.script
    this.isDeleted = false
    for (let counter = 0; counter < commands.length; counter++) {
      const command = commands[counter]
      if (command === undefined) break
      const { action } = command
      if (command.selection !== undefined && this.needsLookAhead(command)) await this.input.lookAhead()
      if (this.isSelected(command, counter) === command.isNegated) {
        if (action.kind === 'block') counter = action.end - 1
        continue
      }
      switch (action.kind) {
        case 'block':
        case 'block-end':
          break
        case 'substitute':
          {
            const rest = this.substitute(action.substitution)
            if (rest !== undefined) await rest
          }
          break
        case 'translate':
          this.pattern.text = Array.from(this.pattern.text, character => action.characters.get(character) ?? character).join('')
          break
        case 'text':
          if (action.where === 'a') this.appended.push({ kind: 'text', text: action.text })
          else if (action.where === 'i') this.insertText(action.text)
          else {
            const range = this.ranges[counter]
            if (command.selection?.end === undefined || command.isNegated || range?.kind !== 'active')
              this.insertText(action.text)
            return this.deleted()
          }
          break
        case 'read-file':
          this.appended.push({ kind: 'file', name: action.file })
          break
        case 'read-line':
          this.appended.push({ kind: 'line', name: action.file })
          break
        case 'write':
          this.outputs.file(action.file).writeLine(this.pattern.text, this.pattern.isEnded)
          break
        case 'write-line':
          this.outputs.file(action.file).writeLine(...this.firstLine())
          break
        case 'branch': {
          const isTaken = action.when === 'b' || (action.when === 't') === this.hasReplaced
          if (action.when !== 'b') this.hasReplaced = false
          if (isTaken) counter = action.target - 1
          this.stop.check()
          // A loop in the script may have no end.
          if (this.pace.isDue(unitsPerItem)) await this.pace.rest()
          break
        }
        case 'quit':
          this.exitCode = action.code
          return action.isSilent ? 'quit-silently' : 'quit'
        case 'list':
          this.outputs.main.writeLine(
            listed(this.pattern.text, action.width ?? this.options.listWidth, this.options.delimiter),
            true,
          )
          break
        case 'simple': {
          const end = await this.simple(action.letter)
          if (end !== undefined) return end
          break
        }
      }
    }
    return 'next'
  }

  private deleted(): CycleEnd {
    this.isDeleted = true
    return 'next'
  }

  private firstLine(): [text: string, isEnded: boolean] {
    const { text, isEnded } = this.pattern
    const end = text.indexOf(this.options.delimiter)
    return end < 0 ? [text, isEnded] : [text.slice(0, end), true]
  }

  private async simple(letter: string): Promise<CycleEnd | undefined> {
    const { pattern, hold } = this
    const { delimiter } = this.options
    switch (letter) {
      case 'd':
        return this.deleted()
      case 'D': {
        const end = pattern.text.indexOf(delimiter)
        if (end < 0) return this.deleted()
        pattern.text = pattern.text.slice(end + 1)
        return 'restart'
      }
      case 'g':
        this.pattern = { ...hold }
        return undefined
      case 'G':
        pattern.text += delimiter + hold.text
        pattern.isEnded = hold.isEnded
        return undefined
      case 'h':
        this.hold = { ...pattern }
        return undefined
      case 'H':
        hold.text += delimiter + pattern.text
        hold.isEnded = pattern.isEnded
        return undefined
      case 'x':
        this.pattern = hold
        this.hold = pattern
        return undefined
      case 'n':
      case 'N':
        return this.nextLine(letter)
      case 'p':
        this.outputs.main.writeLine(pattern.text, pattern.isEnded)
        return undefined
      case 'P':
        this.outputs.main.writeLine(...this.firstLine())
        return undefined
      case 'z':
        pattern.text = ''
        return undefined
      case '=':
        this.outputs.main.writeLine(String(this.input.lineNumber), true)
        return undefined
      case 'F':
        this.outputs.main.writeLine(this.input.name, true)
        return undefined
      default:
        throw new Error(`unreachable: ${letter}`)
    }
  }

  private async nextLine(letter: 'n' | 'N'): Promise<CycleEnd | undefined> {
    await this.input.lookAhead()
    const { pattern, hasReplaced } = this
    if (this.input.isLast()) {
      // Without a next line, GNU sed prints the pattern space and ends; with --posix, N deletes it.
      if (letter === 'N' && this.options.isPosix) this.isDeleted = true
      return 'next'
    }
    if (letter === 'n' && !this.isQuiet) this.outputs.main.writeLine(pattern.text, pattern.isEnded)
    await this.endCycle()
    if (!(await this.readLine())) return 'next'
    this.hasReplaced = hasReplaced
    if (letter === 'N') this.pattern.text = pattern.text + this.options.delimiter + this.pattern.text
    return undefined
  }

  private needsLookAhead({ selection }: Command): boolean {
    return selection?.start.kind === 'last' || selection?.end?.kind === 'last'
  }

  private isSelected({ selection }: Command, index: number): boolean {
    if (selection === undefined) return true
    const { start, end } = selection
    if (end === undefined) return this.matches(start)
    const line = this.input.lineNumber
    const range = this.ranges[index]
    if (range?.kind !== 'active') return range?.kind === 'inactive' && this.startsRange(selection, index)
    const { untilLine } = range
    const isOver =
      untilLine === undefined
        ? end.kind !== 'more' && end.kind !== 'multiple' && end.kind !== 'step' && this.matches(end)
        : line >= untilLine
    if (isOver) this.ranges[index] = { kind: start.kind === 'line' ? 'closed' : 'inactive' }
    // If the last line of a `+N` or `~N` range was skipped, the range selects one more line, as in GNU sed.
    return (
      untilLine === undefined ||
      line <= untilLine ||
      (end.kind !== 'line' && end.kind !== 'step') ||
      (start.kind !== 'line' && this.startsRange(selection, index))
    )
  }

  private startsRange({ start, end }: NonNullable<Command['selection']>, index: number): boolean {
    const line = this.input.lineNumber
    // A range may start after its line number if the command was skipped on that line, in a block or after d.
    if (start.kind === 'line' ? line < start.line : !this.matches(start)) return false
    const untilLine = end === undefined ? undefined : lastLineOf(end, line)
    // If the second address is not after the first, the range is one line.
    const isOver = (untilLine !== undefined && untilLine <= line) || (end?.kind === 'last' && this.matches(end))
    this.ranges[index] = isOver ? { kind: start.kind === 'line' ? 'closed' : 'inactive' } : { kind: 'active', untilLine }
    return untilLine === undefined || end?.kind !== 'line' || line <= untilLine || start.kind !== 'line' || line === start.line
  }

  private matches(address: Address): boolean {
    const line = this.input.lineNumber
    switch (address.kind) {
      case 'line':
        return line === address.line
      case 'step':
        return address.step <= 0 ? line === address.first : line >= address.first && (line - address.first) % address.step === 0
      case 'last':
        return this.input.isLast()
      case 'pattern':
        return this.regex(address.regex).test(this.pattern.text)
    }
  }

  private regex(given: Regex | undefined): Regex {
    if (given !== undefined) this.lastRegex = given
    if (this.lastRegex === undefined) throw new ScriptError('sed: no previous regular expression')
    return this.lastRegex
  }

  private substitute(substitution: Substitution): Promise<void> | undefined {
    const work = new Substituting(this.pattern.text, this.regex(substitution.regex), substitution)
    if (!work.runPart()) return this.substituteRest(work, substitution)
    this.endSubstitution(work, substitution)
    return undefined
  }

  private async substituteRest(work: Substituting, substitution: Substitution): Promise<void> {
    do await letOthersRun(this.context.signal)
    while (!work.runPart())
    this.endSubstitution(work, substitution)
  }

  private endSubstitution({ hasReplaced, result }: Substituting, substitution: Substitution): void {
    if (!hasReplaced) return
    this.hasReplaced = true
    this.pattern.text = result
    for (let time = 0; time < substitution.prints; time++) this.outputs.main.writeLine(this.pattern.text, this.pattern.isEnded)
    if (substitution.file !== undefined) this.outputs.file(substitution.file).writeLine(this.pattern.text, this.pattern.isEnded)
  }
}

/** The last line of a range that begins at `line`, if its numbers determine it. */
function lastLineOf(end: RangeEnd, line: number): number | undefined {
  switch (end.kind) {
    case 'line':
      return end.line
    case 'more':
      return line + end.count
    case 'multiple':
      return line + (end.of === 0 ? 0 : end.of - (line % end.of))
    case 'step':
      return end.step <= 0 || line <= end.first ? end.first : end.first + Math.ceil((line - end.first) / end.step) * end.step
    default:
      return undefined
  }
}
