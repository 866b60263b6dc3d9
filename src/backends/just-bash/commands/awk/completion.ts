// How statements complete, and how that affects the enclosing statements.

import { later, now, type Code } from './code.ts'

export const Completion = { normal: 0, break: 1, continue: 2, next: 3, nextFile: 4, exit: 5, return: 6 } as const
export type Completion = (typeof Completion)[keyof typeof Completion]

/** Thrown by `next`, `nextfile` and `exit` inside a function; caught by the rule or the program that called it. */
export class EscapeFunction extends Error {
  override readonly name = 'EscapeFunction'
  readonly completion: Completion

  constructor(completion: Completion) {
    super('next or exit in a function')
    this.completion = completion
  }
}

/** Runs statements in order until one does not complete normally. */
export function inOrder(codes: readonly Code<Completion>[]): Code<Completion> {
  const runs: (() => Completion)[] = []
  for (const code of codes) {
    if (code.waits) return inOrderWaiting(codes)
    runs.push(code.run)
  }
  return now(() => {
    for (const run of runs) {
      const completion = run()
      if (completion !== Completion.normal) return completion
    }
    return Completion.normal
  })
}

function inOrderWaiting(codes: readonly Code<Completion>[]): Code<Completion> {
  return later(async () => {
    for (const code of codes) {
      const completion = code.waits ? await code.run() : code.run()
      if (completion !== Completion.normal) return completion
    }
    return Completion.normal
  })
}

/** `check` throws if the caller has aborted the program. */
export function loop(
  check: () => void,
  test: Code<boolean>,
  body: Code<Completion>,
  step: Code<Completion> | undefined,
  isDo: boolean,
): Code<Completion> {
  if (test.waits || body.waits || step?.waits === true) {
    return later(async () => {
      for (let isFirst = isDo; isFirst || (await test.run()); isFirst = false) {
        check()
        const completion = await body.run()
        if (completion === Completion.break) break
        if (completion > Completion.continue) return completion
        await step?.run()
      }
      return Completion.normal
    })
  }
  const [asks, runs, steps] = [test.run, body.run, step?.run]
  return now(() => {
    for (let isFirst = isDo; isFirst || asks(); isFirst = false) {
      check()
      const completion = runs()
      if (completion === Completion.break) break
      if (completion > Completion.continue) return completion
      steps?.()
    }
    return Completion.normal
  })
}

/** Runs `body` for each key, after `assign` has stored the key in the loop variable. */
export function forEachKey(
  keys: () => readonly string[],
  setKey: (key: string) => void,
  assign: Code<unknown>,
  body: Code<Completion>,
): Code<Completion> {
  if (!body.waits && !assign.waits) {
    const [sets, runs] = [assign.run, body.run]
    return now(() => {
      for (const each of keys()) {
        setKey(each)
        sets()
        const completion = runs()
        if (completion === Completion.break) break
        if (completion > Completion.continue) return completion
      }
      return Completion.normal
    })
  }
  return later(async () => {
    for (const each of keys()) {
      setKey(each)
      await assign.run()
      const completion = await body.run()
      if (completion === Completion.break) break
      if (completion > Completion.continue) return completion
    }
    return Completion.normal
  })
}
