// The input lines: of all files as one input, or of each file separately (-s, -i). It reads one line ahead only if the script
// uses the address `$`.

import { collectOutput, type CollectedOutput, type ShellCommandContext } from '../../../../shell/commands.ts'
import { pathFrom } from '../../physical-files.ts'
import { isDirectory, openInput } from '../filter/input.ts'
import { replaceFile } from '../replace-file.ts'
import { RecordReader, type TextRecord } from '../filter/record-reader.ts'
import type { SedOutputs } from './outputs.ts'
import type { RunOptions } from './run.ts'
import { reasonOf } from '../../errno.ts'

interface Edited {
  readonly path: string
  readonly before: Uint8Array
  readonly output: CollectedOutput
}

export class LineInput {
  lineNumber = 0
  /** The file name as given on the command line. */
  name = '-'
  /** The number of files opened so far. */
  fileCount = 0
  exitCode = 0
  private reader: RecordReader | undefined
  private ahead: TextRecord | undefined
  private edited: Edited | undefined
  private nextFile = 0
  private readonly names: readonly string[]
  private readonly options: RunOptions
  private readonly context: ShellCommandContext
  private readonly outputs: SedOutputs

  constructor(names: readonly string[], options: RunOptions, context: ShellCommandContext, outputs: SedOutputs) {
    this.names = names.length === 0 ? ['-'] : names
    this.options = options
    this.context = context
    this.outputs = outputs
  }

  /** The next line, if it has already been read. */
  takeReady(): TextRecord | undefined {
    const { ahead } = this
    if (ahead !== undefined) {
      this.ahead = undefined
      this.lineNumber += 1
      return ahead
    }
    const line = this.reader?.take()
    if (line === undefined || line === 'more') return undefined
    this.lineNumber += 1
    return line
  }

  /** The next line, from the current file or a later one. */
  async next(): Promise<TextRecord | undefined> {
    for (;;) {
      const ready = this.takeReady()
      if (ready !== undefined) return ready
      if (!(await this.fillOrOpen(true))) return undefined
    }
  }

  /** Must be awaited before `isLast` is called. */
  async lookAhead(): Promise<void> {
    // Without -s, the next file continues the same input.
    while (this.ahead === undefined) {
      const line = this.reader?.take()
      if (line !== undefined && line !== 'more') this.ahead = line
      else if (line === 'more') await this.reader?.fill()
      else if (this.options.isSeparate || !(await this.open())) return
    }
  }

  /** Whether this is the last line: of the current file with -s, else of all files. Call `lookAhead` first. */
  isLast(): boolean {
    return this.ahead === undefined
  }

  private async fillOrOpen(isNewInput: boolean): Promise<boolean> {
    if (this.reader !== undefined && this.reader.take() === 'more') {
      await this.reader.fill()
      return true
    }
    await this.finish()
    const isOpen = await this.open()
    if (isOpen && isNewInput && this.options.isSeparate) this.lineNumber = 0
    return isOpen
  }

  /** Opens the next readable file; false if there is none. */
  private async open(): Promise<boolean> {
    while (this.nextFile < this.names.length) {
      const name = this.names[this.nextFile] ?? '-'
      this.nextFile += 1
      if (await this.openNamed(name)) return true
    }
    this.reader = undefined
    return false
  }

  private async openNamed(name: string): Promise<boolean> {
    const isInPlace = this.options.inPlaceSuffix !== undefined
    await this.outputs.saveBeforeReading(name)
    if (await isDirectory(name, this.context)) {
      await this.complain(isInPlace ? `couldn't edit ${name}: not a regular file` : `read error on ${name}: Is a directory`, 4)
      // This error ends the input.
      this.nextFile = this.names.length
      return false
    }
    try {
      // With -i, `-` is the name of a file.
      const input = await openInput(isInPlace && name === '-' ? './-' : name, this.context)
      this.reader = new RecordReader(input, this.options.delimiter)
    } catch (error) {
      await this.complain(`can't read ${name}: ${reasonOf(error)}`, 2)
      return false
    }
    this.name = name
    this.fileCount += 1
    if (isInPlace) await this.beginEdit(name)
    return true
  }

  private async complain(message: string, exitCode: number): Promise<void> {
    this.exitCode = exitCode
    await this.outputs.flush()
    await this.context.stderr.write(`sed: ${message}\n`)
  }

  private async beginEdit(name: string): Promise<void> {
    const { files, cwd } = this.context
    const link = pathFrom(cwd, name)
    const path = this.options.followsLinks ? await files.realpath(link) : link
    const before = await files.readFile(path)
    const output = collectOutput()
    this.edited = { path, before, output }
    this.outputs.redirect(output)
  }

  /** With -i, replaces the file with the collected output in a single write. */
  async finish(): Promise<void> {
    const { edited } = this
    if (edited === undefined) return
    this.edited = undefined
    const { files } = this.context
    const { path } = edited
    await this.outputs.flush()
    this.outputs.redirect(undefined)
    const suffix = this.options.inPlaceSuffix ?? ''
    const { kind, nlink } = await files.lstat(path)
    const { mode } = await files.stat(path)
    // What a link leads to stays as it is, and so do other names of the file.
    const isReplaced = kind === 'symlink' || nlink > 1
    if (suffix !== '') {
      const cut = path.lastIndexOf('/') + 1
      const base = path.slice(cut)
      const copy = suffix.includes('*') ? suffix.replaceAll('*', () => base) : base + suffix
      const kept = copy.includes('/') ? pathFrom(this.context.cwd, copy) : path.slice(0, cut) + copy
      if (isReplaced) await files.rename(path, kept)
      else await files.writeFile(kept, edited.before)
    }
    if (isReplaced) await replaceFile(files, path, edited.output.bytes(), mode)
    else await files.writeFile(path, edited.output.bytes())
  }
}
