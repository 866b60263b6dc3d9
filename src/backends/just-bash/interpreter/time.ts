// `time`.

import type { Pipeline } from '../syntax/tree.ts'
import type { Shell } from './shell.ts'

export async function timePipeline(shell: Shell, { time }: Pipeline, work: () => Promise<void>): Promise<void> {
  const startedAtMs = performance.now()
  try {
    await work()
  } finally {
    const elapsed = (performance.now() - startedAtMs) / 1000
    const format = shell.variables.get('TIMEFORMAT')
    if (time === 'posix') await shell.writeError(`real ${elapsed.toFixed(2)}\nuser ${elapsed.toFixed(2)}\nsys 0.00\n`)
    else if (format !== undefined) {
      // The processor time of this thread cannot be measured, so elapsed time is shown.
      const shown = format.replace(/%(\d?)(l?)([RUSP%])/g, (all, digits: string, long: string, letter: string) => {
        if (letter === '%') return '%'
        if (letter === 'P') return '100.00'
        const seconds = letter === 'S' ? 0 : elapsed
        const places = digits === '' ? 3 : Math.min(3, Number(digits))
        return long === '' ? seconds.toFixed(places) : minutes(seconds, places)
      })
      if (format !== '') await shell.writeError(`${shown}\n`)
    } else await shell.writeError(`\nreal\t${minutes(elapsed, 3)}\nuser\t${minutes(elapsed, 3)}\nsys\t${minutes(0, 3)}\n`)
  }
}

function minutes(seconds: number, places: number): string {
  return `${Math.floor(seconds / 60)}m${(seconds % 60).toFixed(places)}s`
}
