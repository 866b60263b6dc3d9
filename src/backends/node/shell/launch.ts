// What both ways of starting a process share.

import { constants } from 'node:os'
import type { ExitStatus } from '../../../shell/shell.ts'
import type { ProcessGroups } from './groups.ts'

export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: Uint8Array | undefined
  readonly groups: ProcessGroups
}

// The process is paused while this much of its output is unread.
export const mostWaitingBytes: number = 1024 * 1024

export function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}

export function killed(signal: string | undefined): ExitStatus {
  return { kind: 'killed', ...(signal === undefined ? {} : { signal }) }
}
