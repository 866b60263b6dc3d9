// State that the tools of one agsh session share.

import type { Drift } from '../../session/drift-option.ts'
import type { FreshnessLedger } from '../../session/freshness.ts'
import type { Session } from '../../session/session.ts'
import { ShownFiles } from '../../session/shown-files.ts'
import type { AgshOptions } from './options.ts'
import { asSavedScratchpad } from './scratchpad/saved.ts'
import { Scratchpad } from './scratchpad/store.ts'

export interface AgshState {
  readonly ledger: FreshnessLedger
  /** Lines end at LF; a final newline leaves an empty last line, so that the joined lines are the text. */
  readonly shown: ShownFiles
  /** The host refuses an `old_string` that matches more than once. */
  readonly isUniqueWanted: boolean
  readonly drift: Drift
  /** `undefined` if the host switched it off. */
  readonly scratchpad: Scratchpad | undefined
}

export function createAgshState(session: Session, { scratchpad = true, edit }: AgshOptions): AgshState {
  const { own, limits } = session
  const shown = new ShownFiles(own, 'agsh-shown', limits.snapshotMaxBytes)
  return {
    shown,
    ledger: session.freshness,
    isUniqueWanted: edit?.unique ?? false,
    drift: edit?.drift ?? 'refuse',
    scratchpad: scratchpad ? openScratchpad(session) : undefined,
  }
}

function openScratchpad({ limits, clock, own }: Session): Scratchpad {
  const saved = asSavedScratchpad(own.open('agsh', budget => scratchpad.save(budget)))
  const scratchpad = new Scratchpad(limits.outputMaxBytes, clock, saved)
  return scratchpad
}
