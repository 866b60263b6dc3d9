// `anchorage/toolsets/atomic`: what the toolset is, and what else a host may use of it.

export { atomic } from './manifest.ts'
export type { AtomicOptions } from './options.ts'
