// The state that all shells of one script share: files, commands, clock, and how the script ends.

import type { ShellCommandDefinition } from '../../../shell/commands.ts'
import { encodeText } from '../../../shell/byte-text.ts'
import type { Description, OpenFile } from './descriptors.ts'
import type { OpenFiles } from './open-files.ts'
import type { Shell } from './shell.ts'

export interface RunOptions {
  readonly files: OpenFiles
  readonly commands: ReadonlyMap<string, ShellCommandDefinition>
  /** Aborts when the whole script must end. */
  readonly signal: AbortSignal
  /** Called before each command and each iteration of a loop. */
  readonly isStopped: () => boolean
  /** Awaited before each command, so that other work can run on a shared thread. */
  readonly pause: (() => Promise<void>) | undefined
  readonly onWait: () => void
  readonly hasOwnPrograms: boolean
}

export class Run {
  readonly files: OpenFiles
  readonly commands: ReadonlyMap<string, ShellCommandDefinition>
  readonly signal: AbortSignal
  readonly isStopped: () => boolean
  readonly pause: (() => Promise<void>) | undefined
  readonly hasOwnPrograms: boolean
  readonly #onWait: () => void
  #lastPid = 4100
  #lastPathNumber = 64
  readonly #background = new Set<Promise<unknown>>()
  /** The open file for each path of a process substitution. */
  readonly named: Map<string, Description> = new Map<string, Description>()
  /** The shells that `kill` can reach, by process ID. */
  readonly processes: Map<number, Shell> = new Map<number, Shell>()
  /** The call depth. Endless recursion must not overflow the stack of the thread. */
  callDepth = 0
  /** The directory of the user, which a tilde means if `HOME` is unset. */
  home = ''

  constructor(options: RunOptions) {
    this.files = options.files
    this.commands = options.commands
    this.signal = options.signal
    this.isStopped = options.isStopped
    this.pause = options.pause
    this.hasOwnPrograms = options.hasOwnPrograms
    this.#onWait = options.onWait
  }

  nextPid(): number {
    return ++this.#lastPid
  }

  /** Returns an unused path below /dev/fd for `description`. */
  namePath(description: Description): string {
    do this.#lastPathNumber -= 1
    while (this.named.has(`/dev/fd/${this.#lastPathNumber}`))
    const path = `/dev/fd/${this.#lastPathNumber}`
    this.named.set(path, description.retain())
    return path
  }

  /** Removes the path. Returns true if its file is still in use elsewhere. */
  async forgetPath(path: string): Promise<boolean> {
    const description = this.named.get(path)
    this.named.delete(path)
    this.#lastPathNumber = Math.max(this.#lastPathNumber, Number(path.slice('/dev/fd/'.length)) + 1)
    await description?.release()
    return description?.isHeld ?? false
  }

  /** Registers a background process. The script waits for it before it ends. */
  inBackground(ended: Promise<unknown>): void {
    this.#background.add(ended)
    const forget = (): void => {
      this.#background.delete(ended)
    }
    ended.then(forget, forget)
  }

  async backgroundEnds(): Promise<void> {
    while (this.#background.size > 0) {
      await this.beforeWaiting()
      await Promise.allSettled(this.#background)
    }
  }

  /** Prints a message that belongs to no particular shell. */
  report: (text: string) => Promise<void> = () => Promise.resolve()

  async writeTo(description: Description | undefined, data: string | Uint8Array): Promise<void> {
    const file: OpenFile | undefined = description?.file
    if (file?.canWrite !== true) return
    await file.write(typeof data === 'string' ? encodeText(data) : data)
  }

  /** Makes the output visible to others before the script waits for time or for a job. */
  async beforeWaiting(): Promise<void> {
    this.#onWait()
    await this.files.saveAll()
  }
}
