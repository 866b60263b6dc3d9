// How statements complete, and how that affects the enclosing statements.

import { later, now, type Code, type Waiting } from './code.ts'

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
  const from = (first: number): Waiting<Completion> => {
    for (let at = first; at < codes.length; at++) {
      const completion = codes[at]?.run() ?? Completion.normal
      if (completion instanceof Promise) return completion.then(given => (given === Completion.normal ? from(at + 1) : given))
      if (completion !== Completion.normal) return completion
    }
    return Completion.normal
  }
  return later(() => from(0))
}

/** What a loop does at each turn. */
export interface Turns {
  /** Throws if the caller has aborted the program. */
  readonly check: () => void
  /** Lets others run now and then. Without it, a loop runs to its end at once. */
  readonly rest: (() => Promise<void> | undefined) | undefined
}

export function loop(
  { check, rest }: Turns,
  test: Code<boolean>,
  body: Code<Completion>,
  step: Code<Completion> | undefined,
  isDo: boolean,
): Code<Completion> {
  if (rest !== undefined || test.waits || body.waits || step?.waits === true) {
    const stepAfter = (completion: Completion): Waiting<Completion | undefined> => {
      if (completion === Completion.break || completion > Completion.continue) return completion
      const stepped = step?.run()
      return stepped instanceof Promise ? stepped.then(() => undefined) : undefined
    }
    const runBody = (): Waiting<Completion | undefined> => {
      const completion = body.run()
      return completion instanceof Promise ? completion.then(stepAfter) : stepAfter(completion)
    }
    const turn = (): Waiting<Completion | undefined> => {
      check()
      const resting = rest?.()
      return resting === undefined ? runBody() : resting.then(runBody)
    }
    const turnIf = (holds: boolean): Waiting<Completion | undefined> => (holds ? turn() : Completion.break)
    return later(() => {
      let isFirst = isDo
      return repeat(() => {
        const holds = isFirst || test.run()
        isFirst = false
        return holds instanceof Promise ? holds.then(turnIf) : turnIf(holds)
      })
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
  { check, rest }: Turns,
  keys: () => readonly string[],
  setKey: (key: string) => void,
  assign: Code<unknown>,
  body: Code<Completion>,
): Code<Completion> {
  if (rest === undefined && !body.waits && !assign.waits) {
    const [sets, runs] = [assign.run, body.run]
    return now(() => {
      for (const each of keys()) {
        check()
        setKey(each)
        sets()
        const completion = runs()
        if (completion === Completion.break) break
        if (completion > Completion.continue) return completion
      }
      return Completion.normal
    })
  }
  const goesOn = (completion: Completion): Completion | undefined =>
    completion === Completion.break || completion > Completion.continue ? completion : undefined
  const runBody = (): Waiting<Completion | undefined> => {
    const completion = body.run()
    return completion instanceof Promise ? completion.then(goesOn) : goesOn(completion)
  }
  return later(() => {
    const all = keys()
    let at = 0
    const turn = (): Waiting<Completion | undefined> => {
      setKey(all[at - 1] ?? '')
      const assigned = assign.run()
      return assigned instanceof Promise ? assigned.then(runBody) : runBody()
    }
    return repeat(() => {
      if (at >= all.length) return Completion.break
      at += 1
      check()
      const resting = rest?.()
      return resting === undefined ? turn() : resting.then(turn)
    })
  })
}

/** Repeats `turn` until it gives a completion; `break` is the normal end of a loop. */
function repeat(turn: () => Waiting<Completion | undefined>): Waiting<Completion> {
  for (;;) {
    const ended = turn()
    if (ended instanceof Promise) return repeatWaiting(ended, turn)
    if (ended !== undefined) return ended === Completion.break ? Completion.normal : ended
  }
}

/** As `repeat`, after the first turn that waits. Promises that wait for each other would fill the memory. */
async function repeatWaiting(
  first: Promise<Completion | undefined>,
  turn: () => Waiting<Completion | undefined>,
): Promise<Completion> {
  let ended = await first
  while (ended === undefined) {
    const next = turn()
    ended = next instanceof Promise ? await next : next
  }
  return ended === Completion.break ? Completion.normal : ended
}
