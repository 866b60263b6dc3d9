// Where a WebContainer differs from the contracts, behind our ports.

import type { Deviation } from '../contract.ts'
import type { ShellDeviation } from '../shell-contract/contract.ts'

export const webContainerDeviations: readonly Deviation[] = [
  { case: 'watch.tells: a second name', why: 'the client makes no hard links, and says so in its capabilities' },
]

export const webContainerShellDeviations: readonly ShellDeviation[] = []
