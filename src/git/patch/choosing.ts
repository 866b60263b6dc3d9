// What `-p` of any command needs, loaded together.

export { stashChosen } from '../commands/stash-chosen.ts'
export { runPatchMode } from './choose-changes.ts'
