// Suggests alternatives to commands that this shell does not have.

import { words } from '../../../core/words.ts'

/** The commands, by what to do instead. */
const replacements = new Map(
  Object.entries({
    'only gzip, zip and tar are available': '7z lz4 unrar',
    'use rg or grep -r': 'ack ag',
    'nothing can be installed in this shell': 'apk apt apt-get brew dnf dpkg gem npm npx pacman pip pip3 pnpm uv yarn yum',
    'use cat': 'bat batcat',
    'use date': 'cal uptime',
    'programs are not compiled or built in this shell': 'cargo cc clang cmake dotnet g++ gcc go gradle java javac mvn rustc',
    'use chmod': 'chattr setfacl',
    'use cd': 'chroot',
    'use the edit tool': 'code',
    'use diff --color=always': 'colordiff',
    'use tar': 'cpio',
    'there are no services here': 'crontab service systemctl',
    'this shell has no network': 'curl dig gh ifconfig ip kubectl nc nslookup ping sftp ssh telnet wget',
    'use bc': 'dc',
    'use git merge-file': 'diff3',
    'there is no kernel here': 'dmesg',
    'leave it out: everything runs as the same user': 'doas su sudo',
    'there are no containers in this shell': 'docker',
    'use sed': 'ed gsed',
    'use sed -i or the edit tool': 'emacs ex nano vi vim',
    'use ls': 'exa eza',
    'there is no terminal': 'expect reset stty',
    'use find, or rg --files': 'fd fdfind',
    'nothing is known about memory here': 'free',
    'use awk': 'mawk ptx',
    'use stat': 'getfacl',
    'use sha256sum': 'gpg',
    'use jobs': 'htop lsof pgrep ps top',
    'use kill with a number from jobs': 'killall pkill',
    'use find': 'locate',
    'use awk, jq or a bash script': 'lua php ruby',
    'run the commands of its recipe': 'make',
    'use help': 'man tldr',
    'use a pipeline or <(…)': 'mkfifo mknod',
    'use cp or ln -s': 'mount',
    'use the read tool': 'open xdg-open',
    'use sha256sum, md5sum or base64': 'openssl',
    'use xargs': 'parallel',
    'everything runs as the same user': 'passwd useradd',
    'use a file': 'pbcopy xclip',
    'use sed, awk or a bash script': 'perl',
    'use mv in a loop: for f in *.a; do mv "$f" "${f%.a}.b"; done': 'rename',
    'use cp -r': 'rsync',
    'use cp': 'scp',
    'use &': 'screen tmux',
    'use tee': 'script',
    'use rm': 'shred umount',
    'no JavaScript runs in this shell': 'tsc',
    'use a loop with sleep': 'watch',
    'use git diff --no-index --word-diff': 'wdiff',
    'use sed or grep': 'xmllint',
    'use sed or awk': 'yq',
    'use cmp <(zcat a.gz) b': 'zcmp',
    'use diff <(zcat a.gz) b': 'zdiff',
    'use zcat': 'zless zmore',
  }).flatMap(([advice, names]) => words(names).map(name => [name, advice] as const)),
)

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
  const replacement = replacements.get(name)
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
