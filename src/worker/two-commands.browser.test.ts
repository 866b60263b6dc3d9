// Two commands at once, repeatedly: a browser must not hang if a worker ends right after it has loaded.
import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { opfs } from '../backends/opfs/index.ts'
import { seeds } from '../testing/depth.ts'
import { connectWorkspace } from './client.ts'
import { patient } from '../testing/patient.ts'

const count = seeds({ quick: 4, deep: 500 })

test.each([
  ['in memory', () => memory()],
  ['in OPFS', () => opfs({ name: `two-commands-${crypto.randomUUID()}` })],
] as const)(
  'pairs of commands from two toolsets %s are all answered, and so is the workspace afterwards',
  async (_where, backend) => {
    const worker = new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
    const workspace = await connectWorkspace(worker, { ...patient, fs: backend() })
    const toolsets = [await workspace.toolset('atomic'), await workspace.toolset('atomic')]
    const startedAt = performance.now()
    for (let pair = 0; pair < count; pair++) {
      const answers = await Promise.all(toolsets.map(tools => tools.call('bash', { command: `echo hi ${pair}` })))
      expect(answers.filter(({ isError }) => isError)).toEqual([])
      expect(JSON.stringify(answers.map(({ content }) => content)).split(`hi ${pair}`)).toHaveLength(3)
    }
    console.info(`${count} pairs: ${((performance.now() - startedAt) / count).toFixed(1)} ms a pair`)
    await workspace.fs.writeFile('/workspace/a', '1')
    expect(await workspace.fs.readText('/workspace/a')).toBe('1')
    await workspace.dispose()
    worker.terminate()
  },
  600_000,
)
