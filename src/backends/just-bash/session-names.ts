// The completions of a session, and the test whether a line is complete.

import type { CompletionSource } from '../../shell/completion.ts'
import type { FileEntry } from '../../shell/files.ts'
import { tableOf } from './commands/own-commands.ts'
import type { ShellState } from './interpreter/shell-state.ts'
import { Parser } from './syntax/parser.ts'
import { SyntaxProblem } from './syntax/source.ts'
import type { ScriptHost } from './script.ts'

const words = [
  'alias bg break builtin case cd command continue declare dirs do done echo elif else esac eval exec exit export false fg fi for',
  'function getopts help history if jobs kill let local mapfile popd printf pushd pwd read readonly return select set shift shopt source',
  'test then time times trap true type typeset ulimit umask unalias unset until wait while',
].flatMap(line => line.split(' '))

export class SessionNames implements CompletionSource {
  readonly home: string
  readonly #host: ScriptHost
  #state: ShellState | undefined

  constructor(host: ScriptHost) {
    this.#host = host
    this.home = host.env['HOME'] ?? host.root
  }

  /** Updates the names from the state after a command. */
  take(state: ShellState): void {
    this.#state = state
  }

  readonly commands = (): readonly string[] => {
    const own = this.#state
    const defined = own === undefined ? [] : [...own.functions.map(([name]) => name), ...own.aliases.map(([name]) => name)]
    return [...words, ...tableOf(this.#host.commands).keys(), ...defined]
  }

  readonly variables = (): readonly string[] => {
    const names = this.#state?.variables.map(([name]) => name) ?? ['HOME', 'PATH', 'PWD', 'OLDPWD', 'USER', 'SHELL', 'IFS']
    return [...names].sort()
  }

  readonly list = (directory: string): Promise<readonly FileEntry[]> => this.#host.vfs.readdir(directory)

  async isIncomplete(line: string): Promise<boolean> {
    // A line that ends with a backslash continues, regardless of its content.
    if (/(^|[^\\])(\\\\)*\\$/.test(line)) return true
    try {
      new Parser(line, { isExtendedGlob: () => true }).all()
      return false
    } catch (error) {
      if (error instanceof SyntaxProblem) return error.isIncomplete
      throw error
    }
  }
}
