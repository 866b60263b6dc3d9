// The weight of each command in the battery: how often agents run it.

/** The percentage of agents' git calls that use this command. */
export const shares: Readonly<Record<string, number>> = {
  diff: 23.4,
  log: 19.2,
  status: 10.1,
  add: 8.7,
  show: 8.6,
  commit: 7.5,
  branch: 2.4,
  checkout: 2,
  switch: 1,
  'rev-parse': 1.5,
  config: 1.3,
  'ls-tree': 1,
  'merge-base': 0.7,
  init: 0.7,
  'cat-file': 0.6,
  grep: 0.6,
  reset: 0.5,
  'ls-files': 0.5,
  reflog: 0.4,
  remote: 0.4,
  tag: 0.4,
  mv: 0.3,
  restore: 0.3,
  rm: 0.3,
  apply: 0.2,
  clean: 0.2,
  'check-ignore': 0.2,
  'hash-object': 0.2,
  'show-ref': 0.2,
  'for-each-ref': 0.2,
  'symbolic-ref': 0.2,
  'rev-list': 0.3,
  describe: 0.1,
  shortlog: 0.1,
  'update-ref': 0.1,
  other: 0.2,
}

/** The group whose weight a command line counts towards. */
export function commandOf(line: string): string {
  const part = line.split(' ; ').find(command => !command.startsWith('!'))
  const words = part?.split(' ') ?? []
  let at = 0
  while (words[at]?.startsWith('-')) at += words[at] === '-C' || words[at] === '-c' ? 2 : 1
  const name = words[at] ?? 'other'
  return name in shares ? name : 'other'
}
