// The common part of all sessions: output, history, listeners and the end.

import { deferred, type Deferred } from '../core/deferred.ts'
import { SessionOutput } from './session-output.ts'
import type { ShellSession } from './session.ts'
import type { ExitStatus } from './shell.ts'

const maxHistory = 1_000

export abstract class SessionBase {
  readonly id: string
  readonly name: string
  readonly ended: Promise<ExitStatus>
  protected readonly shown: SessionOutput = new SessionOutput()
  protected readonly over: Deferred<ExitStatus> = deferred<ExitStatus>()
  readonly #listeners = new Set<() => void>()
  #history: readonly string[] = []

  constructor({ id, name }: { readonly id: string; readonly name: string }) {
    this.id = id
    this.name = name
    this.ended = this.over.promise
  }

  get output(): ShellSession['output'] {
    return this.shown.output
  }

  get history(): readonly string[] {
    return this.#history
  }

  drained(): Promise<void> {
    return this.shown.drained()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener()
  }

  protected remember(...commands: readonly string[]): void {
    this.#history = [...this.#history, ...commands].slice(-maxHistory)
  }
}
