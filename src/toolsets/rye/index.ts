// `anchorage/toolsets/rye`: what the toolset is.

export { rye } from './manifest.ts'
export type { RyeOptions } from './options.ts'
export { ryePrompt } from './prompt.ts'
