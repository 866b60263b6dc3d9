// Finds and removes the control sequences with which a shell in a terminal reports its state. The output may be split at any
// position. They are operating system commands (ECMA-48, 8.3.89): `ESC ] number ; text BEL`, which terminals do not show.

import { joinBytes } from '../core/bytes.ts'

export type PromptMark =
  /** A command was read and starts now. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'exit'; readonly code: number }
  /** The shell waits for the next command. */
  | { readonly kind: 'prompt'; readonly cwd?: string }

export interface PromptScanner {
  /** Whether the shell accepts a bracketed paste as one input. */
  readonly takesPastes: boolean
  /** Returns the output without marks, and the marks, in order. */
  add(bytes: Uint8Array): readonly (Uint8Array | PromptMark)[]
  /** Returns output that was held back because it could have been the beginning of a mark. */
  end(): Uint8Array
}

const bell = 7
/** The maximum length of a mark, which may contain a path. */
const maxTextBytes = 16 * 1024

/** `read` converts the text of one sequence to a mark. */
function createScanner(start: string, takesPastes: boolean, read: (text: string) => readonly PromptMark[]): PromptScanner {
  const wanted = new TextEncoder().encode(start)
  let held: Uint8Array = new Uint8Array()
  return {
    takesPastes,
    add(bytes) {
      const parts: (Uint8Array | PromptMark)[] = []
      let rest = held.length === 0 ? bytes : joinBytes([held, bytes])
      held = new Uint8Array()
      for (;;) {
        const at = beginning(rest, wanted)
        if (at > 0) parts.push(rest.slice(0, at))
        rest = rest.subarray(at)
        if (rest.length === 0) return parts
        const end = rest.length < wanted.length ? -1 : rest.indexOf(bell, wanted.length)
        if (end === -1 && rest.length <= maxTextBytes) {
          held = rest.slice()
          return parts
        }
        if (end === -1) {
          parts.push(rest.slice(0, 1))
          rest = rest.subarray(1)
          continue
        }
        parts.push(...read(new TextDecoder().decode(rest.subarray(wanted.length, end))))
        rest = rest.subarray(end + 1)
      }
    },
    end() {
      const rest = held
      held = new Uint8Array()
      return rest
    },
  }
}

/** The index where `wanted` begins, completely or as a prefix at the end of `bytes`. The length if there is none. */
function beginning(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1)) {
    const length = Math.min(wanted.length, bytes.length - at)
    if (wanted.subarray(0, length).every((byte, index) => byte === bytes[at + index])) return at
  }
  return bytes.length
}

/**
 * The marks of the prompt command for bash: `b` before a command, `CODE;DIRECTORY` before a prompt. `secret` distinguishes them
 * from other sequences.
 */
export function bashMarks(secret: string): { readonly scanner: PromptScanner; readonly env: Readonly<Record<string, string>> } {
  const start = `]697;${secret};`
  const scanner = createScanner(`\x1b${start}`, true, text => {
    if (text === 'b') return [{ kind: 'begin' }]
    const [, code, cwd] = /^(\d+);([^]*)$/.exec(text) ?? []
    return code === undefined || cwd === undefined
      ? []
      : [
          { kind: 'exit', code: Number(code) },
          { kind: 'prompt', cwd },
        ]
  })
  return {
    scanner,
    env: {
      PROMPT_COMMAND: `printf '\\033${start}%d;%s\\007' "$?" "$PWD"; export -n PROMPT_COMMAND PS0 PS1`,
      PS0: `\\e${start}b\\a`,
      PS1: String.raw`\[\e[1;34m\]\w\[\e[0m\] \$ `,
    },
  }
}

/** The marks of `jsh --osc`: `interactive`, `prompt` and `exit=PID:CODE`. */
export function jshMarks(): PromptScanner {
  return createScanner('\x1b]654;', false, text => {
    if (text === 'prompt') return [{ kind: 'prompt' }]
    const code = /^exit=-?\d+:(-?\d+)$/.exec(text)?.[1]
    return code === undefined ? [] : [{ kind: 'exit', code: Number(code) }]
  })
}
