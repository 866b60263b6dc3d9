// Forms of `git diff` that are seldom used, loaded together.

export { diffCombined } from './diff-combined.ts'
export { diffWithoutIndex } from './diff-no-index.ts'
