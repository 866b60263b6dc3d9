// The workers of a command that runs programs: when one is used again, ended or replaced. The workers are stand-ins.

import { expect, it } from 'vitest'

import { callProgram, workspaceOf } from '../testing/programs/call-program.ts'
import type { ShellCommandContext } from './commands.ts'
import { runInWorker, type FromProgramWorker } from './program-calls.ts'
import { ProgramWorkers, type ProgramWorkerOptions } from './program-workers.ts'
import { createCallMemory } from './waited-calls.ts'

type Sent = 'prepare' | { readonly memory: SharedArrayBuffer }

interface Pool {
  /** Runs a program, and returns its output or why it did not run. */
  run(): Promise<string>
  readonly workers: ProgramWorkers<Sent>
  /** What a worker says by itself. */
  say(worker: number, message: FromProgramWorker): void
  /** What happened: `+2` starts the second worker, `2:run` and `2:prepare` are sent to it, `-2` ends it. */
  readonly log: string[]
}

/** @param answer what a worker says to its program with the number `program` */
function openPool(
  limits: Pick<ProgramWorkerOptions<Sent>, 'maxIdle' | 'maxPrograms' | 'prepare'>,
  answer: (program: number) => FromProgramWorker = () => ({ kind: 'exit', code: 0, isReusable: true }),
): Pool {
  const log: string[] = []
  const listeners = new Map<number, (message: FromProgramWorker) => void>()
  let started = 0
  const workers = new ProgramWorkers<Sent>({
    start: () => {
      started += 1
      const name = started
      log.push(`+${name}`)
      let programs = 0
      return {
        port: {
          post: message => {
            log.push(`${name}:${message === 'prepare' ? message : 'run'}`)
            if (message === 'prepare') return
            programs += 1
            const said = answer(programs)
            queueMicrotask(() => listeners.get(name)?.(said))
          },
          listen: listener => void listeners.set(name, listener),
        },
        onLost: () => undefined,
        end: () => void log.push(`-${name}`),
        hold: () => undefined,
      }
    },
    ...limits,
  })
  const command = {
    name: 'program',
    run: async (context: ShellCommandContext) => {
      const memory = createCallMemory()
      if (memory === undefined) throw new Error('unreachable: Node shares memory')
      const ended = await runInWorker<Sent, { readonly memory: SharedArrayBuffer }>(workers, { memory }, context, async () =>
        Promise.resolve(new Uint8Array()),
      )
      await context.stdout.write(ended.kind === 'exit' ? 'ran' : ended.why)
      return 0
    },
  }
  return {
    run: async () => (await callProgram(command, workspaceOf({}), [])).stdout,
    workers,
    say: (worker, message) => listeners.get(worker)?.(message),
    log,
  }
}

it('a worker that has run all its programs is replaced by one that is prepared', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 2, prepare: () => 'prepare' })
  for (let program = 0; program < 5; program++) expect(await pool.run()).toBe('ran')
  expect(pool.log.join(' ')).toBe('+1 1:run 1:run -1 +2 2:prepare 2:run 2:run -2 +3 3:prepare 3:run')
})

it('without preparation the next program starts its worker', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 1 })
  for (let program = 0; program < 2; program++) expect(await pool.run()).toBe('ran')
  expect(pool.log.join(' ')).toBe('+1 1:run -1 +2 2:run -2')
})

it('no more workers than the most are kept', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 9, prepare: () => 'prepare' })
  await Promise.all([pool.run(), pool.run()])
  await pool.run()
  expect(pool.log.join(' ')).toBe('+1 1:run +2 2:run -2 1:run')
})

it('a program that a used worker cannot begin is run by a fresh one', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 9 }, program =>
    program === 1 ? { kind: 'exit', code: 0, isReusable: true } : { kind: 'unavailable', why: 'no memory' },
  )
  expect([await pool.run(), await pool.run()]).toEqual(['ran', 'ran'])
  expect(pool.log.join(' ')).toBe('+1 1:run 1:run -1 +2 2:run')
})

it('what a fresh worker cannot begin is reported', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 9 }, () => ({ kind: 'unavailable', why: 'no memory' }))
  expect(await pool.run()).toBe('no memory')
  expect(pool.log.join(' ')).toBe('+1 1:run -1')
})

it('a prepared worker that could not load its engine is ended', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 1, prepare: () => 'prepare' })
  await pool.run()
  pool.say(2, { kind: 'unavailable', why: 'no memory' })
  expect(await pool.run()).toBe('ran')
  expect(pool.log.join(' ')).toBe('+1 1:run -1 +2 2:prepare -2 +3 3:run -3 +4 4:prepare')
})

it('a program whose prepared worker fails while it begins is run by a fresh one', async () => {
  let calls = 0
  const pool = openPool({ maxIdle: 1, maxPrograms: 1, prepare: () => 'prepare' }, () =>
    ++calls === 2 ? { kind: 'unavailable', why: 'no memory' } : { kind: 'exit', code: 0, isReusable: true },
  )
  expect([await pool.run(), await pool.run()]).toEqual(['ran', 'ran'])
  expect(pool.log.join(' ')).toBe('+1 1:run -1 +2 2:prepare 2:run -2 +3 3:run -3 +4 4:prepare')
})

it('after the end of the shell no worker is kept, prepared or idle', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 2, prepare: () => 'prepare' })
  await pool.run()
  pool.workers.dispose()
  await pool.run()
  await pool.run()
  pool.workers.dispose()
  expect(pool.log.join(' ')).toBe('+1 1:run -1 +2 2:run 2:run -2 +3 3:prepare -3')
})

it('a worker whose program ends after the end of the shell is not kept', async () => {
  const pool = openPool({ maxIdle: 1, maxPrograms: 1, prepare: () => 'prepare' }, () => {
    pool.workers.dispose()
    return { kind: 'exit', code: 0, isReusable: true }
  })
  await pool.run()
  expect(pool.log.join(' ')).toBe('+1 1:run -1')
})
