// The arguments of `js`, as Node reads those that are supported.

import type { Program } from './protocol.ts'

export type Asked =
  | (Pick<Program, 'purpose' | 'inputType' | 'args'> & { readonly kind: 'program'; readonly from: ProgramPlace })
  /** A text to print, and the exit code. */
  | { readonly kind: 'answer'; readonly text: string; readonly code: number }

export type ProgramPlace =
  | { readonly kind: 'file'; readonly operand: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stdin' }

export const usage = `Usage: js [OPTIONS] [FILE | -] [ARGUMENTS]
       js [OPTIONS] -e CODE [ARGUMENTS]

  -e, --eval CODE      run CODE
  -p, --print CODE     run CODE and print its value
  -c, --check FILE     only look for syntax errors
  --input-type TYPE    module or commonjs, for CODE and standard input
  -v, --version        print the version
  -h, --help           print this text

Without FILE and CODE the program is read from standard input.

The engine is QuickJS, not Node. It has CommonJS and ECMAScript modules, JSON, promises and timers, console, process, Buffer, and the
modules fs, fs/promises, path, os, util, events, assert, url, readline and timers, each in its most used parts. It has no network, no
child processes, no TypeScript, no native packages and no debugger. A program has 256 MiB of memory and ends with its shell command.
`

/** Options that change nothing here. */
const ignored =
  /^--(?:no-warnings|no-deprecation|enable-source-maps|trace-warnings|trace-uncaught|unhandled-rejections=(?:strict|throw))$/

export function readArguments(args: readonly string[], version: string): Asked {
  let purpose: Program['purpose'] = 'run'
  let inputType: Program['inputType'] = 'auto'
  let text: string | undefined
  let at = 0
  const bad = (message: string): Asked => ({ kind: 'answer', text: `js: ${message}\n`, code: 9 })
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '-' || !arg.startsWith('-')) break
    if (arg === '--') {
      at += 1
      break
    }
    const [name = '', ...rest] = arg.split('=')
    const value = (): string | undefined => (rest.length > 0 && arg.startsWith('--') ? rest.join('=') : args[++at])
    switch (name) {
      case '-e':
      case '--eval':
      case '-p':
      case '--print':
      case '-pe': {
        if (name.startsWith('-p') || name === '--print') purpose = 'print'
        // `-p -e CODE` names the code once.
        if (name === '-p' && args[at + 1] === '-e') break
        text = value()
        if (text === undefined) return bad(`${name} requires an argument`)
        break
      }
      case '-c':
      case '--check':
        purpose = 'check'
        break
      case '--input-type': {
        const type = value()
        if (type !== 'module' && type !== 'commonjs') return bad('--input-type must be "module" or "commonjs"')
        inputType = type
        break
      }
      case '-v':
      case '--version':
        return { kind: 'answer', text: `${version}\n`, code: 0 }
      case '-h':
      case '--help':
        return { kind: 'answer', text: usage, code: 0 }
      default:
        if (!ignored.test(arg)) return bad(`bad option: ${arg}. See \`js --help\`; the engine is QuickJS, not Node.`)
    }
  }
  const rest = args.slice(at)
  if (text !== undefined) return { kind: 'program', purpose, inputType, args: rest, from: { kind: 'text', text } }
  const [operand, ...others] = rest
  if (operand === undefined || operand === '-')
    return { kind: 'program', purpose, inputType, args: others, from: { kind: 'stdin' } }
  return { kind: 'program', purpose, inputType, args: others, from: { kind: 'file', operand } }
}
