// The initial variables of a shell.

import { setNamedOption, shoptNames } from './shell-options.ts'
import type { Shell } from './shell.ts'

const defaultPath = '/usr/local/bin:/usr/bin:/bin'

export function prepareVariables(shell: Shell): void {
  const { variables } = shell
  const setIfMissing = (name: string, value: string, isExported = false): void => {
    if (variables.findOwn(name) !== undefined) return
    const variable = variables.obtain(name)
    variable.scalar = value
    variable.isExported = isExported
  }
  setIfMissing('PATH', defaultPath, true)
  setIfMissing('IFS', ' \t\n')
  const ifs = variables.obtain('IFS')
  // Bash does not inherit IFS from the environment.
  ifs.scalar = ' \t\n'
  ifs.isExported = false
  setIfMissing('PS4', '+ ')
  setIfMissing('OPTIND', '1')
  variables.obtain('OPTIND').scalar = '1'
  setIfMissing('OPTERR', '1')
  setIfMissing('HOSTNAME', 'localhost')
  setIfMissing('HOSTTYPE', 'x86_64')
  setIfMissing('MACHTYPE', 'x86_64-pc-linux-gnu')
  setIfMissing('OSTYPE', 'linux-gnu')
  setIfMissing('BASH', '/bin/bash')
  setIfMissing('TERM', 'dumb')
  for (const [name, value] of [
    ['UID', '1000'],
    ['EUID', '1000'],
    ['PPID', String(shell.parentPid)],
  ] as const) {
    const variable = variables.obtain(name)
    variable.scalar = value
    variable.isInteger = true
    variable.isReadonly = true
  }
  // The caller may have exported the options that it has set.
  const namesIn = (name: string): readonly string[] => (variables.globals().get(name)?.scalar ?? '').split(':')
  for (const name of namesIn('SHELLOPTS')) setNamedOption(shell, name, true)
  for (const name of namesIn('BASHOPTS')) if (shoptNames.includes(name)) shell.shopts.add(name)
  const level = variables.obtain('SHLVL')
  level.scalar = String((Number(level.scalar) || 0) + 1)
  level.isExported = true
  const directory = variables.obtain('PWD')
  directory.scalar = shell.cwd
  directory.isExported = true
  variables.obtain('OLDPWD').isExported = true
}
