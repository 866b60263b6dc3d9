// Plays the scripted session step by step, at a pace that can be followed, and stops where it does not go as written.

import type { Vfs, Toolset } from 'anchorage'
import { playStep, surpriseOf, type SessionHands, type SessionStep } from './scripts/step.ts'
import type { Transcript } from './transcript.ts'

export type PlayerState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'playing' }
  /** One step runs; after it the player waits again. */
  | { readonly kind: 'stepping' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'stuck'; readonly why: string }

const paceMs = 650

export class SessionPlayer {
  state: PlayerState = { kind: 'ready' }
  /** Steps played so far. */
  playedCount = 0
  readonly #steps: readonly SessionStep[]
  readonly #seen = new Map<string, string>()
  readonly #hands: { readonly tools: Toolset; readonly fs: Vfs; readonly root: string }
  readonly #transcript: Transcript
  readonly #signal: AbortSignal
  readonly #onChange: () => void

  constructor(
    steps: readonly SessionStep[],
    hands: { readonly tools: Toolset; readonly fs: Vfs; readonly root: string },
    transcript: Transcript,
    signal: AbortSignal,
    onChange: () => void,
  ) {
    this.#steps = steps
    this.#hands = hands
    this.#transcript = transcript
    this.#signal = signal
    this.#onChange = onChange
  }

  async play(): Promise<void> {
    if (!this.#is('ready')) return
    this.#enter({ kind: 'playing' })
    while (this.#is('playing') && !this.#signal.aborted) {
      await this.#playNext()
      if (this.#is('playing')) await new Promise(resolve => setTimeout(resolve, paceMs))
    }
    if (this.#is('stepping')) this.#enter({ kind: 'ready' })
  }

  /** Ends playing after the step that runs. */
  pause(): void {
    if (this.#is('playing')) this.#enter({ kind: 'stepping' })
  }

  async step(): Promise<void> {
    if (!this.#is('ready')) return
    this.#enter({ kind: 'stepping' })
    await this.#playNext()
    if (this.#is('stepping')) this.#enter({ kind: 'ready' })
  }

  async #playNext(): Promise<void> {
    const step = this.#steps[this.playedCount]
    if (step === undefined) return
    try {
      const outcome = await playStep(step, this.#recorded(step.thought), this.#seen, { signal: this.#signal })
      if (outcome.kind === 'saved') {
        const { before, after } = outcome
        this.#transcript.addPerson({ thought: step.thought, path: outcome.step.path, before, after })
      }
      this.playedCount++
      const why = surpriseOf(outcome)
      if (why !== undefined) this.#enter({ kind: 'stuck', why: `${why}\n\nReset starts over.` })
      else if (this.playedCount === this.#steps.length) this.#enter({ kind: 'finished' })
      else this.#onChange()
    } catch (error) {
      if (this.#signal.aborted) return
      this.#enter({ kind: 'stuck', why: `${error instanceof Error ? error.message : String(error)}\n\nReset starts over.` })
    }
  }

  #recorded(thought: string): SessionHands {
    const { tools, fs, root } = this.#hands
    return {
      fs,
      root,
      tools: { call: (tool, args, context) => this.#transcript.call(tools, { origin: 'script', thought, tool, args }, context) },
    }
  }

  // Not `this.state.kind === …`: an await in between changes the state, which the compiler does not see.
  #is(kind: PlayerState['kind']): boolean {
    return this.state.kind === kind
  }

  #enter(state: PlayerState): void {
    this.state = state
    this.#onChange()
  }
}
