// A page, its worker, and a script in a worker of that worker: the script is stuck, and nothing else is.

import { afterEach, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { ToolResult } from '../core/tool.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { connectWorkspace } from './client.ts'
import type { Replacement } from './supervisor.ts'

let workspace: Workspace

afterEach(() => workspace.dispose())

const textOf = ({ content }: ToolResult): string => content.map(block => (block.type === 'text' ? block.text : '')).join('')

// At the end of a long run Firefox once left the worker of a script waiting for longer than the test had.
test(
  'a stuck loop holds up no other call, ends on time, and costs neither session nor files',
  { timeout: 40_000, retry: 2 },
  async () => {
    const replaced: Replacement[] = []
    const workers: Worker[] = []
    workspace = await connectWorkspace(
      () => {
        const worker = new Worker(new URL('./entry.ts', import.meta.url), { type: 'module' })
        workers.push(worker)
        return worker
      },
      // Less patience than the stuck script takes: a worker that could not answer meanwhile would be replaced.
      {
        fs: memory({ 'a.txt': 'one\n' }),
        callTimeoutMs: 1_000,
        limits: { searchTimeoutMs: 50 },
        onReplaced: it => replaced.push(it),
      },
    )
    const tools = await workspace.toolset('atomic')
    expect(textOf(await tools.call('bash', { command: 'echo warm' }))).toContain('warm')
    const controller = new AbortController()
    const aborted = tools.call('bash', { command: 'while :; do :; done', timeout: 60 }, { signal: controller.signal })
    const stuck = tools.call('bash', { command: 'echo begun > begun; while :; do :; done', timeout: 4 })

    await expect.poll(() => workspace.fs.exists('/workspace/begun'), { timeout: 10_000 }).toBe(true)
    let answered = 0
    let isOver = false
    void stuck.then(() => {
      isOver = true
    })
    while (!isOver) {
      const read = await tools.call('read', { path: 'a.txt' })
      expect(textOf(read)).toContain('1:one')
      if (!isOver) answered += 1
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    expect(answered).toBeGreaterThan(5)
    expect((await stuck).details).toMatchObject({ timedOut: true })

    controller.abort('enough')
    await expect(aborted).rejects.toBe('enough')
    expect(textOf(await tools.call('bash', { command: 'cat begun' }))).toContain('begun')
    expect(replaced).toEqual([])
    expect(workers).toHaveLength(1)
  },
)
