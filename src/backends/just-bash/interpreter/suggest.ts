// Suggests alternatives to commands that this shell does not have.

const replacements: Readonly<Record<string, string>> = {
  '7z': 'only gzip, zip and tar are available',
  ack: 'use rg or grep -r',
  ag: 'use rg or grep -r',
  apk: 'nothing can be installed in this shell',
  apt: 'nothing can be installed in this shell',
  'apt-get': 'nothing can be installed in this shell',
  bat: 'use cat',
  batcat: 'use cat',
  brew: 'nothing can be installed in this shell',
  cal: 'use date',
  cargo: 'programs are not compiled or built in this shell',
  cc: 'programs are not compiled or built in this shell',
  chattr: 'use chmod',
  chroot: 'use cd',
  clang: 'programs are not compiled or built in this shell',
  cmake: 'programs are not compiled or built in this shell',
  code: 'use the edit tool',
  colordiff: 'use diff --color=always',
  cpio: 'use tar',
  crontab: 'there are no services here',
  curl: 'this shell has no network',
  dc: 'use bc',
  diff3: 'use git merge-file',
  dig: 'this shell has no network',
  dmesg: 'there is no kernel here',
  dnf: 'nothing can be installed in this shell',
  doas: 'leave it out: everything runs as the same user',
  docker: 'there are no containers in this shell',
  dotnet: 'programs are not compiled or built in this shell',
  dpkg: 'nothing can be installed in this shell',
  ed: 'use sed',
  emacs: 'use sed -i or the edit tool',
  ex: 'use sed -i or the edit tool',
  exa: 'use ls',
  expect: 'there is no terminal',
  eza: 'use ls',
  fd: 'use find, or rg --files',
  fdfind: 'use find, or rg --files',
  free: 'nothing is known about memory here',
  'g++': 'programs are not compiled or built in this shell',
  gawk: 'use awk',
  gcc: 'programs are not compiled or built in this shell',
  gem: 'nothing can be installed in this shell',
  getfacl: 'use stat',
  gh: 'this shell has no network',
  go: 'programs are not compiled or built in this shell',
  gpg: 'use sha256sum',
  gradle: 'programs are not compiled or built in this shell',
  gsed: 'use sed',
  htop: 'use jobs',
  ifconfig: 'this shell has no network',
  ip: 'this shell has no network',
  java: 'programs are not compiled or built in this shell',
  javac: 'programs are not compiled or built in this shell',
  killall: 'use kill with a number from jobs',
  kubectl: 'this shell has no network',
  locate: 'use find',
  lsof: 'use jobs',
  lua: 'use awk, jq or a bash script',
  lz4: 'only gzip, zip and tar are available',
  make: 'run the commands of its recipe',
  man: 'use help',
  mawk: 'use awk',
  mkfifo: 'use a pipeline or <(…)',
  mknod: 'use a pipeline or <(…)',
  mount: 'use cp or ln -s',
  mvn: 'programs are not compiled or built in this shell',
  nano: 'use sed -i or the edit tool',
  nc: 'this shell has no network',
  npm: 'nothing can be installed in this shell',
  npx: 'nothing can be installed in this shell',
  nslookup: 'this shell has no network',
  open: 'use the read tool',
  openssl: 'use sha256sum, md5sum or base64',
  pacman: 'nothing can be installed in this shell',
  parallel: 'use xargs',
  passwd: 'everything runs as the same user',
  pbcopy: 'use a file',
  perl: 'use sed, awk or a bash script',
  pgrep: 'use jobs',
  php: 'use awk, jq or a bash script',
  ping: 'this shell has no network',
  pip: 'nothing can be installed in this shell',
  pip3: 'nothing can be installed in this shell',
  pkill: 'use kill with a number from jobs',
  pnpm: 'nothing can be installed in this shell',
  ps: 'use jobs',
  ptx: 'use awk',
  rename: 'use mv in a loop: for f in *.a; do mv "$f" "${f%.a}.b"; done',
  reset: 'there is no terminal',
  rsync: 'use cp -r',
  ruby: 'use awk, jq or a bash script',
  rustc: 'programs are not compiled or built in this shell',
  scp: 'use cp',
  screen: 'use &',
  script: 'use tee',
  service: 'there are no services here',
  setfacl: 'use chmod',
  sftp: 'this shell has no network',
  shred: 'use rm',
  ssh: 'this shell has no network',
  stty: 'there is no terminal',
  su: 'leave it out: everything runs as the same user',
  sudo: 'leave it out: everything runs as the same user',
  systemctl: 'there are no services here',
  telnet: 'this shell has no network',
  tldr: 'use help',
  tmux: 'use &',
  top: 'use jobs',
  tsc: 'no JavaScript runs in this shell',
  umount: 'use rm',
  unrar: 'only gzip, zip and tar are available',
  uptime: 'use date',
  useradd: 'everything runs as the same user',
  uv: 'nothing can be installed in this shell',
  vi: 'use sed -i or the edit tool',
  vim: 'use sed -i or the edit tool',
  watch: 'use a loop with sleep',
  wdiff: 'use git diff --no-index --word-diff',
  wget: 'this shell has no network',
  xclip: 'use a file',
  'xdg-open': 'use the read tool',
  xmllint: 'use sed or grep',
  yarn: 'nothing can be installed in this shell',
  yq: 'use sed or awk',
  yum: 'nothing can be installed in this shell',
  zcmp: 'use cmp <(zcat a.gz) b',
  zdiff: 'use diff <(zcat a.gz) b',
  zless: 'use zcat',
  zmore: 'use zcat',
}

/** What runs JavaScript or Python elsewhere. A host may have added a command that does it here. */
const interpreters: readonly {
  readonly names: readonly string[]
  readonly language: string
  readonly commands: readonly string[]
  /** What the host can add. */
  readonly part: string
}[] = [
  {
    names: ['bun', 'deno', 'js', 'node', 'nodejs', 'qjs', 'ts-node', 'tsx'],
    language: 'JavaScript',
    commands: ['js', 'node'],
    part: 'anchorage/shell/js',
  },
  {
    names: ['ipython', 'pypy', 'pypy3', 'python', 'python2', 'python3'],
    language: 'Python',
    commands: ['python3', 'python'],
    part: 'anchorage/shell/python',
  },
]

/** Returns a sentence, or `undefined` if no known command is similar. */
export function suggestCommand(name: string, known: Iterable<string>): string | undefined {
  const interpreter = interpreters.find(({ names }) => names.includes(name))
  if (interpreter !== undefined) {
    const all = new Set(known)
    const there = interpreter.commands.find(command => all.has(command))
    const { language, part } = interpreter
    return there === undefined
      ? `no ${language} runs in this shell; use awk, jq or a bash script (the host can add ${part})`
      : `use ${there}`
  }
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
