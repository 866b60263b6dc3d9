// The entry point of a worker that runs programs for `js`, one after the other. It does nothing if it is not loaded as a worker. It has no
// files and no state, so it can be ended at any time.

import type { FromProgramWorker } from '../../shell/program-calls.ts'
import { WaitedCalls } from '../../shell/waited-calls.ts'
import { openParentPort } from '../../core/worker-scope.ts'
import { loadEngine } from './engine.ts'
import type { ToJsWorker } from './protocol.ts'
import { runProgram } from './program.ts'

const port = openParentPort<FromProgramWorker, ToJsWorker>()

async function run(send: (message: FromProgramWorker) => void, { program, memory, wasmUrl }: ToJsWorker): Promise<void> {
  let start
  try {
    start = await loadEngine(wasmUrl)
  } catch (error) {
    send({ kind: 'unavailable', why: error instanceof Error ? error.message : String(error) })
    return
  }
  const calls = new WaitedCalls(memory, () => send({ kind: 'more' }))
  send({ kind: 'exit', code: await runProgram(program, start, calls, send), isReusable: true })
}

port?.listen(message => void run(sent => port.post(sent), message))
