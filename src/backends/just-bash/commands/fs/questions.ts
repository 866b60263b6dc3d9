// Prompts of `rm -i`, `cp -i` and `mv -i`: a question on standard error, answered by a line of standard input. End of input means no.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { RecordReader } from '../filter/record-reader.ts'

export class Questions {
  private readonly answers: RecordReader
  private readonly context: ShellCommandContext
  private readonly command: string

  constructor(context: ShellCommandContext, command: string) {
    this.context = context
    this.command = command
    this.answers = new RecordReader(context.stdin, '\n')
  }

  async ask(question: string): Promise<boolean> {
    await this.context.stderr.write(`${this.command}: ${question}? `)
    const answer = await this.answers.next()
    return /^[yY]/.test(answer?.text ?? '')
  }
}
