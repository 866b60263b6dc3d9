// The outputs of sed: the main output, which -i redirects to a file, and the files of `w`.

import { encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext, ShellOutput } from '../../../../shell/commands.ts'
import { pathFrom } from '../../physical-files.ts'
import { FileOutput } from '../filter/file-output.ts'
import { TextOutput } from '../filter/output.ts'
import { ScriptError } from './script.ts'
import { reasonOf } from '../../errno.ts'

/** Preserves a missing final newline: the last line is written without one if the input had none, unless more output follows. */
export class LineOutput {
  readonly output: TextOutput
  private lacksEnd = false
  private readonly delimiter: string

  constructor(target: ShellOutput, delimiter: string) {
    this.output = new TextOutput(target)
    this.delimiter = delimiter
  }

  writeLine(text: string, isEnded: boolean): void {
    this.output.write(this.missingEnd() + text + (isEnded ? this.delimiter : ''))
    this.lacksEnd = !isEnded
  }

  writeText(text: string): void {
    this.output.write(this.missingEnd() + text)
  }

  private missingEnd(): string {
    if (!this.lacksEnd) return ''
    this.lacksEnd = false
    return this.delimiter
  }
}

export class SedOutputs {
  main: LineOutput
  private readonly stdout: LineOutput
  private readonly files = new Map<string, { readonly lines: LineOutput; readonly save?: () => Promise<void> }>()
  private readonly context: ShellCommandContext
  private readonly delimiter: string

  constructor(context: ShellCommandContext, delimiter: string) {
    this.context = context
    this.delimiter = delimiter
    this.stdout = new LineOutput(context.stdout, delimiter)
    this.main = this.stdout
  }

  get isFull(): boolean {
    return this.main.output.isFull
  }

  async flush(): Promise<void> {
    await this.main.output.flush()
  }

  /** Called before `name` is read: if it is a file of `w`, flushes what was written to it. */
  async saveBeforeReading(name: string): Promise<void> {
    const path = pathFrom(this.context.cwd, name)
    for (const [written, { lines, save }] of this.files) {
      if (pathFrom(this.context.cwd, written) !== path) continue
      await lines.output.flush()
      await save?.()
    }
  }

  /** Writes all buffered output to the files of `w`. */
  async flushFiles(): Promise<void> {
    for (const { lines, save } of this.files.values()) {
      await lines.output.flush()
      await save?.()
    }
  }

  /** Truncates a file of `w` before any input is read, even if the script never writes to it. */
  async openFile(name: string): Promise<void> {
    if (this.files.has(name) || name === '/dev/stdout') return
    if (name === '/dev/stderr') {
      this.files.set(name, { lines: new LineOutput(this.context.stderr, this.delimiter) })
      return
    }
    const { files, cwd } = this.context
    let file: FileOutput
    try {
      file = await FileOutput.open(files, pathFrom(cwd, name), { isAppended: false })
    } catch (error) {
      throw new ScriptError(`sed: couldn't open file ${name}: ${reasonOf(error)}`, 4)
    }
    const target: ShellOutput = { write: data => file.write(typeof data === 'string' ? encodeText(data) : data) }
    this.files.set(name, { lines: new LineOutput(target, this.delimiter), save: () => file.save() })
  }

  file(name: string): LineOutput {
    // `/dev/stdout` is the real standard output, even with -i.
    return this.files.get(name)?.lines ?? this.stdout
  }

  redirect(target: ShellOutput | undefined): void {
    this.main = target === undefined ? this.stdout : new LineOutput(target, this.delimiter)
  }

  async close(): Promise<void> {
    await this.main.output.flush()
    if (this.main !== this.stdout) await this.stdout.output.flush()
    await this.flushFiles()
  }
}
