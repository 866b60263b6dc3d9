// npm run bench:edit: the cost of a one-line edit for a page, including the worker's round trip, compared with applying the same change
// with the diff package in the page itself. Needs a build. The workspace runs in a real thread; only calls are sent.
import { MessageChannel, Worker, isMainThread, workerData } from 'node:worker_threads'

const lineCounts = [1_000, 10_000, 100_000]
const rounds = 40
const warmUpRounds = 10
const budgetMs = { lineCount: 10_000, edit: 5 }

if (isMainThread) await main()
else await serve(workerData.port)

async function serve(port) {
  const { hostWorkspace, buildWorkspace } = await import('anchorage/worker')
  hostWorkspace(port, buildWorkspace)
}

async function main() {
  const { connectWorkspace } = await import('anchorage/client')
  const { memory } = await import('anchorage/fs/memory')
  const diff = await import('diff')
  const workspace = await connectWorkspace(spawn(), { fs: memory(), shell: 'none' })
  console.log(`lines      read    edit   applyPatch   edit/applyPatch   (median of ${rounds}, ms)`)
  for (const lineCount of lineCounts) {
    const path = `${workspace.root}/f${lineCount}.ts`
    await workspace.fs.writeFile(path, sourceOf(lineCount))
    const tools = await workspace.toolset('atomic')
    const times = { read: [], edit: [], peer: [] }
    let text = sourceOf(lineCount)
    for (let round = -warmUpRounds; round < rounds; round++) {
      const line = 1 + (((round + warmUpRounds) * 7919) % lineCount)
      const row = `  const changed${round + warmUpRounds} = ${line}`
      const readMs = await timed(async () => result(await tools.call('read', { path: `${path}:${line}+1` })))
      const tag = /#([0-9A-F]{4})\]/.exec(readMs.value)[1]
      const script = `[${path}#${tag}]\nreplace ${line}..${line}:\n+${row}`
      const editMs = await timed(async () => result(await tools.call('edit', { input: script })))
      const lines = text.split('\n')
      const changed = [...lines]
      changed[line - 1] = row
      const change = unifiedPatch(lines, line, row)
      const bytes = new TextEncoder().encode(text)
      const peerMs = await timed(() => new TextEncoder().encode(diff.applyPatch(new TextDecoder().decode(bytes), change)))
      text = changed.join('\n')
      if (new TextDecoder().decode(peerMs.value) !== text) throw new Error('applyPatch gave another text')
      if (round < 0) continue
      times.read.push(readMs.ms)
      times.edit.push(editMs.ms)
      times.peer.push(peerMs.ms)
    }
    if ((await workspace.fs.readText(path)) !== text) throw new Error('edit gave another text')
    const [read, edit, peer] = [median(times.read), median(times.edit), median(times.peer)]
    const ratio = `${(edit / peer).toFixed(2)}x`
    const verdict = lineCount === budgetMs.lineCount ? `budget ${budgetMs.edit} ms${edit > budgetMs.edit ? ': over' : ''}` : ''
    console.log(
      `${String(lineCount).padEnd(8)}${[read, edit].map(ms => ms.toFixed(2).padStart(7)).join(' ')}${peer.toFixed(2).padStart(13)}${ratio.padStart(18)}   ${verdict}`.trimEnd(),
    )
    if (lineCount === budgetMs.lineCount && edit > budgetMs.edit) process.exitCode = 1
    await tools.close()
  }
  await workspace.dispose()
}

/** A thread with the interface of a page's worker. */
function spawn() {
  const { port1, port2 } = new MessageChannel()
  const thread = new Worker(new URL(import.meta.url), { workerData: { port: port2 }, transferList: [port2] })
  return {
    postMessage: (message, transfer) => port1.postMessage(message, transfer ?? []),
    addEventListener: (type, listener, options) => port1.addEventListener(type, listener, options),
    removeEventListener: (type, listener, options) => port1.removeEventListener(type, listener, options),
    start: () => port1.start(),
    terminate: () => {
      port1.close()
      void thread.terminate()
    },
  }
}

function sourceOf(lineCount) {
  return Array.from({ length: lineCount }, (_, index) => `  const value${index} = compute(${index}, 'some text')\n`).join('')
}

/** The change of one line with three lines of context, as a tool would send it. */
function unifiedPatch(lines, line, row) {
  const count = lines.length - 1
  const from = Math.max(1, line - 3)
  const to = Math.min(count, line + 3)
  const rows = []
  for (let number = from; number <= to; number++) {
    if (number === line) rows.push(`-${lines[number - 1]}`, `+${row}`)
    else rows.push(` ${lines[number - 1]}`)
  }
  const span = `${from},${to - from + 1}`
  return `--- a\n+++ b\n@@ -${span} +${span} @@\n${rows.join('\n')}\n`
}

async function timed(work) {
  const startMs = performance.now()
  const value = await work()
  return { value, ms: performance.now() - startMs }
}

function result({ isError, content }) {
  const text = content[0].text
  if (isError) throw new Error(text)
  return text
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]
}
