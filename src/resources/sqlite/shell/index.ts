// The program `sqlite3` for a shell, over the files that the shell sees. Nothing of SQLite is loaded before it is called.

import type { ShellCommandDefinition } from '../../../shell/commands.ts'

/**
 * The command `sqlite3 [OPTIONS] [FILE [SQL]...]` for `shell: justBash({ commands: [sqlite3()] })`. It reads the database as a whole, and
 * replaces it in one step when it is done: a file that somebody else changed meanwhile is not overwritten. The engine (about 480 kB gzipped)
 * is loaded with the first call. Where WebAssembly cannot be compiled (Cloudflare Workers), it ends with an error.
 *
 * @example
 * const workspace = await createWorkspace({ fs: memory(), shell: justBash({ commands: [sqlite3()] }) })
 */
export function sqlite3(): ShellCommandDefinition {
  return {
    name: 'sqlite3',
    help: 'Runs SQL on a database file (`sqlite3 file.db "SELECT …"`, `.tables`, `.schema`, `.import`, `.dump`, `-csv`, `-json`).',
    run: async context => (await import('./run.ts')).run(context),
  }
}
