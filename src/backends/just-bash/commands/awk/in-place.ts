// `-i inplace`: what is printed while a file is read replaces that file.

import { collectOutput, type ShellCommandContext, type ShellOutput } from '../../../../shell/commands.ts'
import { pathOf, statIfThere } from '../program.ts'

interface Edited {
  readonly name: string
  readonly collected: ReturnType<typeof collectOutput>
}

export class InPlace {
  /** Standard output, or while a file is edited its new content. */
  readonly stdout: ShellOutput
  #edited: Edited | undefined
  readonly #context: ShellCommandContext

  constructor(context: ShellCommandContext) {
    this.#context = context
    this.stdout = { write: bytes => (this.#edited?.collected ?? context.stdout).write(bytes) }
  }

  async begin(name: string): Promise<void> {
    const found = await statIfThere(this.#context, pathOf(this.#context, name))
    const isRegular = found?.kind === 'file' && found.device === undefined && name !== '-'
    if (isRegular) this.#edited = { name, collected: collectOutput() }
    else await this.#context.stderr.write(`awk: warning: '${name}' is not a regular file, so it is not edited in place\n`)
  }

  /** Replaces the file that is edited. With a `suffix`, a backup keeps the old content. */
  async end(suffix: string): Promise<void> {
    if (this.#edited === undefined) return
    const { name, collected } = this.#edited
    this.#edited = undefined
    const { files } = this.#context
    const path = pathOf(this.#context, name)
    if (suffix !== '') {
      const { mode } = await files.stat(path)
      await files.writeFile(path + suffix, await files.readFile(path), { mode })
    }
    await files.writeFile(path, collected.bytes())
  }
}
