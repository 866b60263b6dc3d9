// The rules of the contract that the default shell breaks. Strict: if one holds again, a test fails.

import type { ShellDeviation } from './contract.ts'

export const justBashDeviations: readonly ShellDeviation[] = []
