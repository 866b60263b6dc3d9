import { describe, expect, it } from 'vitest'

import { oneAtATime } from './one-at-a-time.ts'
import type { ExitStatus, Shell } from './shell.ts'
import { bareCapabilities } from '../testing/bare-shell.ts'

/** Records the commands that it runs; the test ends them. */
function scripted(concurrent: boolean): { shell: Shell; started: string[]; end: (index: number) => void } {
  const started: string[] = []
  const ends: (() => void)[] = []
  const shell: Shell = {
    capabilities: { ...bareCapabilities, concurrent },
    start: command => {
      const script = command.kind === 'script' ? command.script : command.file
      if (script === 'broken') return Promise.reject(new Error('broken'))
      started.push(script)
      const exit = new Promise<ExitStatus>(resolve => ends.push(() => resolve({ kind: 'exited', code: 0 })))
      return Promise.resolve({ output: none(), exit, write: () => Promise.resolve(), kill: () => Promise.resolve('unsupported') })
    },
    dispose: () => Promise.resolve(),
  }
  return { shell, started, end: index => ends[index]?.() }
}

async function* none(): AsyncGenerator<never> {}

const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))
const script = (text: string): { kind: 'script'; script: string } => ({ kind: 'script', script: text })

describe('one command at a time', () => {
  it('only where the shell needs it', () => {
    const { shell } = scripted(true)
    expect(oneAtATime(shell)).toBe(shell)
  })

  it('in the order in which they came, for all users of the shell', async () => {
    const { shell, started, end } = scripted(false)
    const [one, two] = [oneAtATime(shell), oneAtATime(shell)]
    void one.start(script('a'))
    void two.start(script('b'))
    const broken = one.start(script('broken')).catch((error: unknown) => String(error))
    void two.start(script('c'))
    await settle()
    expect(started).toEqual(['a'])
    end(0)
    await settle()
    expect(started).toEqual(['a', 'b'])
    end(1)
    expect(await broken).toBe('Error: broken')
    await settle()
    expect(started).toEqual(['a', 'b', 'c'])
  })
})
