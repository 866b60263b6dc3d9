// `anchorage/toolsets/ecs`: what the toolset is.

export { ecs } from './manifest.ts'
export { ecsPrompt } from './prompt.ts'
