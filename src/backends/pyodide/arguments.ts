// The arguments of `python3`, as Python reads those that are supported.

import type { Program } from './protocol.ts'

export type Asked =
  | (Pick<Program, 'args' | 'warnings' | 'isIsolated' | 'isUnbuffered' | 'usesEnvironment'> & {
      readonly kind: 'program'
      readonly from: ProgramPlace
    })
  /** A text to print, and the exit code. */
  | { readonly kind: 'answer'; readonly text: string; readonly code: number }

export type ProgramPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'module'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** The first argument that the program sees. */
  | { readonly kind: 'stdin'; readonly argument: '' | '-' }

const usage = `usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...

  -c cmd   run the text
  -m mod   run a module of the library or of the directory as a program
  -u       write output at once
  -E       ignore the variables PYTHON*
  -I       -E, and import nothing from the directory of the program
  -P       import nothing from the directory of the program
  -W arg   control warnings
  -V       print the version
  -h       print this text

-B, -b, -q, -R, -s and -X utf8 are accepted and change nothing. Without a program it is read from standard input.

This is CPython in WebAssembly (Pyodide) with its standard library, over the files of the shell. It has no network, processes, threads or
sockets, and installs no packages.
`

const harmless = 'BRbdqs'

export function readArguments(args: readonly string[], version: string): Asked {
  const warnings: string[] = []
  let isIsolated = false
  let isUnbuffered = false
  let usesEnvironment = true
  let at = 0
  const bad = (message: string): Asked => ({
    kind: 'answer',
    text: `${message}\nTry \`python3 -h' for the options that this Python has.\n`,
    code: 2,
  })
  const asked = (from: ProgramPlace, rest: readonly string[]): Asked => ({
    kind: 'program',
    from,
    args: rest,
    warnings,
    isIsolated,
    isUnbuffered,
    usesEnvironment,
  })
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-' || !arg.startsWith('-')) break
    if (arg === '--') {
      at += 1
      break
    }
    if (arg === '--version') return { kind: 'answer', text: `${version}\n`, code: 0 }
    if (arg === '--help') return { kind: 'answer', text: usage, code: 0 }
    if (arg.startsWith('--')) return bad(`unknown option ${arg}`)
    for (let letterAt = 1; letterAt < arg.length; letterAt++) {
      const letter = arg.charAt(letterAt)
      const rest = arg.slice(letterAt + 1)
      if ('cmWX'.includes(letter)) {
        const value = rest === '' ? args[++at] : rest
        if (value === undefined) return bad(`Argument expected for the -${letter} option`)
        if (letter === 'c') return asked({ kind: 'text', text: value }, args.slice(at + 1))
        if (letter === 'm') return asked({ kind: 'module', name: value }, args.slice(at + 1))
        if (letter === 'W') warnings.push(value)
        else if (!/^utf8(?:=1)?$/.test(value)) return bad(`the option -X ${value} is not supported here`)
        break
      }
      if (letter === 'V') return { kind: 'answer', text: `${version}\n`, code: 0 }
      if (letter === 'h') return { kind: 'answer', text: usage, code: 0 }
      if (letter === 'u') isUnbuffered = true
      else if (letter === 'E') usesEnvironment = false
      else if (letter === 'P') isIsolated = true
      else if (letter === 'I') {
        isIsolated = true
        usesEnvironment = false
      } else if (!harmless.includes(letter)) {
        const isPythons = 'OSivx'.includes(letter)
        return bad(isPythons ? `the option -${letter} is not supported here` : `unknown option -${letter}`)
      }
    }
  }
  const [operand, ...others] = args.slice(at)
  if (operand === undefined) return asked({ kind: 'stdin', argument: '' }, [])
  if (operand === '-') return asked({ kind: 'stdin', argument: '-' }, others)
  return asked({ kind: 'file', path: operand }, others)
}
