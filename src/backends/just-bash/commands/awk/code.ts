// Compiled parts of a program. Most parts are synchronous; a part that reads input or runs commands is asynchronous, and so is
// every part that contains it.

export type Code<T> = { readonly waits: false; readonly run: () => T } | { readonly waits: true; readonly run: () => Promise<T> }

export function now<T>(run: () => T): Code<T> {
  return { waits: false, run }
}

export function later<T>(run: () => Promise<T>): Code<T> {
  return { waits: true, run }
}

export function map<A, T>(code: Code<A>, change: (value: A) => T): Code<T> {
  if (code.waits) return later(async () => change(await code.run()))
  const { run } = code
  return now(() => change(run()))
}

/** Runs `left`, then `right`, and combines their values. */
export function map2<A, B, T>(left: Code<A>, right: Code<B>, combine: (left: A, right: B) => T): Code<T> {
  if (left.waits || right.waits) {
    return later(async () => {
      const value = await left.run()
      return combine(value, await right.run())
    })
  }
  const [one, other] = [left.run, right.run]
  return now(() => combine(one(), other()))
}

export function mapAll<A, T>(codes: readonly Code<A>[], combine: (values: readonly A[]) => T): Code<T> {
  const runs: (() => A)[] = []
  for (const code of codes) {
    if (code.waits) {
      return later(async () => {
        const values: A[] = []
        for (const each of codes) values.push(await each.run())
        return combine(values)
      })
    }
    runs.push(code.run)
  }
  return now(() => combine(runs.map(run => run())))
}

/** Runs `yes` or `no`, depending on `test`. */
export function choose<T>(test: Code<boolean>, yes: Code<T>, no: Code<T>): Code<T> {
  if (test.waits || yes.waits || no.waits) return later(async () => ((await test.run()) ? yes.run() : no.run()))
  const [asks, one, other] = [test.run, yes.run, no.run]
  return now(() => (asks() ? one() : other()))
}

/** Runs `code` and passes its value to the asynchronous `change`. */
export function waitFor<A, T>(code: Code<A>, change: (value: A) => Promise<T>): Code<T> {
  return later(async () => change(await code.run()))
}
