// One call of a command that runs programs, such as `js`, and what is expected of it. It runs in Node and in browsers.

import { expect } from 'vitest'

import { memory } from '../../backends/memory/index.ts'
import { collectOutput, inputOf, type ShellCommandDefinition } from '../../shell/commands.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { ProgramCase, ProgramFiles, ProgramRefusal } from './program-case.ts'

export interface ProgramAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** The directory that programs run in. */
export const programDirectory = '/w'

export function workspaceOf(files: ProgramFiles): Vfs {
  return createVfs(memory(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${programDirectory}/${name}`, text]))))
}

export async function callProgram(
  command: ShellCommandDefinition,
  files: Vfs,
  args: readonly string[],
  { input, signal }: { readonly input?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<ProgramAnswer> {
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  const code = await command.run({
    args,
    cwd: programDirectory,
    env: { HOME: programDirectory, GREETING: 'hi' },
    stdin: inputOf(input === undefined ? undefined : new TextEncoder().encode(input)),
    stdout,
    stderr,
    files,
    signal: signal ?? new AbortController().signal,
  })
  const text = (output: typeof stdout): string => new TextDecoder().decode(output.bytes())
  return { stdout: text(stdout), stderr: text(stderr), code }
}

export async function expectCase(
  command: ShellCommandDefinition,
  files: Vfs,
  { args, input, stdout, code = 0, complaint }: ProgramCase,
): Promise<void> {
  const answer = await callProgram(command, files, args, { input })
  expect({ ...answer, stderr: complaint === undefined ? answer.stderr : '' }, args.join(' ')).toEqual({
    stdout,
    code,
    stderr: '',
  })
  if (complaint !== undefined) expect(answer.stderr).toContain(complaint)
}

export async function expectRefusal(
  command: ShellCommandDefinition,
  files: Vfs,
  { args, code, complaint }: ProgramRefusal,
): Promise<void> {
  const answer = await callProgram(command, files, args)
  expect({ code: answer.code, stdout: answer.stdout }, args.join(' ')).toEqual({ code, stdout: '' })
  expect(answer.stderr).toContain(complaint)
}

/** A program that never ends is ended by its signal. `args` are a program that makes `started` and then runs for ever. */
export async function expectAbort(command: ShellCommandDefinition, files: Vfs, args: readonly string[]): Promise<void> {
  const controller = new AbortController()
  const running = callProgram(command, files, args, { signal: controller.signal })
  await expect.poll(() => files.exists(`${programDirectory}/started`), { timeout: 60_000 }).toBe(true)
  controller.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
}
