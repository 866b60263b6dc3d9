import type { ShellCommandContext, ShellCommandDefinition } from '../../../shell/commands.ts'

export type Run = (context: ShellCommandContext) => Promise<number>

/** A program whose code is loaded when it is first called. */
export function lazy(name: string, help: string, load: () => Promise<Run>): ShellCommandDefinition {
  return { name, help, run: async context => (await load())(context) }
}
