// A terminal that loses its last process throws away what was not read yet (node-pty, issue #85). So the process that leads it stays until
// everything was read: it writes a marker behind the output, and ends when it is told that the marker has come.

import { randomUUID } from 'node:crypto'

export interface EndMarker {
  /** A POSIX script that runs its arguments as a command. */
  readonly script: string
  /** What is written to the terminal to let the leader go. */
  readonly answer: string
  /** Gives on output and swallows the marker. */
  read(bytes: Uint8Array): void
  /** The terminal is gone: what waited was no marker. */
  end(): void
}

/** `onEnd` gets the command's exit code, 128 and the number for one that died of a signal. */
export function createEndMarker(onOutput: (bytes: Uint8Array) => void, onEnd: (code: number) => void): EndMarker {
  const secret = randomUUID()
  // The form of an operating system command: a terminal that shows it shows nothing.
  const start = new TextEncoder().encode(`\u001b]697;${secret};`)
  const longest = start.length + 4
  let waiting: Uint8Array = new Uint8Array(0)
  let isOver = false
  return {
    // Asked to end it lives on, and only the command ends. What it does not know how to wait for, it asks again.
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

/** Where a marker may begin at or behind `from`; the end where it cannot. */
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
