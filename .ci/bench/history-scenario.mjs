// What bench:history measures: the same edits in two workspaces, with and without a history, in turns.

const fileCount = 200
const lineCount = 200

const sourceOf = file => Array.from({ length: lineCount }, (_, line) => `const value${line} = ${file} // row\n`).join('')
export const files = Object.fromEntries(
  Array.from({ length: fileCount }, (_, file) => [`src/d${file % 10}/f${file}.ts`, sourceOf(file)]),
)

/** `workspace` has `files`. */
export async function openSide(workspace) {
  const tools = await workspace.toolset('ah')
  for (const path of Object.keys(files)) await tools.call('read', { path })
  await workspace.idle()
  return { workspace, tools, calls: 0 }
}

/** Edits, until everything is stored that is to be stored. Resolves with the milliseconds until the last call was answered. */
export async function edit(side, callsPerSlice) {
  const startedAt = performance.now()
  for (let index = 0; index < callsPerSlice; index++) {
    const call = side.calls++
    const path = `src/d${call % 10}/f${call % fileCount}.ts`
    const round = Math.trunc(call / fileCount)
    const [old_string, new_string] = round % 2 === 0 ? ['const value7 ', 'const other7 '] : ['const other7 ', 'const value7 ']
    const result = await side.tools.call('edit', { path, old_string, new_string }, { callId: `c${call}`, turn: `t${round}` })
    if (result.isError) throw new Error(result.content[0].text)
  }
  const elapsedMs = performance.now() - startedAt
  await side.workspace.idle()
  return elapsedMs
}

/** `slice(name)` edits on one side and resolves with its cost for a call. Prints both and the difference; returns whether it is too large. */
export async function compareSides(where, slice, { slices, warmUpSlices, budget }) {
  const costs = { without: [], with: [] }
  for (let round = -warmUpSlices; round < slices; round++) {
    // Each goes first every other time.
    for (const name of round % 2 === 0 ? ['without', 'with'] : ['with', 'without']) {
      const cost = await slice(name)
      if (round >= 0) costs[name].push(cost)
    }
  }
  const { share, error, without, withHistory } = compared(costs)
  const isOver = share > budget
  const accuracy = `± ${(error * 100).toFixed(1)}`
  print(where, without, withHistory, share, `${accuracy}, budget ${budget * 100} %${isOver ? ': over' : ''}`)
  return isOver
}

export function print(where, without, withHistory, share, note) {
  const figures = [without, withHistory].map(each => `${each.toFixed(0).padStart(6)} µs`)
  console.log(
    `${where.padEnd(32)}${figures[0]} without a history${figures[1]} with it${(share * 100).toFixed(1).padStart(7)} %   ${note}`,
  )
}

/**
 * The difference of what all pairs took, with its standard error. A median would leave out the collection of garbage, which comes in few
 * slices and belongs to the cost. The tenth of the pairs with the longest times is left out: there the machine did something else.
 */
function compared(costs) {
  const pairs = costs.without.map((without, index) => [without, costs.with[index]])
  const kept = pairs.toSorted((a, b) => a[0] + a[1] - b[0] - b[1]).slice(0, Math.ceil(pairs.length * 0.9))
  const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length
  const [without, withHistory] = [0, 1].map(side => mean(kept.map(pair => pair[side])))
  const share = withHistory / without - 1
  const error = Math.sqrt(mean(kept.map(([a, b]) => ((b - a) / without - share) ** 2)) / kept.length)
  return { share, error, without, withHistory }
}
