// Code that few workspaces use, loaded as one chunk. With separate chunks, the code that they share with the first read would be
// split into many small files, which every page would have to load.

export { checkBufferRules, openBufferAccess } from './buffer-access.ts'
export { openFork } from './open-fork.ts'
export { resourceHost } from './resource-host.ts'
export { checkReviewable, forkForCommand } from './reviewed-shell.ts'
export { openShellSession } from './shell-sessions.ts'
export { toolsetPolicy } from './toolset-policy.ts'
