// One call of the command `python3`. The rows run in Node and in browsers.

import { python3 } from '../../backends/pyodide/index.ts'
import { collectOutput, inputOf, type ShellCommandDefinition } from '../../shell/commands.ts'
import type { Vfs } from '../../vfs/vfs.ts'

export interface PythonAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

export const commonCommand: ShellCommandDefinition = python3()

export async function callPython(
  files: Vfs,
  args: readonly string[],
  {
    input,
    signal,
    command = commonCommand,
  }: { input?: string | undefined; signal?: AbortSignal; command?: ShellCommandDefinition } = {},
): Promise<PythonAnswer> {
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  const code = await command.run({
    args,
    cwd: '/w',
    env: { HOME: '/w', GREETING: 'hi' },
    stdin: inputOf(input === undefined ? undefined : new TextEncoder().encode(input)),
    stdout,
    stderr,
    files,
    signal: signal ?? new AbortController().signal,
  })
  const text = (output: typeof stdout): string => new TextDecoder().decode(output.bytes())
  return { stdout: text(stdout), stderr: text(stderr), code }
}
