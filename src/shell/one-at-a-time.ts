// A shell that can run one command only gets one command only. Whoever comes meanwhile waits for its turn, in order.

import type { Shell, ShellProcess } from './shell.ts'

const waiting = new WeakMap<Shell, Shell>()

/** `shell` itself where it runs several commands at once; else the same wrapper each time, so that all its users are in one line. */
export function oneAtATime(shell: Shell): Shell {
  if (shell.capabilities.concurrent) return shell
  const known = waiting.get(shell)
  if (known !== undefined) return known
  let last: Promise<unknown> = Promise.resolve()
  const queued: Shell = {
    capabilities: shell.capabilities,
    start: (command, options) => {
      const started = last.then((): Promise<ShellProcess> => shell.start(command, options))
      // Whether it started and however it ended: then it is the next one's turn. Its own caller hears of a failure.
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
