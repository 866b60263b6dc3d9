// The directory stack: `pushd`, `popd` and `dirs`. `enter` is given, so that this file loads nothing more.

import { reasonOf } from '../../errno.ts'
import type { Shell } from '../shell.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'

type Enter = (shell: Shell, target: string, isPhysical: boolean) => Promise<void>

function shown(shell: Shell, isLong: boolean): string[] {
  const home = shell.variables.get('HOME')
  const all = [shell.cwd, ...shell.directoryStack]
  if (isLong || home === undefined || home === '/') return all
  return all.map(path => (path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path))
}

/** Where `+N` or `-N` points in a list of so many directories. `undefined` for another text. */
function placeIn(length: number, text: string): number | undefined {
  if (!/^[-+]\d+$/.test(text)) return undefined
  const count = Number(text.slice(1))
  return text.startsWith('+') ? count : length - 1 - count
}

function outOfRange(shell: Shell, name: string, text: string): Promise<number> {
  const problem = shell.directoryStack.length === 0 ? 'directory stack empty' : `${text}: directory stack index out of range`
  return usageProblem(shell, name, problem, 1)
}

export const dirs: Builtin = async (shell, args) => {
  const places = args.filter(arg => /^[-+]\d+$/.test(arg))
  const read = readLetters(
    args.filter(arg => !places.includes(arg)),
    'clpv',
  )
  if (typeof read === 'string') return usageProblem(shell, 'dirs', read)
  if (read.operands[0] !== undefined) return usageProblem(shell, 'dirs', `${read.operands[0]}: invalid number`)
  if (read.letters.has('c')) {
    shell.directoryStack = []
    return 0
  }
  const list = shown(shell, read.letters.has('l')).map((path, index) => ({ path, index }))
  const place = places.at(-1)
  const wanted = place === undefined ? list : list.filter(({ index }) => index === placeIn(list.length, place))
  if (place !== undefined && wanted.length === 0) return outOfRange(shell, 'dirs', place)
  if (read.letters.has('v'))
    return print(shell, wanted.map(({ path, index }) => `${String(index).padStart(2)}  ${path}\n`).join(''))
  return print(shell, `${wanted.map(({ path }) => path).join(read.letters.has('p') ? '\n' : ' ')}\n`)
}

interface StackRequest {
  readonly staysHere: boolean
  readonly operand: string | undefined
}

/** The arguments of `pushd` and `popd`: `-n`, and one directory or place. Returns a message for others. */
function readStackArguments(args: readonly string[]): StackRequest | string {
  let staysHere = false
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (arg === '-n') staysHere = true
    else if (arg === '--') {
      index += 1
      break
    } else if (/^-[^\d]/.test(arg)) return `${arg}: invalid number`
    else break
  }
  return { staysHere, operand: args[index] }
}

export const pushd =
  (enter: Enter): Builtin =>
  async (shell, args) => {
    const read = readStackArguments(args)
    if (typeof read === 'string') return usageProblem(shell, 'pushd', read)
    const { staysHere, operand } = read
    const all = [shell.cwd, ...shell.directoryStack]
    const place = placeIn(all.length, operand ?? '')
    if (operand === undefined && all.length < 2) return usageProblem(shell, 'pushd', 'no other directory', 1)
    if (place !== undefined && all[place] === undefined) return outOfRange(shell, 'pushd', operand ?? '')
    if (operand !== undefined && place === undefined && staysHere) {
      shell.directoryStack = [operand, ...shell.directoryStack]
      return showStack(shell)
    }
    const given = operand === '-' ? shell.variables.get('OLDPWD') : operand
    if (place === undefined && operand !== undefined && given === undefined)
      return usageProblem(shell, 'pushd', 'OLDPWD not set', 1)
    const [next = '', ...rest] =
      place !== undefined
        ? [...all.slice(place), ...all.slice(0, place)]
        : given === undefined
          ? [all[1] ?? '', shell.cwd, ...all.slice(2)]
          : [given, ...all]
    return (await arrives(enter, shell, 'pushd', next, staysHere)) ? keepStack(shell, rest) : 1
  }

async function arrives(enter: Enter, shell: Shell, name: string, target: string, staysHere: boolean): Promise<boolean> {
  if (staysHere) return true
  try {
    await enter(shell, target, false)
    return true
  } catch (error) {
    await shell.complain(`${name}: ${target}: ${reasonOf(error)}`)
    return false
  }
}

function showStack(shell: Shell): Promise<number> {
  return dirs(shell, [], { name: 'dirs', saved: undefined })
}

function keepStack(shell: Shell, stack: readonly string[]): Promise<number> {
  shell.directoryStack = [...stack]
  return showStack(shell)
}

export const popd =
  (enter: Enter): Builtin =>
  async (shell, args) => {
    const read = readStackArguments(args)
    if (typeof read === 'string') return usageProblem(shell, 'popd', read)
    const { staysHere, operand = '+0' } = read
    const all = [shell.cwd, ...shell.directoryStack]
    const place = placeIn(all.length, operand)
    if (place === undefined) return usageProblem(shell, 'popd', `${operand}: invalid argument`)
    if (all.length < 2 || all[place] === undefined) return outOfRange(shell, 'popd', operand)
    if (place > 0)
      return keepStack(
        shell,
        all.filter((_, at) => at > 0 && at !== place),
      )
    const [, next = '', ...rest] = all
    return (await arrives(enter, shell, 'popd', next, staysHere)) ? keepStack(shell, rest) : 1
  }
