// Gives a shell that can run only one command at a time only one command at a time. Others wait for their turn, in order.

import type { Shell, ShellProcess } from './shell.ts'

const waiting = new WeakMap<Shell, Shell>()

/** `shell` itself if it runs several commands at once; otherwise always the same wrapper, so that all its users share one queue. */
export function oneAtATime(shell: Shell): Shell {
  if (shell.capabilities.concurrent) return shell
  const known = waiting.get(shell)
  if (known !== undefined) return known
  let last: Promise<unknown> = Promise.resolve()
  const queued: Shell = {
    capabilities: shell.capabilities,
    start: (command, options) => {
      const started = last.then((): Promise<ShellProcess> => shell.start(command, options))
      // The next command starts after this one, however it ended; its own caller receives a failure.
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
