// Variables whose value is computed when it is read.

import type { Shell } from './shell.ts'
import { showCommand } from './show-functions.ts'

export const bashVersion = '5.2.15(1)-release'

interface DynamicVariable {
  readonly get: (shell: Shell) => string | readonly string[] | undefined
  /** If absent, assignments are ignored, as in bash. */
  readonly set?: (shell: Shell, value: string) => void
  readonly isInteger?: true
  readonly isReadonly?: true
}

const now = (): number => Date.now()

const table: ReadonlyMap<string, DynamicVariable> = new Map<string, DynamicVariable>([
  [
    'RANDOM',
    {
      isInteger: true,
      get: shell => String(nextRandom(shell)),
      set: (shell, value) => {
        shell.randomSeed = Number(value) % 0x80000000 || 123459876
      },
    },
  ],
  ['SRANDOM', { isInteger: true, get: () => String(Math.floor(Math.random() * 2 ** 32)) }],
  [
    'SECONDS',
    {
      isInteger: true,
      get: shell => String(Math.floor((performance.now() - shell.startedAtMs) / 1000) + shell.secondsBase),
      set: (shell, value) => {
        shell.startedAtMs = performance.now()
        shell.secondsBase = Number(value) || 0
      },
    },
  ],
  ['LINENO', { get: shell => String(shell.shownLine) }],
  ['EPOCHSECONDS', { get: () => String(Math.floor(now() / 1000)) }],
  ['EPOCHREALTIME', { get: () => (now() / 1000).toFixed(6) }],
  ['BASHPID', { isInteger: true, get: shell => String(shell.pid) }],
  [
    'BASH_SUBSHELL',
    {
      get: shell => String(shell.subshellDepth + shell.subshellBase),
      set: (shell, value) => {
        shell.subshellBase = (Number(value) || 0) - shell.subshellDepth
      },
    },
  ],
  ['HISTCMD', { isInteger: true, get: shell => String(shell.lineHistory.length) }],
  [
    'BASH_ARGV0',
    {
      get: shell => shell.name,
      set: (shell, value) => {
        shell.name = value
      },
    },
  ],
  ['BASH_COMMAND', { get: ({ currentCommand: shown }) => (typeof shown === 'function' ? shown() : showCommand(shown)) }],
  [
    'FUNCNAME',
    {
      get: shell =>
        shell.frames.some(({ name }) => name !== 'source')
          ? [...shell.frames.map(({ name }) => name).reverse(), ...(shell.isCommandString ? [] : ['main'])]
          : undefined,
    },
  ],
  [
    'BASH_SOURCE',
    {
      get: shell =>
        shell.frames.length === 0 && shell.isCommandString
          ? undefined
          : [
              ...shell.frames.map(({ source }) => source || 'environment').reverse(),
              ...(shell.isCommandString ? [] : [shell.name]),
            ],
    },
  ],
  [
    'BASH_LINENO',
    { get: shell => [...shell.frames.map(({ line }) => String(line)).reverse(), ...(shell.isCommandString ? [] : ['0'])] },
  ],
  ['DIRSTACK', { get: shell => [shell.cwd, ...shell.directoryStack] }],
  ['PIPESTATUS', { get: shell => (shell.pipeStatus.length === 0 ? undefined : shell.pipeStatus.map(String)) }],
  ['GROUPS', { get: () => ['1000'] }],
  ['BASH_VERSINFO', { isReadonly: true, get: () => ['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu'] }],
  ['BASH_VERSION', { get: () => bashVersion }],
  ['_', { get: shell => shell.lastArgument }],
  ['SHELLOPTS', { isReadonly: true, get: shell => [...shell.options].sort().join(':') }],
  ['BASHOPTS', { isReadonly: true, get: shell => [...shell.shopts].sort().join(':') }],
])

/** Bash's random number generator, so that a seeded script gives the same numbers. */
function nextRandom(shell: Shell): number {
  if (shell.randomSeed === undefined) return Math.floor(Math.random() * 32768)
  const high = Math.floor(shell.randomSeed / 127773)
  const next = 16807 * (shell.randomSeed - 127773 * high) - 2836 * high
  shell.randomSeed = next < 0 ? next + 0x7fffffff : next
  return ((shell.randomSeed >>> 16) ^ (shell.randomSeed & 0xffff)) & 32767
}

/** What else the shell does when a variable was assigned or unset. */
export function applyChange(shell: Shell, name: string): void {
  if (name === 'OPTIND') shell.getoptsPlace.offset = 0
  else if (name === 'PATH') shell.hashed.clear()
  else if (name === 'GLOBIGNORE') {
    const patterns = shell.variables.get(name)
    if (patterns === undefined) shell.shopts.delete('dotglob')
    else if (patterns !== '') shell.shopts.add('dotglob')
  }
}

export class DynamicVariables {
  readonly #shell: Shell
  /** Names that were unset. They become ordinary variables. */
  readonly removed: Set<string>

  constructor(shell: Shell, removed: Iterable<string> = []) {
    this.#shell = shell
    this.removed = new Set(removed)
  }

  has(name: string): boolean {
    return table.has(name) && !this.removed.has(name)
  }

  get(name: string): string | readonly string[] | undefined {
    return table.get(name)?.get(this.#shell)
  }

  attributes(name: string): { readonly isInteger: boolean; readonly isReadonly: boolean } {
    const { isInteger = false, isReadonly = false } = table.get(name) ?? {}
    return { isInteger, isReadonly }
  }

  set(name: string, value: string): void {
    table.get(name)?.set?.(this.#shell, value)
  }

  delete(name: string): void {
    if (table.has(name)) this.removed.add(name)
  }

  names(): string[] {
    // bash does not list this one.
    return [...table.keys()].filter(name => name !== 'BASH_ARGV0' && this.has(name))
  }
}
