// The rules that just-bash 3.4.2 breaks. Strict: when one holds again, the tests say so.

import type { ShellDeviation } from './contract.ts'

export const justBashDeviations: readonly ShellDeviation[] = [
  {
    case: 'keeps the order in a function',
    why: 'a function may be called where its output is captured, so its body is not redirected',
  },
]
