// The one list of what a page may call. The guard compares every message with it before Comlink sees the message, and the host's
// façade has these functions and nothing else.

import type { WireVerb } from './wire.ts'

// A record rather than an array: leaving a verb out is then a type error.
const verbs: Readonly<Record<WireVerb, true>> = {
  connect: true,
  ping: true,
  openToolset: true,
  call: true,
  toolsetState: true,
  closeToolset: true,
  openApprovals: true,
  answerApproval: true,
  file: true,
  openBatch: true,
  batchFile: true,
  closeBatch: true,
  openSnapshot: true,
  snapshotFile: true,
  closeSnapshot: true,
  openWalk: true,
  nextWalk: true,
  closeWalk: true,
  openWatch: true,
  closeWatch: true,
  dispose: true,
}

export const wireVerbs: ReadonlySet<string> = new Set(Object.keys(verbs))
