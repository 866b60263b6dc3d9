// The entry point of a worker that runs programs for `python3`, one after the other. It does nothing if it is not loaded as a worker. It
// has no files, and of its state only the memory of an interpreter that has run nothing, so it can be ended at any time.

import { openParentPort } from '../../core/worker-scope.ts'
import { messageOf, type FromProgramWorker } from '../../shell/program-calls.ts'
import { WaitedCalls } from '../../shell/waited-calls.ts'
import { Interpreters } from './interpreters.ts'
import { runProgram } from './program.ts'
import type { RunProgram, ToPythonWorker } from './protocol.ts'

const port = openParentPort<FromProgramWorker, ToPythonWorker>()
const interpreters = new Interpreters()

async function run(send: (message: FromProgramWorker) => void, { program, memory, indexUrl }: RunProgram): Promise<void> {
  let started
  try {
    started = await interpreters.start(indexUrl)
  } catch (error) {
    send({ kind: 'unavailable', why: messageOf(error) })
    return
  }
  const calls = new WaitedCalls(memory, () => send({ kind: 'more' }))
  send({ kind: 'exit', ...runProgram(program, started, calls, send) })
}

port?.listen(message => {
  if (message.kind === 'run') void run(sent => port.post(sent), message)
  else interpreters.prepare(message.indexUrl).catch(error => port.post({ kind: 'unavailable', why: messageOf(error) }))
})
