// just-bash's xargs takes the value of an option only as a word of its own; nearly every script writes it attached.

import type { CommandContext, CommandResult } from './command.ts'

const takesValue = new Set(['n', 'I', 'P', 'L', 's', 'd', 'E'])

export async function xargs(args: readonly string[], { original }: CommandContext): Promise<CommandResult> {
  return original(detach(args))
}

/** The same options, each value a word of its own: `-n1` is `-n 1`, and `-0n1` is `-0 -n 1`. */
export function detach(args: readonly string[]): string[] {
  const detached: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!/^-[A-Za-z0-9]/.test(arg)) {
      const [, name, value] = /^--(max-args|max-procs|max-lines|delimiter|replace)=([^]*)$/.exec(arg) ?? []
      if (name === undefined || value === undefined) {
        if (arg.startsWith('--')) {
          detached.push(arg)
          continue
        }
        // The command that it runs, and what belongs to that.
        return [...detached, ...args.slice(index)]
      }
      detached.push(shortNames[name] ?? `--${name}`, value)
      continue
    }
    for (let at = 1; at < arg.length; at++) {
      const option = arg.charAt(at)
      detached.push(`-${option}`)
      if (!takesValue.has(option)) continue
      if (at + 1 < arg.length) detached.push(arg.slice(at + 1))
      else if (index + 1 < args.length) detached.push(args[(index += 1)] ?? '')
      break
    }
  }
  return detached
}

const shortNames: Readonly<Record<string, string>> = {
  'max-args': '-n',
  'max-procs': '-P',
  'max-lines': '-L',
  delimiter: '-d',
  replace: '-I',
}
