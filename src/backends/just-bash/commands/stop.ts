// Lets long-running commands learn that their script has ended, and yield to others. On a shared thread no message arrives while
// a command runs.

interface Watch {
  /** Throws if the script has ended or its deadline has passed. */
  readonly check: () => void
  readonly pause: (() => Promise<void>) | undefined
}

const watches = new WeakMap<AbortSignal, Watch>()

/** Registers the `watch` that commands with `signal` use. */
export function watchWith(signal: AbortSignal, watch: Watch): void {
  watches.set(signal, watch)
}

export function checkEnded(signal: AbortSignal): void {
  signal.throwIfAborted()
  watches.get(signal)?.check()
}

/** Whether others wait for the thread while a command runs. */
export function isThreadShared(signal: AbortSignal): boolean {
  return watches.get(signal)?.pause !== undefined
}

/** Yields to others if the thread is shared and it is time to do so. Throws if the script has ended. */
export async function letOthersRun(signal: AbortSignal): Promise<void> {
  await watches.get(signal)?.pause?.()
  checkEnded(signal)
}
