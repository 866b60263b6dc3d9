// `anchorage/toolsets/rye`: the manifest of the toolset and its prompt.

export { rye } from './manifest.ts'
export type { RyeOptions } from './options.ts'
export { ryePrompt } from './prompt.ts'
