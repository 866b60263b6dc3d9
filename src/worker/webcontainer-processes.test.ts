// The client accepts all output of a process, so a process whose output is not consumed must be ended before it fills the page's memory.

import type { WebContainer } from '@webcontainer/api'
import { expect, test } from 'vitest'
import type { ContainerEvent } from '../backends/webcontainer/wire.ts'
import { ContainerProcesses } from './webcontainer-processes.ts'
import { deferred } from '../core/deferred.ts'

const spec = { command: 'yes', args: [], cwd: '', env: {}, terminal: { columns: 80, rows: 24 } }
const chunk = 'y'.repeat(1024 * 1024)

/** Writes so many megabytes, if it is not killed before. `takes` consumes what it likes of them. */
async function run(
  takes: (processes: ContainerProcesses, process: number) => void,
  chunks: number,
): Promise<readonly ContainerEvent[]> {
  const { promise: killed, resolve: kill } = deferred<void>()
  let isKilled = false
  void killed.then(() => (isKilled = true))
  let left = chunks
  const output = new ReadableStream<string>({
    pull(controller) {
      if (!isKilled && left-- > 0) return controller.enqueue(chunk)
      controller.close()
      kill()
    },
  })
  const exit = killed.then(() => 1)
  const spawn = async (): Promise<unknown> => ({ output, exit, input: new WritableStream<string>(), kill })
  const container = { spawn, fs: { readdir: async () => [] } } as unknown as WebContainer
  const events: ContainerEvent[] = []
  const processes: ContainerProcesses = new ContainerProcesses(container, {
    post: event => {
      events.push(event)
      if (event.kind === 'output') takes(processes, event.process)
    },
    onRunning: () => {},
  })
  await processes.start(spec, () => false)
  await expect.poll(() => events.at(-1)?.kind).toBe('exit')
  return events
}

test('what nobody takes ends at 64 MiB, and says why', async () => {
  const events = await run(() => {}, 1000)
  expect(events.filter(({ kind }) => kind === 'output').length).toBe(64)
  expect(events.at(-1)).toMatchObject({ kind: 'exit', why: 'it wrote 64 MiB that were not consumed' })
})

test('what is taken goes on', async () => {
  const events = await run((processes, process) => processes.taken(process, chunk.length), 100)
  expect(events.filter(({ kind }) => kind === 'output').length).toBe(100)
  expect(events.at(-1)).not.toHaveProperty('why')
})
