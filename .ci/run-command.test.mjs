// A run that ends, in any way, leaves no process behind: not in its group, not in another, not without a parent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endMarked, marked, markVariable } from './processes.mjs'
import { run } from './run-command.mjs'

const module = new URL('./run-command.mjs', import.meta.url).href
// A child in a separate group, one whose parent ends, and one without parent and environment whose group contains one that has both.
const tree = `setsid sleep 1000 & (sleep 1001 &) ; setsid sh -c "env -i sleep 1002 & sleep 1003" & echo started; sleep 1004`
const treeSize = 7
const program = `
  import { run } from ${JSON.stringify(module)}
  run('sh', ['-c', ${JSON.stringify(tree)}], { live: true })
`
let runs = 0

afterEach(() => endMarked(`test-${runs}`))

/** A process that runs the tree, and its mark. */
async function started() {
  const mark = `test-${++runs}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, [markVariable]: mark },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await expect.poll(() => marked(mark).filter(({ pid }) => pid !== child.pid).length).toBeGreaterThanOrEqual(treeSize)
  return { child, mark }
}

// SIGKILL leaves no time to clean up, so the reaper does it.
test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'])('%s ends all that was started', async signal => {
  const { child, mark } = await started()
  child.kill(signal)
  await once(child, 'exit')
  await expect.poll(() => marked(mark)).toEqual([])
})

test('a command that is killed takes with it what it started', async () => {
  const { child, mark } = await started()
  const command = marked(mark).find(({ parent, mark: its }) => parent === child.pid && its !== mark)
  process.kill(command.pid, 'SIGKILL')
  await once(child, 'exit')
  await expect.poll(() => marked(mark)).toEqual([])
})

describe('a command', () => {
  const minuteMs = 60_000
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('that is silent for five minutes is ended, and says so', async () => {
    const program = 'console.log("begun"); process.send("begun"); setInterval(() => {}, 1000)'
    const ending = await run(process.execPath, ['-e', program], { onMessage: () => vi.advanceTimersByTime(5 * minuteMs) })
    expect(ending).toEqual({ code: 1, output: expect.stringContaining('Stopped: no progress for 5 minutes.') })
  })

  test('that goes on, however slowly, is left alone', async () => {
    const program = 'for (let step = 0; step < 10; step++) process.send(step); process.disconnect()'
    const ending = await run(process.execPath, ['-e', program], { onMessage: () => vi.advanceTimersByTime(4 * minuteMs) })
    expect(ending).toEqual({ code: 0, output: '' })
  })
})
