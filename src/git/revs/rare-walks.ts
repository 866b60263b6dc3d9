// Code that few walks of the history need, loaded together: as separate files it would be larger.

export { onAncestryPath, throughCommits } from './ancestry-path.ts'
export { walkReflogs } from './reflog-walk.ts'
export { compareRelevant, rewriteParents } from './rewrite-parents.ts'
export { simplifyMerges } from './simplify-merges.ts'
export { withoutTwins } from './twins.ts'
