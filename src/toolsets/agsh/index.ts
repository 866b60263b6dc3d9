// `anchorage/toolsets/agsh`: the manifest of the toolset and its prompt.

export { agsh } from './manifest.ts'
export type { AgshOptions } from './options.ts'
export { agshPrompt } from './prompt.ts'
