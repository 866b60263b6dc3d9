// The interface of builtins, which are commands that change the state of the shell.

import { encodeText } from '../../../../shell/byte-text.ts'
import type { SavedDescriptors } from '../redirect.ts'
import type { Shell } from '../shell.ts'

export interface BuiltinCall {
  readonly name: string
  /** The descriptors that the redirections of this command replaced. `exec` keeps its redirections. */
  readonly saved: SavedDescriptors | undefined
  /** Its failure ends the shell. */
  readonly isFatal?: boolean
}

export type Builtin = (shell: Shell, args: readonly string[], call: BuiltinCall) => Promise<number>

/** Writes to standard output. Returns 1 after an error message if standard output is closed. */
export async function print(shell: Shell, text: string, name = 'echo'): Promise<number> {
  const file = shell.descriptors.get(1)?.file
  if (text === '') return 0
  if (file?.canWrite !== true) {
    await shell.complain(`${name}: write error: Bad file descriptor`)
    return 1
  }
  await file.write(encodeText(text))
  return 0
}

export async function usageProblem(shell: Shell, name: string, problem: string, status = 2): Promise<number> {
  await shell.complain(`${name}: ${problem}`)
  if (status === 2 && wrongCall.test(problem)) await usage(shell, name)
  return status
}

/** After these problems bash prints the usage too. */
const wrongCall = /^[-+].*: invalid (?:option|number)$|: option requires an argument$|^filename argument required$/

/** Prints how a builtin is called, without the name of the shell. */
export async function usage(shell: Shell, name: string): Promise<number> {
  const { usages } = await import('./usages.ts')
  const operands = usages[name]
  if (operands !== undefined) await shell.writeError(`${name}: usage: ${`${name} ${operands}`.trimEnd()}\n`)
  return 2
}

/** Reads single-letter options before the operands. Returns an error message for an invalid option. */
export function readLetters(
  args: readonly string[],
  known: string,
): { readonly letters: ReadonlySet<string>; readonly operands: readonly string[] } | string {
  const read = readSignedLetters(args, known, /^-./)
  return typeof read === 'string' ? read : { letters: read.on, operands: read.operands }
}

export interface SignedLetters {
  /** Behind `-`. */
  readonly on: ReadonlySet<string>
  /** Behind `+`. */
  readonly off: ReadonlySet<string>
  readonly operands: readonly string[]
}

/** As {@link readLetters}, also behind `+` if `start` matches that. */
export function readSignedLetters(args: readonly string[], known: string, start: RegExp = /^[-+]./): SignedLetters | string {
  const on = new Set<string>()
  const off = new Set<string>()
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '--') {
      index += 1
      break
    }
    if (!start.test(arg)) break
    const letters = arg.startsWith('-') ? on : off
    for (const letter of arg.slice(1)) {
      if (!known.includes(letter)) return `${arg.charAt(0)}${letter}: invalid option`
      letters.add(letter)
    }
  }
  return { on, off, operands: args.slice(index) }
}

export function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text)
}
