// npm run bench:history: what recording a history adds to a call that edits a file. Needs a build. Two workspaces with the same files take
// turns, and processor time counts, so that other work on the machine disturbs both alike. Exits with 1 above the budget.
import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'

const fileCount = 200
const lineCount = 200
const callsPerSlice = 200
const slices = 50
const warmUpSlices = 5
const budget = 0.05

const sourceOf = file => Array.from({ length: lineCount }, (_, line) => `const value${line} = ${file} // row\n`).join('')
const files = Object.fromEntries(
  Array.from({ length: fileCount }, (_, file) => [`src/d${file % 10}/f${file}.ts`, sourceOf(file)]),
)

async function open(history) {
  const workspace = await createWorkspace({ fs: memory(files), shell: 'none', history })
  const tools = await workspace.toolset('ah')
  for (const path of Object.keys(files)) await tools.call('read', { path })
  return { workspace, tools, calls: 0, perCall: [] }
}

/** Microseconds of processor time for a call, over one slice of calls. */
async function slice(side) {
  const before = process.cpuUsage()
  for (let index = 0; index < callsPerSlice; index++) {
    const call = side.calls++
    const path = `src/d${call % 10}/f${call % fileCount}.ts`
    const round = Math.trunc(call / fileCount)
    const [old_string, new_string] = round % 2 === 0 ? ['const value7 ', 'const other7 '] : ['const other7 ', 'const value7 ']
    const result = await side.tools.call('edit', { path, old_string, new_string }, { callId: `c${call}`, turn: `t${round}` })
    if (result.isError) throw new Error(result.content[0].text)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / callsPerSlice
}

const sides = { without: await open(false), with: await open(true) }
for (let round = -warmUpSlices; round < slices; round++) {
  // Each goes first every other time.
  const order = round % 2 === 0 ? ['without', 'with'] : ['with', 'without']
  for (const name of order) {
    const cost = await slice(sides[name])
    if (round >= 0) sides[name].perCall.push(cost)
  }
}
const { entries } = await sides.with.workspace.history.list()
if (entries.length < Math.min(10_000, sides.with.calls)) throw new Error(`Only ${entries.length} entries were recorded.`)
const [without, withHistory] = [median(sides.without.perCall), median(sides.with.perCall)]
const share = median(sides.with.perCall.map((cost, index) => cost / sides.without.perCall[index])) - 1
console.log(`an edit without a history  ${without.toFixed(0).padStart(5)} µs`)
console.log(`an edit with a history     ${withHistory.toFixed(0).padStart(5)} µs`)
console.log(
  `the history's share        ${(share * 100).toFixed(1).padStart(5)} %   budget ${budget * 100} %${share > budget ? ': over' : ''}`,
)
if (share > budget) process.exitCode = 1
for (const { workspace } of Object.values(sides)) await workspace.dispose()

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.trunc(values.length / 2)]
}
