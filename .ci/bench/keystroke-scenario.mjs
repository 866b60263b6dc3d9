// What bench:keystroke measures: a person types in the middle of a large file.

const lineCount = 5_000
const keys = 10_000
const warmUpKeys = 1_500

export const textOfFile = Array.from({ length: lineCount }, (_, line) => `const value${line} = ${line} // a line of code\n`).join(
  '',
)

/** `waitMs`: for one key, the median of all keys, or the step of the clock if that is longer. */
export async function typeIn(workspace) {
  const buffer = await workspace.buffers.open('a.ts')
  let at = Math.trunc(textOfFile.length / 2)
  const waits = []
  const { port1, port2 } = new MessageChannel()
  for (let key = -warmUpKeys; key < keys; key++) {
    const started = performance.now()
    buffer.change([{ from: at, insert: 'x' }])
    if (key >= 0) waits.push(performance.now() - started)
    at++
    // The next key comes in another turn of the event loop, as the answer does.
    await new Promise(resolve => {
      port1.onmessage = resolve
      port2.postMessage(0)
    })
  }
  port1.close()
  await buffer.save()
  const saved = await workspace.fs.readText('/workspace/a.ts')
  if (saved !== buffer.text || saved.length !== textOfFile.length + warmUpKeys + keys)
    throw new Error('The saved text is not what was typed.')
  const median = waits.toSorted((a, b) => a - b)[Math.trunc(waits.length / 2)]
  return { waitMs: Math.max(median, clockStepMs()), typed: warmUpKeys + keys }
}

function clockStepMs() {
  const start = performance.now()
  for (;;) {
    const now = performance.now()
    if (now > start) return now - start
  }
}
