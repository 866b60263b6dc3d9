// The list of toolsets. A new toolset is a folder in `toolsets/` and a line here; everything else is derived from its manifest.

export { agsh } from '../toolsets/agsh/manifest.ts'
export { ah } from '../toolsets/ah/manifest.ts'
export { atomic } from '../toolsets/atomic/manifest.ts'
export { ecs } from '../toolsets/ecs/manifest.ts'
export { rye } from '../toolsets/rye/manifest.ts'
