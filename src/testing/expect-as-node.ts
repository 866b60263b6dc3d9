// Plays the same steps on Node's `fs` and on the facade over each backend, and expects the same answers.

import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { comparableAnswer, facadeNames, facadeSubject, type FsSubject, realSubject } from './node-fs-subjects.ts'

export interface PlayedStep<Run> {
  readonly text: string
  readonly act: (run: Run) => Promise<unknown>
}

/** Prepares a subject, and returns what its steps share and how it ends. */
export type Prepare<Run> = (subject: FsSubject) => Promise<{ readonly run: Run; readonly end: () => Promise<void> }>

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
if (!isRoot)
  console.warn('calls are not compared with Node: nobody but root may do all of them, and errors have the numbers of Linux')

/** Whether this user of this machine can run such tests. */
export const canCompare: boolean = isRoot

export async function expectAsNode<Run>(
  title: string,
  steps: readonly PlayedStep<Run>[],
  prepare: Prepare<Run>,
  backends: readonly (typeof facadeNames)[number][] = facadeNames,
): Promise<void> {
  const real = realSubject()
  try {
    const expected = await answers(real, steps, prepare)
    for (const name of backends) {
      const subject = await facadeSubject(name, real.root)
      try {
        const found = await answers(subject, steps, prepare)
        const index = steps.findIndex((_, at) => !isDeepStrictEqual(found[at], expected[at]))
        const before = steps.slice(0, index + 1).map(({ text }) => text)
        expect.soft(found[index], `${name}, ${title}:\n${before.join('\n')}`).toEqual(expected[index])
      } finally {
        await subject.dispose()
      }
    }
  } finally {
    await real.dispose()
  }
}

async function answers<Run>(
  subject: FsSubject,
  steps: readonly PlayedStep<Run>[],
  prepare: Prepare<Run>,
): Promise<readonly unknown[]> {
  const { run, end } = await prepare(subject)
  const given: unknown[] = []
  try {
    for (const step of steps) given.push(comparableAnswer(await answerOf(step, run), subject.root))
  } finally {
    await end()
  }
  return given
}

async function answerOf<Run>(step: PlayedStep<Run>, run: Run): Promise<unknown> {
  try {
    return await step.act(run)
  } catch (error) {
    return error
  }
}
