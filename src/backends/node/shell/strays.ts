// A process that left its group (`setsid`, a daemon) is still found by a variable of its environment, where the system shows that of other
// processes: on Linux. Elsewhere such a process stays.

import { readdirSync, readFileSync } from 'node:fs'
import { systemErrorCode } from '../../../core/errors.ts'

export const markVariable = 'ANCHORAGE_COMMAND'

/** Kills the processes whose mark begins with `mark`; at once, because their command is waited for. */
export function killMarked(mark: string): void {
  if (process.platform !== 'linux') return
  // One that is found may be starting another at this moment.
  for (let turn = 0; turn < 10; turn++) {
    const found = marked(mark)
    if (found.length === 0) return
    for (const pid of found) kill(pid)
  }
}

function marked(mark: string): number[] {
  const wanted = `${markVariable}=${mark}`
  const found: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    if (environmentOf(name).some(entry => entry.startsWith(wanted))) found.push(Number(name))
  }
  return found
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    // It has ended, or belongs to another user.
    return []
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    const code = systemErrorCode(error)
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
