// Every command of git that is built: one row each, loaded when it is first called.

import type { GitCommand } from './command.ts'

type Load = () => Promise<GitCommand>

export const commandTable: Readonly<Record<string, Load>> = {
  init: async () => (await import('./init.ts')).init,
  'rev-parse': async () => (await import('./rev-parse.ts')).revParse,
  merge: async () => (await import('./merge.ts')).merge,
  'cherry-pick': async () => (await import('./cherry-pick.ts')).cherryPick,
  revert: async () => (await import('./cherry-pick.ts')).revert,
  rebase: async () => (await import('./rebase.ts')).rebase,
  stash: async () => (await import('./stash.ts')).stash,
  'merge-base': async () => (await import('./merge-base.ts')).mergeBase,
  'merge-file': async () => (await import('./merge-file.ts')).mergeFile,
  blame: async () => (await import('./blame.ts')).blame,
  remote: async () => (await import('./remote.ts')).remote,
  'ls-remote': async () => (await import('./remote.ts')).lsRemote,
  fetch: async () => (await import('./fetch.ts')).fetch,
  pull: async () => (await import('./fetch.ts')).pull,
  push: async () => (await import('./push.ts')).push,
  clone: async () => (await import('./clone.ts')).clone,
}
