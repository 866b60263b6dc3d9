// One call of the command `js`, and programs with what they print. The rows run in Node and in browsers.

import { js } from '../../backends/quickjs/index.ts'
import { collectOutput, inputOf } from '../../shell/commands.ts'
import type { Vfs } from '../../vfs/vfs.ts'

export interface JsAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

const command = js()

export async function callJs(files: Vfs, args: readonly string[], input?: string, signal?: AbortSignal): Promise<JsAnswer> {
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
