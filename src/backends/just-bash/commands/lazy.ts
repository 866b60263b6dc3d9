import type { ShellCommandContext, ShellCommandDefinition } from '../../../shell/commands.ts'

export type Run = (context: ShellCommandContext) => Promise<number>

/** A command whose code is loaded at its first call. */
export function lazy(name: string, help: string, load: () => Promise<Run>): ShellCommandDefinition {
  return { name, help, run: async context => (await load())(context) }
}
