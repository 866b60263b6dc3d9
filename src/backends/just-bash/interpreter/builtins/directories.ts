// `cd` and `pwd`.

import { pathFrom } from '../../physical-files.ts'
import { resolveFrom } from '../../../../shell/files.ts'
import { filesOf } from '../command-files.ts'
import type { Shell } from '../shell.ts'
import { print, readLetters, usageProblem, type Builtin } from './builtin.ts'
import { errno, reasonOf } from '../../errno.ts'

export async function enter(shell: Shell, target: string, isPhysical: boolean): Promise<void> {
  const files = filesOf(shell)
  const path = resolveFrom(shell.cwd, target)
  // What `..` leaves must be there too.
  for (const { index } of target.matchAll(/(?<=[^/])\/+\.\.(?=\/|$)/g))
    await files.stat(resolveFrom(shell.cwd, target.slice(0, index)))
  const { kind } = await files.stat(path)
  if (kind !== 'directory') throw errno('ENOTDIR', 'not a directory', path)
  const directory = await files.realpath(isPhysical ? pathFrom(shell.directory, target) : path)
  const before = shell.cwd
  shell.enter(isPhysical ? directory : path, directory)
  shell.variables.set('OLDPWD', before)
  shell.variables.set('PWD', shell.cwd)
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
  const path = read.letters.has('P') ? shell.directory : shell.cwd
  return print(shell, `${path}\n`, 'pwd')
}
