// npm run bench:keystroke: what one typed character costs in a file that is open in an editor. Needs a build. The first figure is how long
// the editor waits for `change`, the median of all keys. The second is the processor time of everything until the answer; here the editor's
// copy and the order of all changes, which are a page and a worker otherwise, are in one thread. Exits with 1 if the first is above the budget.
import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'

const lineCount = 5_000
const keysPerSlice = 500
const slices = 20
const warmUpSlices = 3
const budgetMs = 0.2

const text = Array.from({ length: lineCount }, (_, line) => `const value${line} = ${line} // a line of code\n`).join('')
const workspace = await createWorkspace({ fs: memory({ 'a.ts': text }), shell: 'none', history: true })
const buffer = await workspace.buffers.open('a.ts')
let at = Math.trunc(text.length / 2)
const waits = []
const perKey = []
for (let slice = -warmUpSlices; slice < slices; slice++) {
  const before = process.cpuUsage()
  for (let key = 0; key < keysPerSlice; key++) {
    const started = performance.now()
    buffer.change([{ from: at, insert: 'x' }])
    if (slice >= 0) waits.push(performance.now() - started)
    at++
    // The next key comes in another turn of the event loop, as the answer does.
    await new Promise(resolve => setImmediate(resolve))
  }
  const { user, system } = process.cpuUsage(before)
  if (slice >= 0) perKey.push((user + system) / 1000 / keysPerSlice)
}
await buffer.save()
const saved = await workspace.fs.readText('/workspace/a.ts')
if (saved !== buffer.text || saved.length !== text.length + keysPerSlice * (slices + warmUpSlices))
  throw new Error('The saved text is not what was typed.')
const wait = median(waits)
console.log(
  `typing waits, in ${text.length} characters  ${wait.toFixed(3)} ms   budget ${budgetMs} ms${wait > budgetMs ? ': over' : ''}`,
)
console.log(`both sides, until the answer         ${median(perKey).toFixed(3)} ms of processor time`)
if (wait > budgetMs) process.exitCode = 1
await workspace.dispose()

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.trunc(values.length / 2)]
}
