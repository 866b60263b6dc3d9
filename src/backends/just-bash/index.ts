// The default shell: bash commands on the files of the workspace, without a server, in Node and in pages.

import { checkOptions } from '../../core/argument.ts'
import { checkMember } from '../../core/errors.ts'
import type { ShellFactory } from '../../shell/factory.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { readAll as readWhole, type ShellCommandDefinition, type ShellInput } from '../../shell/commands.ts'
import { createJustBash, type JustBashOptions } from './shell.ts'

/**
 * The default shell of `createWorkspace`. If workers can be started, scripts run in them, and a stuck script is ended without losing
 * anything else. `capabilities.kill` says which it is: `signal` in workers, `soft` on the thread of the workspace. Errors: as `Shell`.
 */
export function justBash(options: JustBashOptions = {}): ShellFactory<Vfs> {
  checkOptions('justBash', options, { env: 1, commands: 1, worker: 1, maxWorkers: 1, abortFlag: 1 })
  return context => createJustBash(context, options)
}

/**
 * Describes a command for `shell: justBash({ commands: [...] })`.
 *
 * @example
 * defineCommand({
 *   name: 'shout',
 *   help: 'Prints its input in capitals.',
 *   async run({ stdin, stdout }) {
 *     await stdout.write(new TextDecoder().decode(await readAll(stdin)).toUpperCase())
 *     return 0
 *   },
 * })
 */
export function defineCommand(definition: ShellCommandDefinition): ShellCommandDefinition {
  checkMember('defineCommand', definition, 'run', '{ name, run }')
  return definition
}

/** Reads the complete `input`. Rejects above 256 MiB. */
export async function readAll(input: ShellInput): Promise<Uint8Array> {
  checkMember('readAll', input, 'read', 'the stdin of a command')
  return await readWhole(input)
}

export { BrokenPipeError } from '../../shell/commands.ts'
export type { ShellCommandContext, ShellCommandDefinition, ShellInput, ShellOutput } from '../../shell/commands.ts'
export type { JustBashOptions }
