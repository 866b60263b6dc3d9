// Runs one script from start to end. The driver of the shell calls it on the current thread or in a worker.

import type { ShellCommandDefinition } from '../../../shell/commands.ts'
import { encodeText } from '../../../shell/byte-text.ts'
import type { ScriptFiles } from '../places.ts'
import { Parser } from '../syntax/parser.ts'
import { wordOf, readQuotedUntil } from '../syntax/words.ts'
import { Description, Descriptors, inputFile, nullFile, outputFile } from './descriptors.ts'
import { prepareVariables } from './environment.ts'
import { bindCalls, runProcess, runText } from './calls.ts'
import { builtins } from './builtins/table.ts'
import * as execution from './execute.ts'
import { runBuiltin } from './simple-command.ts'
import { expandParameter } from './parameter-expansion.ts'
import { evaluateValue, expandQuoted } from './expand.ts'
import { OpenFiles } from './open-files.ts'
import { runProgram } from './programs.ts'
import { Run } from './run.ts'
import { Shell } from './shell.ts'
import { provideAll } from './substitutions.ts'

export interface ScriptRequest {
  readonly script: string
  /** `script` is the name of a program that gets these arguments. Nothing is parsed. */
  readonly args?: readonly string[]
  readonly files: ScriptFiles
  readonly cwd: string
  /** All variables of the environment; each is exported. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  /** Ends the script, and everything that it waits for, immediately. */
  readonly signal: AbortSignal
  /** Called before each command and each iteration of a loop. A busy script handles no events, so it must ask whether to stop. */
  readonly isStopped: () => boolean
  /** Awaited before each command, so that other work can run on a shared thread. */
  readonly pause?: () => Promise<void>
  /** Called before the script waits. */
  readonly onWait?: () => void
  readonly commands: ReadonlyMap<string, ShellCommandDefinition>
  /** Whether the user has files at the paths of the virtual programs. */
  readonly hasOwnPrograms: boolean
  /** Receives the output in the order in which it was written. */
  readonly onOutput: (channel: 'stdout' | 'stderr', bytes: Uint8Array) => void
}

/** Returns the exit code of the script. Rejects only because of a bug. */
export async function runScriptRequest(request: ScriptRequest): Promise<number> {
  provide()
  const { signal, isStopped, pause, onWait = () => undefined, commands, hasOwnPrograms, onOutput } = request
  const run = new Run({ files: new OpenFiles(request.files), commands, signal, isStopped, pause, onWait, hasOwnPrograms })
  run.home = request.env['HOME'] ?? ''
  let written = 0
  let isCut = false
  const terminal = (channel: 'stdout' | 'stderr'): Description =>
    new Description(
      outputFile(bytes => {
        if (bytes.length === 0) return
        written += bytes.length
        if (written > mostOutputBytes && !isCut) {
          isCut = true
          onOutput(
            'stderr',
            encodeText(`bash: the output limit of ${mostOutputBytes} bytes was exceeded; write to a file instead\n`),
          )
          shell.kill(outputLimitStatus)
        }
        if (!isCut) onOutput(channel, bytes)
      }),
    )
  const input =
    request.stdin === undefined ? { ...nullFile, kind: 'terminal' as const, canWrite: false } : inputFile(request.stdin)
  const stderr = terminal('stderr')
  run.report = text => run.writeTo(stderr, text)
  const descriptors = new Descriptors([
    [0, new Description(input)],
    [1, terminal('stdout')],
    [2, stderr],
  ])
  const shell = new Shell({
    run,
    descriptors,
    environment: request.env,
    cwd: request.cwd,
    name: 'bash',
    parameters: [],
    parentPid: 4099,
    isCommandString: true,
    signal,
  })
  run.processes.set(shell.pid, shell)
  prepareVariables(shell)
  shell.variables.obtain('BASH_EXECUTION_STRING').scalar = request.script
  const status = await runProcess(shell, () =>
    request.args === undefined
      ? runText(shell, request.script, { origin: '-c' })
      : runProgram(shell, [request.script, ...request.args]),
  )
  // The script ends only after every process that may still write to its output.
  await run.backgroundEnds()
  return status
}

/** Four times the output that a caller keeps. It bounds the queue for a slow reader. */
const mostOutputBytes = 64 * 1024 * 1024
const outputLimitStatus = 126

let isProvided = false

/** Connects modules that depend on each other: expansion runs commands, and commands are expanded. */
export function provide(): void {
  if (isProvided) return
  isProvided = true
  bindCalls({
    runText: execution.runText,
    runScript: execution.runScript,
    runCommand: execution.runCommand,
    runAlone: execution.runAlone,
    runProcess: execution.runProcess,
    runBuiltin,
    ignoringErrexit: execution.ignoringErrexit,
    expandParameter,
    builtinNames: () => builtins.keys(),
    hasBuiltin: name => builtins.has(name),
  })
  provideAll()
  Shell.evaluateValue = evaluateValue
  Shell.expandPromptOf = (shell, text) => {
    const parts = readQuotedUntil(new Parser(text), () => false, '$`\\')
    return expandQuoted(shell, wordOf(parts, text))
  }
}
