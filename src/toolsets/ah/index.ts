// `anchorage/toolsets/ah`: what the toolset is.

export { ah } from './manifest.ts'
export { ahPrompt } from './prompt.ts'
