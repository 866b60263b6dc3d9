// Commands that are seldom run, loaded together: as files of their own they would take more.

export { checkRefFormat, commitTree, mktree, readTree } from './object-making.ts'
export { interpretTrailers } from './interpret-trailers.ts'
export { mergeTree } from './merge-tree.ts'
export { changeLogs } from './reflog-upkeep.ts'
export { nameRev } from './name-rev.ts'
export { replace } from './replace.ts'
export { notes } from './notes.ts'
export { updateIndex } from './update-index.ts'
export { countObjects, fsck, gc, packRefs, prune } from './upkeep.ts'
export { submodule } from './submodule.ts'
export { worktree } from './worktree.ts'
