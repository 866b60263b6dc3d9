// A command of just-bash's own, for those that this shell has none for yet. The engine is large, so it is loaded when the first of them is
// called.

import type { CommandContext, CommandResult } from './command.ts'

export async function runInEngine(name: string, args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const { runEngineCommand } = await import('../engine.ts')
  return runEngineCommand(name, args, context)
}
