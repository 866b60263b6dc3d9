// `anchorage/toolsets/agsh`: what the toolset is.

export { agsh } from './manifest.ts'
export type { AgshOptions } from './options.ts'
export { agshPrompt } from './prompt.ts'
