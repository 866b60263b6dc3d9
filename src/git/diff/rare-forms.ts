// Code that few differences need, loaded together: as separate files it would be larger.

export { changesMatch, ignoredLine, pickaxeOf, wordsOf } from './pattern-settings.ts'
export { whitespaceRules, writeWhitespaceErrors } from './check.ts'
export { contentDamage, readDirstat, renderDirstat } from './dirstat.ts'
export { renderWordDiff } from '../../text/git-diff/word-diff.ts'
export { refusePrograms, tellSkippedPrograms } from './refused-programs.ts'
export { binaryPatch } from './binary-patch.ts'
export { submoduleLog } from './submodule-log.ts'
