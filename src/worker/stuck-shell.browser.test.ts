// A page, its worker, and a script in a worker of that worker: only the script is stuck.

import { afterEach, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { ToolResult } from '../core/tool.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { connectWorkspace } from './client.ts'
import type { Replacement } from './supervisor.ts'
import { patient } from '../testing/patient.ts'

let workspace: Workspace

afterEach(() => workspace.dispose())

const textOf = ({ content }: ToolResult): string => content.map(block => (block.type === 'text' ? block.text : '')).join('')

test('stuck loops hold up no other call, end when they are told to or when their time is over, and cost nothing', async () => {
  const replaced: Replacement[] = []
  const workers: Worker[] = []
  workspace = await connectWorkspace(
    () => {
      const worker = new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
      workers.push(worker)
      return worker
    },
    // The loops run longer than this time-out, so a worker that could not answer would be replaced.
    { ...patient, fs: memory({ 'a.txt': 'one\n' }), callTimeoutMs: 15_000, onReplaced: it => replaced.push(it) },
  )
  const tools = await workspace.toolset('atomic')
  const controllers = [new AbortController(), new AbortController()]
  const stuck = controllers.map(({ signal }, index) =>
    tools.call('bash', { command: `echo begun > begun${index}; while :; do :; done`, timeout: 600 }, { signal }),
  )
  for (const index of stuck.keys()) {
    await expect.poll(() => workspace.fs.exists(`/workspace/begun${index}`)).toBe(true)
  }
  for (let time = 0; time < 10; time++) expect(textOf(await tools.call('read', { path: 'a.txt' }))).toContain('1:one')

  for (const [index, controller] of controllers.entries()) {
    controller.abort('enough')
    await expect(stuck[index]).rejects.toBe('enough')
  }
  const timedOut = await tools.call('bash', { command: 'while :; do :; done', timeout: 1 })
  expect(timedOut.details).toMatchObject({ timedOut: true })
  expect(textOf(await tools.call('bash', { command: 'cat begun0 begun1' }))).toMatch(/^begun\s+begun/)
  expect(replaced).toEqual([])
  expect(workers).toHaveLength(1)
})
