import { describe, expect, it } from 'vitest'

import { JobRegistry, maxJobs, maxRunning, type JobEnd, type JobWork } from './jobs.ts'

const ok = (output = ''): JobEnd => ({ isError: false, output, details: {} })
const work = (run: JobWork['run'], title = 'work'): JobWork => ({ title, run })
const forever: JobWork['run'] = signal =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

function clock(): (() => number) & { atMs: number } {
  const now = Object.assign(() => now.atMs, { atMs: 1_000 })
  return now
}

describe('jobs', () => {
  it.each<[string, JobWork['run'], object]>([
    ['that ends well', () => Promise.resolve(ok('done')), { state: 'completed', report: { output: 'done' } }],
    ['that fails', () => Promise.resolve({ ...ok('no'), isError: true, problem: 'why' }), { state: 'failed', problem: 'why' }],
    ['that breaks', () => Promise.reject(new Error('broken')), { state: 'failed', problem: 'broken' }],
    [
      'that breaks after it told something',
      (_signal, tell) => (tell({ output: 'so far', details: { a: 1 } }), Promise.reject(new Error('broken'))),
      { state: 'failed', report: { output: 'so far', details: { a: 1 } } },
    ],
  ])('one %s', async (_name, run, expected) => {
    const jobs = new JobRegistry(clock())
    const job = jobs.start('bash', work(run))
    expect(job.state).toBe('running')
    await job.ended
    expect(job).toMatchObject(expected)
    expect(jobs.get(job.id)).toBe(job)
  })

  it('cancelled: asked once, ended when it has', async () => {
    const job = new JobRegistry(clock()).start('bash', work(forever))
    expect([job.cancel(), job.state]).toEqual([true, 'running'])
    await job.ended
    expect([job.state, job.cancel()]).toEqual(['cancelled', false])
  })

  it('reports are heard until nobody wants to', async () => {
    const heard: string[] = []
    let tell: (output: string) => void = () => undefined
    const job = new JobRegistry(clock()).start(
      'bash',
      work((signal, report) => {
        tell = output => report({ output, details: {} })
        return forever(signal, report)
      }),
    )
    const forget = job.onReport(({ output }) => heard.push(output))
    tell('a')
    forget()
    tell('b')
    expect([heard, job.report.output]).toEqual([['a'], 'b'])
    job.cancel()
    await job.ended
  })

  it('have numbers of their own', () => {
    const jobs = new JobRegistry(clock())
    const ids = Array.from(
      { length: 10 },
      () =>
        jobs.start(
          'bash',
          work(() => Promise.resolve(ok())),
        ).id,
    )
    expect(new Set(ids).size).toBe(10)
    expect(ids.every(id => /^bash-[0-9a-z]+-[0-9a-z]{6}$/.test(id))).toBe(true)
  })

  it('that ended are forgotten after half an hour, and when there are too many', async () => {
    const now = clock()
    const jobs = new JobRegistry(now)
    const first = jobs.start(
      'bash',
      work(() => Promise.resolve(ok())),
    )
    await first.ended
    now.atMs += 30 * 60 * 1000
    expect(jobs.get(first.id)).toBe(first)
    now.atMs += 1
    expect(jobs.get(first.id)).toBeUndefined()
    const running = jobs.start('bash', work(forever))
    for (let index = 0; index < 150; index++)
      await jobs.start(
        'bash',
        work(() => Promise.resolve(ok())),
      ).ended
    expect([jobs.ids.length, jobs.ids[0]]).toEqual([maxJobs, running.id])
    await jobs.close()
  })

  it('that run are bounded, and all end with the session', async () => {
    const jobs = new JobRegistry(clock())
    const all = Array.from({ length: maxRunning }, () => jobs.start('bash', work(forever)))
    expect(() => jobs.start('bash', work(forever))).toThrow(expect.objectContaining({ code: 'too-many-jobs' }))
    await jobs.close()
    await jobs.close()
    expect(all.every(({ state }) => state === 'cancelled')).toBe(true)
    expect(() => jobs.start('bash', work(forever))).toThrow(expect.objectContaining({ code: 'session-closed' }))
  })
})
