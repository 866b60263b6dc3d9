// The only file that imports just-bash: a few of its commands are used. The build replaces what this compiles to by one self-contained
// bundle (.ci/vendor-bundles.mjs), so its types are ours and plain: whoever imports them never needs just-bash.

import { Bash } from 'just-bash/browser'
import type { CommandContext, CommandResult } from './commands/command.ts'
import { quote } from './script.ts'

// Time is the bound that a command really has; these only stop what grows without end.
const limits = {
  maxCommandCount: 50_000_000,
  maxLoopIterations: 50_000_000,
  maxAwkIterations: 50_000_000,
  maxSedIterations: 50_000_000,
  maxWorkUnits: 10_000_000_000,
  maxOutputSize: 64 * 1024 * 1024,
}

/** Runs the engine's own command `name`. */
export async function runEngineCommand(name: string, args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const bash = new Bash({
    fs: context.fs,
    cwd: context.cwd,
    env: { ...context.env },
    executionLimits: limits,
    defenseInDepth: false,
  })
  const result = await bash.exec(quote(name), {
    rawScript: true,
    signal: context.signal,
    args: [...args],
    stdin: context.stdin,
    stdinKind: 'bytes',
  })
  return { stdout: result.stdout, stderr: result.stderr, exitCode: result.exitCode }
}
