// The turns that a host has begun and not ended.

import type { Attribution } from '../core/actor.ts'
import type { TurnOptions } from './history.ts'
import { isSameActor, whoOf } from './step.ts'

export interface OpenTurn {
  readonly id: string
  readonly label: string | undefined
  readonly actor: Attribution['actor'] | undefined
}

export class OpenTurns {
  readonly #turns: OpenTurn[] = []

  begin(id: string, { label, actor }: TurnOptions): void {
    this.#turns.push({ id, label, actor })
  }

  end(id: string): void {
    const index = this.#turns.findIndex(turn => turn.id === id)
    if (index !== -1) this.#turns.splice(index, 1)
  }

  /** The turn of a change that belongs to no turn of its call. */
  of(origin: string | undefined): OpenTurn | undefined {
    if (this.#turns.length === 0) return undefined
    const { by } = whoOf(origin)
    if (by?.turn !== undefined) return undefined
    return this.#turns.findLast(({ actor }) => actor === undefined || isSameActor(actor, by?.actor))
  }
}
