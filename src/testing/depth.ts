// How much a test does. `npm test` uses a few seeds; `npm run test:deep` runs the files that import this module with all seeds.
// `ANCHORAGE_DEEP=20 npx vitest run --project "node*" src/search` uses twenty times as many, for one folder; `ANCHORAGE_DEEP=0.05 npm run
// test:deep` a twentieth of them everywhere.

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by src/testing/vitest-projects.ts: 0 is the quick run. */
    readonly anchorageDepth: number
  }
}

const depth = inject('anchorageDepth')

export const isDeep: boolean = depth > 0

/** The number of seeds, rounds or changes for each of the two runs. */
export function seeds({ quick, deep }: { readonly quick: number; readonly deep: number }): number {
  return isDeep ? Math.max(quick, Math.ceil(deep * depth)) : quick
}

/**
 * The distance between those cases of a long list that are tried, always odd, so that it visits every bit of a byte. With a share of the
 * seeds it grows by the root of the share: 7 for all seeds is 49 for a fiftieth.
 */
export function stride({ quick, deep }: { readonly quick: number; readonly deep: number }): number {
  return isDeep ? Math.min(quick, Math.round(deep / Math.sqrt(Math.min(depth, 1)))) | 1 : quick
}

/** Every row in the deep run, and each `quickStep`-th in the quick run. */
export function sample<Row>(rows: readonly Row[], quickStep: number): readonly Row[] {
  return isDeep ? rows : rows.filter((_row, index) => index % quickStep === 0)
}

/** Registers tests in the deep run only; the quick run does not have them. */
export function inDeepRun(register: () => void): void {
  if (isDeep) register()
}
