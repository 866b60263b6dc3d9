// When the last process of a terminal ends, unread output is lost (node-pty, issue #85). So the leading process stays until everything was
// read: it writes a marker after the output, and ends when it is told that the marker has arrived.

import { randomUUID } from 'node:crypto'

export interface EndMarker {
  /** A POSIX script that runs its arguments as a command. */
  readonly script: string
  /** Written to the terminal to let the leader end. */
  readonly answer: string
  /** Passes on output and removes the marker. */
  read(bytes: Uint8Array): void
  /** The terminal has ended: bytes that waited are not a marker. */
  end(): void
}

/** `onEnd` receives the command's exit code, or 128 plus the number of the signal that ended it. */
export function createEndMarker(onOutput: (bytes: Uint8Array) => void, onEnd: (code: number) => void): EndMarker {
  const secret = randomUUID()
  // In the form of an operating system command, which a terminal does not display.
  const start = new TextEncoder().encode(`\u001b]697;${secret};`)
  const longest = start.length + 4
  let waiting: Uint8Array = new Uint8Array(0)
  let isOver = false
  return {
    // On SIGTERM it continues, and only the command ends. If `read` is interrupted, it reads again.
    script: `trap : TERM INT; "$@"; printf '\\033]697;${secret};%d\\007' "$?"; while [ "$answer" != ${secret} ]; do read -r answer || sleep 1; done`,
    answer: `${secret}\n`,
    read: bytes => {
      if (isOver) return
      const all = Uint8Array.from([...waiting, ...bytes])
      const at = indexOf(all, start)
      const end = at === -1 ? -1 : all.indexOf(7, at + start.length)
      if (end !== -1) {
        isOver = true
        if (at > 0) onOutput(all.subarray(0, at))
        onEnd(Number(new TextDecoder().decode(all.subarray(at + start.length, end))))
        return
      }
      const kept =
        at === -1 ? Math.min(longest, all.length - Math.max(0, lastEscape(all, all.length - longest))) : all.length - at
      waiting = all.slice(all.length - kept)
      if (all.length > kept) onOutput(all.subarray(0, all.length - kept))
    },
    end: () => {
      if (!isOver && waiting.length > 0) onOutput(waiting)
      isOver = true
    },
  }
}

/** Where a marker may begin, at or after `from`; the length if it cannot. */
function lastEscape(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(0x1b, Math.max(0, from))
  return at === -1 ? bytes.length : at
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}
