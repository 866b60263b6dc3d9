// `anchorage/toolsets/rye`: what the toolset is.

export { rye } from './manifest.ts'
