// `cd`, `pwd` and the directory stack (`pushd`, `popd`, `dirs`).

import { resolveFrom } from '../../../../shell/files.ts'
import { CommandFiles } from '../command-files.ts'
import type { Shell } from '../shell.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'
import { errno, reasonOf } from '../../errno.ts'

async function enter(shell: Shell, target: string, isPhysical: boolean): Promise<void> {
  const files = new CommandFiles(shell)
  let path = resolveFrom(shell.cwd, target)
  const { kind } = await files.stat(path)
  if (kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
  if (isPhysical) path = await files.realpath(path)
  const before = shell.cwd
  shell.cwd = path
  shell.variables.set('OLDPWD', before)
  shell.variables.set('PWD', path)
}

export const cd: Builtin = async (shell, args) => {
  const read = readLetters(args.length === 1 && args[0] === '-' ? [] : args, 'LPe@')
  if (typeof read === 'string') return usageProblem(shell, 'cd', read)
  const [given, extra] = args.length === 1 && args[0] === '-' ? ['-'] : read.operands
  if (extra !== undefined) return usageProblem(shell, 'cd', 'too many arguments', 1)
  const target = given === undefined ? shell.variables.get('HOME') : given === '-' ? shell.variables.get('OLDPWD') : given
  if (target === undefined) return usageProblem(shell, 'cd', given === '-' ? 'OLDPWD not set' : 'HOME not set', 1)
  const isPhysical = read.letters.has('P') || shell.has('physical')
  const searched = given === '-' || /^(?:\/|\.{1,2}(?:\/|$))/.test(target) ? undefined : shell.variables.get('CDPATH')
  for (const directory of searched?.split(':') ?? []) {
    if (directory === '') continue
    try {
      await enter(shell, target === '' ? directory : `${directory}/${target}`, isPhysical)
      return await print(shell, `${shell.cwd}\n`)
    } catch {
      // The directory does not exist below this entry of `CDPATH`.
    }
  }
  try {
    if (target !== '') await enter(shell, target, isPhysical)
    return given === '-' ? await print(shell, `${shell.cwd}\n`) : 0
  } catch (error) {
    return usageProblem(shell, 'cd', `${target}: ${reasonOf(error)}`, 1)
  }
}

export const pwd: Builtin = async (shell, args) => {
  const read = readLetters(args, 'LP')
  if (typeof read === 'string') return usageProblem(shell, 'pwd', read)
  const path = read.letters.has('P') ? await new CommandFiles(shell).realpath(shell.cwd) : shell.cwd
  return print(shell, `${path}\n`, 'pwd')
}

function shown(shell: Shell, isLong: boolean): string[] {
  const home = shell.variables.get('HOME')
  const all = [shell.cwd, ...shell.directoryStack]
  if (isLong || home === undefined || home === '/') return all
  return all.map(path => (path === home ? '~' : path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path))
}

export const dirs: Builtin = async (shell, args) => {
  const read = readLetters(
    args.filter(arg => !/^[-+]\d+$/.test(arg)),
    'clpv',
  )
  if (typeof read === 'string') return usageProblem(shell, 'dirs', read)
  if (read.letters.has('c')) {
    shell.directoryStack = []
    return 0
  }
  const list = shown(shell, read.letters.has('l'))
  const place = args.find(arg => /^[-+]\d+$/.test(arg))
  if (place !== undefined) {
    const index = place.startsWith('+') ? Number(place.slice(1)) : list.length - 1 - Number(place.slice(1))
    const path = list[index]
    return path === undefined
      ? usageProblem(shell, 'dirs', `${place}: directory stack index out of range`, 1)
      : print(shell, `${path}\n`)
  }
  if (read.letters.has('v')) return print(shell, list.map((path, index) => `${String(index).padStart(2)}  ${path}\n`).join(''))
  return print(shell, read.letters.has('p') ? list.map(path => `${path}\n`).join('') : `${list.join(' ')}\n`)
}

export const pushd: Builtin = async (shell, args) => {
  const [target] = args.filter(arg => arg !== '-n')
  const before = shell.cwd
  const all = [shell.cwd, ...shell.directoryStack]
  if (target === undefined || /^[-+]\d+$/.test(target)) {
    if (all.length < 2) return usageProblem(shell, 'pushd', 'no other directory', 1)
    const index =
      target === undefined ? 1 : target.startsWith('+') ? Number(target.slice(1)) : all.length - 1 - Number(target.slice(1))
    const next = all[index]
    if (next === undefined) return usageProblem(shell, 'pushd', `${target ?? ''}: directory stack index out of range`, 1)
    const turned = target === undefined ? [next, before, ...all.slice(2)] : [...all.slice(index), ...all.slice(0, index)]
    await enter(shell, next, false)
    shell.directoryStack = turned.slice(1)
    return dirs(shell, [], { name: 'dirs', saved: undefined })
  }
  try {
    await enter(shell, target, false)
  } catch (error) {
    return usageProblem(shell, 'pushd', `${target}: ${reasonOf(error)}`, 1)
  }
  shell.directoryStack = [before, ...shell.directoryStack]
  return dirs(shell, [], { name: 'dirs', saved: undefined })
}

export const popd: Builtin = async (shell, args) => {
  const place = args.find(arg => /^[-+]\d+$/.test(arg))
  const all = [shell.cwd, ...shell.directoryStack]
  if (all.length < 2) return usageProblem(shell, 'popd', 'directory stack empty', 1)
  const index = place === undefined ? 0 : place.startsWith('+') ? Number(place.slice(1)) : all.length - 1 - Number(place.slice(1))
  if (all[index] === undefined) return usageProblem(shell, 'popd', `${place ?? ''}: directory stack index out of range`, 1)
  const rest = all.filter((_, at) => at !== index)
  const [next = shell.cwd] = rest
  if (index === 0) {
    try {
      await enter(shell, next, false)
    } catch (error) {
      return usageProblem(shell, 'popd', `${next}: ${reasonOf(error)}`, 1)
    }
  }
  shell.directoryStack = rest.slice(1)
  return dirs(shell, [], { name: 'dirs', saved: undefined })
}
