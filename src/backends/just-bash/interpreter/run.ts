// What all shells of one script share: the files, the commands, the clock and how the whole of it ends.

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
  /** Asked before each command and each turn of a loop. */
  readonly isStopped: () => boolean
  /** Awaited before each command: lets other work through, where the thread is shared. */
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
  /** What a process substitution's name leads to. */
  readonly named: Map<string, Description> = new Map<string, Description>()
  /** Shells that `kill` can reach, by pid. */
  readonly processes: Map<number, Shell> = new Map<number, Shell>()
  /** Functions that call themselves without end must not fill the stack of the thread. */
  callDepth = 0

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

  /** A name below /dev/fd that nobody has. */
  namePath(description: Description): string {
    do this.#lastPathNumber -= 1
    while (this.named.has(`/dev/fd/${this.#lastPathNumber}`))
    const path = `/dev/fd/${this.#lastPathNumber}`
    this.named.set(path, description.retain())
    return path
  }

  /** True: something else still holds what it leads to. */
  async forgetPath(path: string): Promise<boolean> {
    const description = this.named.get(path)
    this.named.delete(path)
    this.#lastPathNumber = Math.max(this.#lastPathNumber, Number(path.slice('/dev/fd/'.length)) + 1)
    await description?.release()
    return description?.isHeld ?? false
  }

  /** Something runs beside the script, which waits for it before it ends. */
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

  /** A message that belongs to no shell any more. */
  report: (text: string) => Promise<void> = () => Promise.resolve()

  async writeTo(description: Description | undefined, data: string | Uint8Array): Promise<void> {
    const file: OpenFile | undefined = description?.file
    if (file?.canWrite !== true) return
    await file.write(typeof data === 'string' ? encodeText(data) : data)
  }

  /** Before the script waits for time or for a job: what it wrote is there for others. */
  async beforeWaiting(): Promise<void> {
    this.#onWait()
    await this.files.saveAll()
  }

  sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, Math.min(durationMs, 2 ** 31 - 1))
      signal.addEventListener('abort', done, { once: true })
      if (signal.aborted) done()
    })
  }
}
