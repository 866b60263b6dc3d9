// Which tests `npm test` runs: in Chromium those with the tag `@quick`; in Firefox those with the tag `@everywhere`, because what differs
// there lies mostly below the page, in storage, locks and workers. The deep run has all.

/** Whether this is the deep run, in which both browsers run all tests. */
export const isDeep: boolean = process.env['ANCHORAGE_DEEP'] !== undefined

export const quick = { tag: '@quick' } as const

export const everywhere: { readonly tag: string[] } = { tag: ['@quick', '@everywhere'] }
