// The files and commands that an awk program reads from and writes to, by name.

import { encodeText } from '../../../../shell/byte-text.ts'
import { collectOutput, inputOf, type ShellCommandContext } from '../../../../shell/commands.ts'
import { pathFrom } from '../../physical-files.ts'
import { openInput } from '../filter/input.ts'
import { FileOutput } from '../filter/file-output.ts'
import { TextOutput } from '../filter/output.ts'
import { AwkError } from './error.ts'
import { RecordInput } from './record-input.ts'
import { reasonOf } from '../../errno.ts'

interface Output {
  readonly output: TextOutput
  readonly isPipe?: boolean
  /** Set for a file: makes the written data visible to others. */
  readonly save?: () => Promise<void>
  /** Closes the stream and returns the value of `close`. */
  readonly close: () => Promise<number>
}

export class Streams {
  readonly stdout: TextOutput
  private readonly outputs = new Map<string, Output>()
  private readonly readers = new Map<string, { readonly input: RecordInput; readonly exitCode: number }>()
  private readonly context: ShellCommandContext

  constructor(context: ShellCommandContext) {
    this.context = context
    this.stdout = new TextOutput(context.stdout)
  }

  async outputTo(kind: 'file' | 'append' | 'pipe', name: string): Promise<TextOutput> {
    const known = this.outputs.get(name)
    if (known !== undefined) return known.output
    // Output printed before the command starts must precede the command's output.
    if (kind === 'pipe') await this.stdout.flush()
    const made = kind === 'pipe' ? this.pipeTo(name) : await this.openFile(name, kind === 'append')
    this.outputs.set(name, made)
    return made.output
  }

  private pipeTo(commandLine: string): Output {
    // The command starts only after all of its input has been written.
    const collected = collectOutput()
    const output = new TextOutput(collected)
    const close = async (): Promise<number> => {
      await output.flush()
      return this.execute(commandLine, collected.bytes())
    }
    return { output, close, isPipe: true }
  }

  private async openFile(name: string, isAppended: boolean): Promise<Output> {
    const special = name === '/dev/stdout' || name === '-' ? this.stdout : undefined
    if (special !== undefined) return { output: special, close: () => Promise.resolve(0) }
    if (name === '/dev/stderr') {
      const output = new TextOutput(this.context.stderr)
      return { output, close: () => output.flush().then(() => 0) }
    }
    const { files, cwd } = this.context
    const path = pathFrom(cwd, name)
    let file: FileOutput
    try {
      file = await FileOutput.open(files, path, { isAppended })
    } catch (error) {
      throw new AwkError(`cannot redirect to \`${name}': ${reasonOf(error)}`)
    }
    const output = new TextOutput({
      write: data => file.write(typeof data === 'string' ? encodeText(data) : data),
    })
    const save = async (): Promise<void> => {
      await output.flush()
      await file.save()
    }
    return { output, save, close: () => save().then(() => 0) }
  }

  async fileInput(name: string): Promise<RecordInput | undefined> {
    const known = this.readers.get(name)
    if (known !== undefined) return known.input
    try {
      const input = new RecordInput(await openInput(name, this.context))
      this.readers.set(name, { input, exitCode: 0 })
      return input
    } catch {
      // `getline` returns -1.
      return undefined
    }
  }

  async commandInput(commandLine: string): Promise<RecordInput> {
    const known = this.readers.get(commandLine)
    if (known !== undefined) return known.input
    await this.flush()
    const collected = collectOutput()
    const exitCode = await this.executeInto(commandLine, undefined, collected)
    const input = new RecordInput(inputOf(collected.bytes()))
    this.readers.set(commandLine, { input, exitCode })
    return input
  }

  /** Implements `system`. */
  async system(commandLine: string): Promise<number> {
    await this.flush()
    return this.execute(commandLine, undefined)
  }

  private execute(commandLine: string, stdin: Uint8Array | undefined): Promise<number> {
    return this.executeInto(commandLine, stdin, this.context.stdout)
  }

  private async executeInto(
    commandLine: string,
    stdin: Uint8Array | undefined,
    stdout: ShellCommandContext['stdout'],
  ): Promise<number> {
    const { exec } = this.context
    if (exec === undefined) throw new AwkError('commands cannot be run from awk here')
    return exec(['sh', '-c', commandLine], { stdout, ...(stdin === undefined ? {} : { stdin: inputOf(stdin) }) })
  }

  /** Returns -1 if no stream of this name is open. */
  async close(name: string): Promise<number> {
    const output = this.outputs.get(name)
    const reader = this.readers.get(name)
    if (output === undefined && reader === undefined) return -1
    this.outputs.delete(name)
    this.readers.delete(name)
    if (output?.isPipe === true) await this.stdout.flush()
    const outputCode = output === undefined ? 0 : await output.close()
    return outputCode || (reader?.exitCode ?? 0)
  }

  async flush(name?: string): Promise<number> {
    if (name !== undefined && name !== '') {
      const output = this.outputs.get(name)
      if (output === undefined) return -1
      await (output.save === undefined ? output.output.flush() : output.save())
      return 0
    }
    await this.stdout.flush()
    for (const { output, save } of this.outputs.values()) await (save === undefined ? output.flush() : save())
    return 0
  }

  async closeAll(): Promise<void> {
    const outputs = [...this.outputs.values()]
    // gawk keeps less than one block of its own output buffered until its commands have ended.
    if (outputs.some(({ isPipe }) => isPipe === true)) await this.stdout.flushBlocks(4096)
    else await this.stdout.flush()
    for (const { close } of outputs) await close()
    this.outputs.clear()
    await this.stdout.flush()
  }
}
