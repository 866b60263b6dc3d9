// What the tools of one agsh session have in common.

import type { FreshnessLedger } from '../../session/freshness.ts'
import type { Session } from '../../session/session.ts'
import { asSavedScratchpad } from './scratchpad/saved.ts'
import { Scratchpad } from './scratchpad/store.ts'

export interface AgshState {
  readonly ledger: FreshnessLedger
  /** `undefined` where the host switched it off. */
  readonly scratchpad: Scratchpad | undefined
}

export function createAgshState(session: Session, hasScratchpad: boolean): AgshState {
  return { ledger: session.freshness, scratchpad: hasScratchpad ? openScratchpad(session) : undefined }
}

function openScratchpad({ limits, clock, own }: Session): Scratchpad {
  const saved = asSavedScratchpad(own.open('agsh', budget => scratchpad.save(budget)))
  const scratchpad = new Scratchpad(limits.outputMaxBytes, clock, saved)
  return scratchpad
}
