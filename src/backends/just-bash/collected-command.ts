// A command of the host for an interpreter that has its input, and wants its output, in one piece.

import { BrokenPipeError, collectOutput, inputOf, type ShellCommandDefinition } from '../../shell/commands.ts'
import type { ShellFiles } from '../../shell/files.ts'
import type { CommandAnswer, CommandRequest } from './protocol.ts'

export type CollectedRequest = Omit<CommandRequest, 'name'> & { readonly files: ShellFiles; readonly signal: AbortSignal }

export async function runCollected(command: ShellCommandDefinition, request: CollectedRequest): Promise<CommandAnswer> {
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  let exitCode: number
  try {
    exitCode = await command.run({ ...request, stdin: inputOf(request.stdin), stdout, stderr })
  } catch (error) {
    // Nobody closes these outputs; an output of the command's own may still be closed.
    if (!(error instanceof BrokenPipeError)) throw error
    exitCode = 141
  }
  return { stdout: stdout.bytes(), stderr: stderr.bytes(), exitCode }
}
