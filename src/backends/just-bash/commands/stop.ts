// How a program that works for long learns that its script is over, and lets others run. On a shared thread no message arrives while it works.

interface Watch {
  /** Throws when the script is over, by its time too. */
  readonly check: () => void
  readonly pause: (() => Promise<void>) | undefined
}

const watches = new WeakMap<AbortSignal, Watch>()

/** What programs that are given `signal` ask. */
export function watchWith(signal: AbortSignal, watch: Watch): void {
  watches.set(signal, watch)
}

/** Throws when the script is over. */
export function checkEnded(signal: AbortSignal): void {
  signal.throwIfAborted()
  watches.get(signal)?.check()
}

/** Lets others run, where the thread is shared and it is time to. Throws when the script is over. */
export async function letOthersRun(signal: AbortSignal): Promise<void> {
  await watches.get(signal)?.pause?.()
  checkEnded(signal)
}
