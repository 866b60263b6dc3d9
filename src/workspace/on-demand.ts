// What few workspaces use, loaded as one part. If each had a separate part, the pieces that they share with the first read would be cut
// into many small files, which every page pays for.

export { checkBufferRules, openBufferAccess } from './buffer-access.ts'
export { openFork } from './open-fork.ts'
export { resourceHost } from './resource-host.ts'
export { checkReviewable, forkForCommand } from './reviewed-shell.ts'
export { openShellSession } from './shell-sessions.ts'
export { toolsetPolicy } from './toolset-policy.ts'
