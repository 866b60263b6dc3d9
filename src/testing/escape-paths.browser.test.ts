// No path leads out of the workspace in real browsers, with files in the origin's private filesystem and tools in a worker.

import { afterEach, expect, it } from 'vitest'

import { opfs } from '../backends/opfs/index.ts'
import { connectWorkspace } from '../worker/client.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { escapesOf, putEscapes, toolsetNames } from './escape-paths.ts'
import { patient } from './patient.ts'

let workspace: Workspace | undefined
afterEach(async () => {
  await workspace?.dispose()
  workspace = undefined
})

const worker = (): Worker => new Worker(new URL('../worker/entry.ts', import.meta.url), { type: 'module' })

it.each(toolsetNames)(
  '%s',
  async name => {
    workspace = await connectWorkspace(worker, { ...patient, fs: opfs({ name: `escape-${name}` }), shell: 'none' })
    if (!(await workspace.fs.exists('/outside'))) await putEscapes(workspace.fs)
    expect((await workspace.fs.caps()).persistent).toBe(true)
    const { wrong, calls } = await escapesOf(workspace, name)
    expect(wrong).toEqual([])
    expect(calls).toBeGreaterThan(100)
  },
  120_000,
)
