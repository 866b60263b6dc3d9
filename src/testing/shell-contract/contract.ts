// Tests any shell with the same table of cases. A declared deviation that no longer occurs is also a failure.

import { checkArguments } from '../../core/argument.ts'
import { checkMember } from '../../core/errors.ts'
import { parsePath, type VfsPath } from '../../core/path.ts'
import { runCommand, type CommandOutcome, type RunOptions } from '../../shell/run.ts'
import type { Shell, ShellCapabilities, ShellCommand } from '../../shell/shell.ts'
import { patience, timeOutByHand } from './time-out-by-hand.ts'

/** A shell with a separate directory, which is empty at first. */
export interface ShellHarness {
  readonly shell: Shell
  /** The shell's name for its directory. */
  readonly root: string
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>
  readonly read: (name: string) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** The expected result of a script. */
export interface ShellExpectation {
  /** An exit code, or the way in which it ended. */
  readonly exit?: number | 'timed-out' | 'killed'
  readonly output?: string
  readonly stdout?: string
  readonly stderr?: string
  /** A part of the whole output. */
  readonly contains?: string
  readonly endsWith?: string
  readonly droppedBytes?: number
  /** Files afterwards, as bytes or text. */
  readonly files?: Readonly<Record<string, string | readonly number[]>>
}

interface CaseBasics {
  /** The rule that it tests. */
  readonly name: string
  /** Skipped if the shell does not claim this. */
  readonly needs?: (capabilities: ShellCapabilities) => boolean
}

/** One rule of the shell contract. */
export type ShellCase =
  | (CaseBasics & {
      readonly kind: 'command'
      readonly command: string | ShellCommand
      readonly files?: Readonly<Record<string, string | readonly number[]>>
      /** Below the root. */
      readonly directory?: string
      readonly env?: Readonly<Record<string, string>>
      readonly stdin?: string
      /** It times out as soon as it has printed this, on a machine of any speed. */
      readonly timesOutAfter?: string
      readonly timeoutMs?: number
      readonly maxCaptureBytes?: number
      readonly expect: ShellExpectation
    })
  | (CaseBasics & {
      readonly kind: 'procedure'
      /** Returns what is wrong, as sentences. */
      readonly check: (harness: ShellHarness) => Promise<readonly string[]>
    })

/** One rule that a shell is known to break, and the reason. */
export interface ShellDeviation {
  readonly case: string
  readonly why: string
}

/** Runs one case in a separate directory. Returns what is wrong; nothing if the shell passes or has declared the deviation. */
export async function judgeShellCase(
  shellCase: ShellCase,
  open: () => Promise<ShellHarness>,
  deviations: readonly ShellDeviation[] = [],
): Promise<readonly string[]> {
  checkArguments('judgeShellCase', [open, deviations], ['function', 'list'])
  checkMember('judgeShellCase', shellCase, 'name', 'one of shellCases')
  const harness = await open()
  try {
    const excuse = deviations.find(deviation => deviation.case === shellCase.name)
    if (shellCase.needs !== undefined && !shellCase.needs(harness.shell.capabilities)) {
      return excuse === undefined ? [] : [`"${shellCase.name}" is excused, but this shell does not claim it`]
    }
    const problems = shellCase.kind === 'command' ? await checkCommand(shellCase, harness) : await shellCase.check(harness)
    if (excuse === undefined) return problems
    return problems.length > 0 ? [] : [`"${shellCase.name}" is excused (${excuse.why}), but it holds: remove the excuse`]
  } finally {
    await harness.close()
  }
}

/** Deviations for rules that do not exist. */
export function unknownDeviations(cases: readonly ShellCase[], deviations: readonly ShellDeviation[]): readonly string[] {
  checkArguments('unknownDeviations', [cases, deviations], ['list', 'list'])
  return deviations.filter(deviation => !cases.some(({ name }) => name === deviation.case)).map(deviation => deviation.case)
}

function timeOutAfter(output: string | undefined, timeoutMs: number | undefined): Partial<RunOptions> {
  if (output === undefined) return patience
  const { options, ring } = timeOutByHand(timeoutMs)
  return {
    ...options,
    progressIntervalMs: 0,
    onOutput: progress => {
      if (progress.output === output) ring()
    },
  }
}

/** Runs a script in the harness's directory with a generous time-out. */
export function runScriptIn(
  harness: ShellHarness,
  script: string,
  options: Partial<Parameters<typeof runCommand>[2]> = {},
): Promise<CommandOutcome> {
  const cwd = parsePath(harness.root)
  return runCommand(harness.shell, { kind: 'script', script }, { cwd, maxCaptureBytes: 1024 * 1024, ...patience, ...options })
}

async function checkCommand(
  shellCase: Extract<ShellCase, { kind: 'command' }>,
  harness: ShellHarness,
): Promise<readonly string[]> {
  for (const [name, content] of Object.entries(shellCase.files ?? {})) {
    await harness.write(name, typeof content === 'string' ? content : Uint8Array.from(content))
  }
  const command: ShellCommand =
    typeof shellCase.command === 'string' ? { kind: 'script', script: shellCase.command } : shellCase.command
  const outcome = await runCommand(harness.shell, command, {
    cwd: directoryOf(harness, shellCase.directory),
    maxCaptureBytes: shellCase.maxCaptureBytes ?? 1024 * 1024,
    ...timeOutAfter(shellCase.timesOutAfter, shellCase.timeoutMs),
    ...(shellCase.env === undefined ? {} : { env: shellCase.env }),
    ...(shellCase.stdin === undefined ? {} : { stdin: new TextEncoder().encode(shellCase.stdin) }),
  })
  return [...differences(outcome, shellCase.expect), ...(await fileDifferences(harness, shellCase.expect.files ?? {}))]
}

function directoryOf(harness: ShellHarness, directory: string | undefined): VfsPath {
  return parsePath(directory === undefined ? harness.root : `${harness.root}/${directory}`)
}

function differences(outcome: CommandOutcome, expected: ShellExpectation): string[] {
  const problems: string[] = []
  const exit = outcome.exit.kind === 'exited' ? outcome.exit.code : outcome.exit.kind
  const compare = (what: string, actual: unknown, wanted: unknown): void => {
    if (wanted !== undefined && actual !== wanted) problems.push(`${what}: expected ${shorten(wanted)}, got ${shorten(actual)}`)
  }
  compare('exit', exit, expected.exit)
  compare('output', outcome.output, expected.output)
  compare('stdout', outcome.stdout, expected.stdout)
  compare('stderr', outcome.stderr, expected.stderr)
  compare('droppedBytes', outcome.droppedBytes, expected.droppedBytes)
  const { contains, endsWith } = expected
  if (contains !== undefined && !outcome.output.includes(contains))
    problems.push(`output lacks ${shorten(contains)}: ${shorten(outcome.output)}`)
  if (endsWith !== undefined && !outcome.output.endsWith(endsWith))
    problems.push(`output does not end with ${shorten(endsWith)}: ${shorten(outcome.output)}`)
  return problems
}

async function fileDifferences(
  harness: ShellHarness,
  files: Readonly<Record<string, string | readonly number[]>>,
): Promise<string[]> {
  const problems: string[] = []
  for (const [name, content] of Object.entries(files)) {
    const wanted = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)
    const actual = await harness.read(name)
    if (actual.join() !== wanted.join())
      problems.push(`file ${name}: expected bytes ${shorten(wanted.join())}, got ${shorten(actual.join())}`)
  }
  return problems
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 300 ? `${text.slice(0, 150)}…${text.slice(-150)}` : text
}
