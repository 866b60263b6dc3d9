// The commands that a workspace adds to its shell.

import { parsePath } from '../../core/path.ts'
import { readAll, type ShellCommandDefinition } from '../../shell/commands.ts'
import type { RgWorkspace } from './rg.ts'

/** Loaded on first use. */
export function rgCommand(workspace: RgWorkspace): ShellCommandDefinition {
  return {
    name: 'rg',
    help: "Searches file contents by regular expression, with ripgrep's options.",
    run: async ({ args, cwd, env, stdin, stdout, stderr, signal }) => {
      const { rg } = await import('./rg.ts')
      const input = stdin.isGiven ? await readAll(stdin) : undefined
      const result = await rg(args, { cwd: parsePath(cwd), stdin: input, env, signal }, workspace)
      await stderr.write(result.stderr)
      await stdout.write(result.stdout)
      return result.exitCode
    },
  }
}
