// Long work as a generator, so that the same code can run at once or let others run in between.

/** Work in steps of a few milliseconds. Between them others may run. */
export type Steps<T> = Generator<void, T>

/** Does all steps at once. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Awaits `pause` between steps. */
export async function finishedInSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await pause()
  }
}
