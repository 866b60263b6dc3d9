// A worker of a host that does not use `connectWorkspace`. It answers with the output of a script, and with all messages that it was sent.

import { memory } from '../backends/memory/index.ts'
import { textOf } from '../core/text-of.ts'
import { startedByPage } from '../worker/own-worker.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'

const startWorker = startedByPage()
const received: unknown[] = []
addEventListener('message', ({ data }: MessageEvent<unknown>) => received.push(data))

const workspace = await createWorkspace({ fs: memory({ '/workspace/a.txt': 'one\n' }), startWorker })
const tools = await workspace.toolset('ah')
const result = await tools.call('bash', { command: 'for i in 1 2 3; do cat a.txt; done | wc -l' })
await workspace.dispose()
postMessage({ text: textOf(result), received, isStartedByPage: startWorker !== undefined })
