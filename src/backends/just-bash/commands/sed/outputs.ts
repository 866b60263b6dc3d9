// Where sed writes: its main output, which -i turns into a file, and the files of w.

import { encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext, ShellOutput } from '../../../../shell/commands.ts'
import { resolveFrom } from '../../../../shell/files.ts'
import { TextOutput } from '../filter/output.ts'
import { reasonOf } from '../inputs.ts'
import { ScriptError } from './script.ts'

/** Lines go out as they came: the last one without its end, if it had none, unless something follows it. */
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
  private readonly files = new Map<string, LineOutput>()
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

  /** What the files of w should hold by now. */
  async flushFiles(): Promise<void> {
    for (const { output } of this.files.values()) await output.flush()
  }

  /** A file of w is emptied before anything is read, used or not. */
  async openFile(name: string): Promise<void> {
    if (this.files.has(name) || name === '/dev/stdout') return
    if (name === '/dev/stderr') {
      this.files.set(name, new LineOutput(this.context.stderr, this.delimiter))
      return
    }
    const { files, cwd } = this.context
    const path = resolveFrom(cwd, name)
    try {
      await files.writeFile(path, new Uint8Array())
    } catch (error) {
      throw new ScriptError(`sed: couldn't open file ${name}: ${reasonOf(error)}`, 4)
    }
    const target: ShellOutput = {
      write: async data => {
        await files.writeFile(path, typeof data === 'string' ? encodeText(data) : data, { append: true })
      },
    }
    this.files.set(name, new LineOutput(target, this.delimiter))
  }

  file(name: string): LineOutput {
    // Even with -i that is where the script's output goes.
    return this.files.get(name) ?? this.stdout
  }

  /** From now on the main output is `target`; without one it is standard output again. */
  redirect(target: ShellOutput | undefined): void {
    this.main = target === undefined ? this.stdout : new LineOutput(target, this.delimiter)
  }

  async close(): Promise<void> {
    await this.main.output.flush()
    if (this.main !== this.stdout) await this.stdout.output.flush()
    await this.flushFiles()
  }
}
