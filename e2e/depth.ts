// Which tests `npm test` runs: in Chromium those of some files, without those with the tag `@deep`; in Firefox those with the tag
// `@everywhere`, because what differs there lies mostly below the page, in storage, locks and workers. The deep run has all.

/** Whether this is the deep run, in which both browsers run all tests. */
export const isDeep: boolean = process.env['ANCHORAGE_DEEP'] !== undefined

export const deepOnly = { tag: '@deep' } as const

export const everywhere = { tag: '@everywhere' } as const
