// How much a test does. `npm test` has time for a few seeds; `npm run test:deep` runs the files that import this module, with all seeds.
// `ANCHORAGE_DEEP=20 npx vitest run --project node src/search` is twenty times as much as that, for one room.

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Given by src/vitest.projects.ts: 0 is the quick run. */
    readonly anchorageDepth: number
  }
}

const depth = inject('anchorageDepth')

export const isDeep: boolean = depth > 0

/** How many seeds, rounds or changes each of the two runs has. */
export function seeds({ quick, deep }: { readonly quick: number; readonly deep: number }): number {
  return isDeep ? deep * depth : quick
}
