// What an editor's copy of a text and the workspace send each other. The workspace decides the order of all changes; a copy sends one change
// at a time and rebases what was typed meanwhile, so that typing never waits.

import type { Attribution } from '../core/actor.ts'
import type { TextChange } from '../text/text-change.ts'
import type { BufferCloseOptions, BufferSaveOptions, BufferState } from './buffer.ts'

/** In the order in which the workspace made the changes. */
export type BufferMessage =
  /** A change by someone else. `version` is the one after it. */
  | { readonly kind: 'edit'; readonly version: number; readonly change: TextChange; readonly by?: Attribution }
  /** The copy's own change has become this version. */
  | { readonly kind: 'accepted'; readonly version: number }
  | ({ readonly kind: 'state' } & OrderedState)

/** The state of a buffer in the order of all its changes. */
export interface OrderedState {
  /** Increases with each state, so that an older one is recognised that arrives later. */
  readonly order: number
  readonly state: BufferState
}

/** What a save or a revert leads to. The copy waits until it has heard of `version`. */
export interface BufferOutcome extends OrderedState {
  readonly version: number
}

export interface OpenedBuffer extends BufferOutcome {
  readonly text: string
}

/** A copy's way to the workspace. */
export interface BufferLink {
  /** `change` is for the text at `version`, the last one that the copy has heard of. Answered by a message. */
  send(version: number, change: TextChange): void
  /** The copy has heard of `version`, so that older changes can be forgotten. */
  seen(version: number): void
  save(options: BufferSaveOptions): Promise<BufferOutcome>
  revert(): Promise<BufferOutcome>
  close(options: BufferCloseOptions): Promise<void>
}
