// `anchorage/toolsets/ah`: the manifest of the toolset and its prompt.

export { ah } from './manifest.ts'
export { ahPrompt } from './prompt.ts'
