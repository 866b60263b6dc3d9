// Compiled parts of a program. Most parts are synchronous; a part that reads input, runs commands or may take long waits at times, and so
// does every part that contains it. It gives a promise only when it does wait, because a promise takes longer than most parts.

export type Waiting<T> = T | Promise<T>

export type Code<T> = { readonly waits: false; readonly run: () => T } | { readonly waits: true; readonly run: () => Waiting<T> }

export function now<T>(run: () => T): Code<T> {
  return { waits: false, run }
}

export function later<T>(run: () => Waiting<T>): Code<T> {
  return { waits: true, run }
}

function after<A, T>(value: Waiting<A>, use: (value: A) => Waiting<T>): Waiting<T> {
  return value instanceof Promise ? value.then(use) : use(value)
}

export function map<A, T>(code: Code<A>, change: (value: A) => T): Code<T> {
  if (code.waits) return later(() => after(code.run(), change))
  const { run } = code
  return now(() => change(run()))
}

/** Runs `left`, then `right`, and combines their values. */
export function map2<A, B, T>(left: Code<A>, right: Code<B>, combine: (left: A, right: B) => T): Code<T> {
  if (left.waits || right.waits) return later(() => after(left.run(), one => after(right.run(), other => combine(one, other))))
  const [one, other] = [left.run, right.run]
  return now(() => combine(one(), other()))
}

export function mapAll<A, T>(codes: readonly Code<A>[], combine: (values: readonly A[]) => T): Code<T> {
  const runs: (() => A)[] = []
  for (const code of codes) {
    if (code.waits) return later(() => gather(codes, [], combine))
    runs.push(code.run)
  }
  return now(() => combine(runs.map(run => run())))
}

/** Runs the codes whose `values` are missing. */
function gather<A, T>(codes: readonly Code<A>[], values: A[], combine: (values: readonly A[]) => T): Waiting<T> {
  for (let code = codes[values.length]; code !== undefined; code = codes[values.length]) {
    const value = code.run()
    if (value instanceof Promise)
      return value.then(given => {
        values.push(given)
        return gather(codes, values, combine)
      })
    values.push(value)
  }
  return combine(values)
}

export function choose<T>(test: Code<boolean>, yes: Code<T>, no: Code<T>): Code<T> {
  if (test.waits || yes.waits || no.waits) return later(() => after(test.run(), holds => (holds ? yes.run() : no.run())))
  const [asks, one, other] = [test.run, yes.run, no.run]
  return now(() => (asks() ? one() : other()))
}

/** Runs `code` and passes its value to `change`, which may wait. */
export function waitFor<A, T>(code: Code<A>, change: (value: A) => Waiting<T>): Code<T> {
  return later(() => after(code.run(), change))
}
