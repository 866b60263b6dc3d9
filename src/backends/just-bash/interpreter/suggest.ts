// Suggests alternatives to commands that this shell does not have.

const replacements: Readonly<Record<string, string>> = {
  ack: 'use rg or grep -r',
  ag: 'use rg or grep -r',
  apt: 'nothing can be installed in this shell',
  'apt-get': 'nothing can be installed in this shell',
  brew: 'nothing can be installed in this shell',
  bunzip2: 'only gzip, zip and tar are available',
  bzip2: 'only gzip, zip and tar are available',
  curl: 'this shell has no network',
  egrep: 'use grep -E',
  emacs: 'use sed -i or the edit tool',
  fd: 'use find, or rg --files',
  gawk: 'use awk',
  gsed: 'use sed',
  less: 'use cat, head or tail',
  mawk: 'use awk',
  more: 'use cat, head or tail',
  nano: 'use sed -i or the edit tool',
  node: 'no JavaScript runs in this shell',
  npm: 'nothing can be installed in this shell',
  perl: 'use sed, awk or a bash script',
  pip: 'nothing can be installed in this shell',
  pr: 'use nl, fold, fmt or column',
  ps: 'use jobs',
  python: 'use awk, jq or a bash script',
  python3: 'use awk, jq or a bash script',
  rsync: 'use cp -r',
  ssh: 'this shell has no network',
  sudo: 'leave it out: everything runs as the same user',
  vi: 'use sed -i or the edit tool',
  vim: 'use sed -i or the edit tool',
  wget: 'this shell has no network',
  xz: 'only gzip, zip and tar are available',
}

/** Returns a sentence, or `undefined` if no known command is similar. */
export function suggestCommand(name: string, known: Iterable<string>): string | undefined {
  const replacement = Object.hasOwn(replacements, name) ? replacements[name] : undefined
  if (replacement !== undefined) return replacement
  if (name.length < 3) return undefined
  for (const candidate of known) if (candidate.length > 2 && isNear(name, candidate)) return `did you mean ${candidate}?`
  return undefined
}

/** Whether the names differ by one added, removed or replaced letter, or by two exchanged letters. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const [left, right] = [one.slice(at), other.slice(at)]
  if (left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1)) return true
  return left.length > 1 && left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
}
