// The rules of the contract that the default shell breaks. Strict: when one holds again, the tests say so.

import type { ShellDeviation } from './contract.ts'

export const justBashDeviations: readonly ShellDeviation[] = []
