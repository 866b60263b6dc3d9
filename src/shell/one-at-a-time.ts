// Serializes the commands of a shell that can run only one at a time.

import type { Shell, ShellProcess } from './shell.ts'

const waiting = new WeakMap<Shell, Shell>()

/**
 * Returns `shell` itself if it runs commands concurrently. Otherwise returns the same wrapper each time, so that all users share one queue.
 */
export function oneAtATime(shell: Shell): Shell {
  if (shell.capabilities.concurrent) return shell
  const known = waiting.get(shell)
  if (known !== undefined) return known
  let last: Promise<unknown> = Promise.resolve()
  const queued: Shell = {
    capabilities: shell.capabilities,
    start: (command, options) => {
      const started = last.then((): Promise<ShellProcess> => shell.start(command, options))
      // The next command starts after this one, even if it failed. The caller of this one receives the error.
      last = started.then(
        process => process.exit,
        () => undefined,
      )
      return started
    },
    dispose: () => shell.dispose(),
  }
  waiting.set(shell, queued)
  return queued
}
