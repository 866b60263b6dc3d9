// `anchorage/toolsets/ecs`: what the toolset is.

export { ecs } from './manifest.ts'
