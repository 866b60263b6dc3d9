// `history`: the commands of an interactive session. A script has no history.

import { print, usageProblem, type Builtin } from './builtin.ts'

export const history: Builtin = async (shell, args) => {
  const [first] = args
  if (first === '-c') {
    shell.lineHistory = []
    return 0
  }
  if (first !== undefined && !/^\d+$/.test(first))
    return usageProblem(
      shell,
      'history',
      first.startsWith('-') ? `${first}: invalid option` : `${first}: numeric argument required`,
    )
  const all = shell.lineHistory
  const start = Math.max(0, all.length - Number(first ?? all.length))
  return print(
    shell,
    all
      .slice(start)
      .map((line, index) => `${String(start + index + 1).padStart(5)}  ${line}\n`)
      .join(''),
    'history',
  )
}
