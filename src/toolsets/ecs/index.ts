// `anchorage/toolsets/ecs`: the manifest of the toolset and its prompt.

export { ecs } from './manifest.ts'
export { ecsPrompt } from './prompt.ts'
