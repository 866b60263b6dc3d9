// The machine formats of git's commands as typed rows. Formats: git-status(1) "Porcelain Format Version 2", git-log(1), git-for-each-ref(1).

/** How a path changed on one side. */
export type GitChangeKind =
  | 'none'
  | 'modified'
  | 'added'
  | 'deleted'
  | 'renamed'
  | 'copied'
  | 'type-changed'
  | 'conflict'
  | 'untracked'

/** One path that differs from `HEAD`. Paths are relative to the root of the work tree. */
export interface GitChange {
  readonly path: string
  /** The old path of a rename or copy. */
  readonly oldPath?: string
  /** The index compared with `HEAD`: what a commit would contain. */
  readonly index: GitChangeKind
  /** The work tree compared with the index. */
  readonly work: GitChangeKind
}

/** The operation in progress, which waits to be continued or aborted. */
export type GitOperation = 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect'

/** The differences between the last commit, the index and the files. */
export interface GitStatus {
  /** `undefined` when no branch is checked out. */
  readonly branch: string | undefined
  /** The commit of `HEAD`; `undefined` before the first one. */
  readonly head: string | undefined
  readonly upstream: string | undefined
  /** Numbers of commits that only this branch has, and that only its upstream has. */
  readonly ahead: number
  readonly behind: number
  /** The operation in progress. */
  readonly operation: GitOperation | undefined
  readonly changes: readonly GitChange[]
}

/** A commit as a log lists it. */
export interface GitCommitRow {
  readonly id: string
  readonly parents: readonly string[]
  readonly authorName: string
  readonly authorEmail: string
  /** Milliseconds since 1970. */
  readonly authorTimeMs: number
  /** Names of branches and tags that point here, as `git log` decorates them. */
  readonly references: readonly string[]
  /** The whole message, without line feeds at the end. */
  readonly message: string
}

/** A branch. */
export interface GitBranch {
  /** `main`, or `origin/main` for a remote branch. */
  readonly name: string
  readonly id: string
  readonly isRemote: boolean
  readonly isCurrent: boolean
  readonly upstream: string | undefined
}

/** The result of a merge. After `conflicts`, the status contains the paths too. */
export type GitMergeResult =
  | { readonly kind: 'up-to-date' }
  | { readonly kind: 'fast-forward' | 'merged'; readonly id: string }
  /** Everything is staged, but not committed. */
  | { readonly kind: 'squashed' }
  | { readonly kind: 'conflicts'; readonly paths: readonly string[] }

/** An entry of the stash. */
export interface GitStash {
  /** 0 is the newest. */
  readonly number: number
  readonly id: string
  /** Milliseconds since 1970. */
  readonly timeMs: number
  readonly message: string
}

/** One line of a file and the commit that last changed it. */
export interface GitBlameLine {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** The commit that wrote it; all zeros if it is not committed. */
  readonly id: string
  readonly isCommitted: boolean
  readonly authorName: string
  readonly authorEmail: string
  /** Milliseconds since 1970. */
  readonly authorTimeMs: number
  readonly summary: string
  /** The number of the line in that commit. */
  readonly originalPath: string
  readonly originalLine: number
}

/** A reference that a fetch moved. */
export interface GitReferenceMove {
  /** In full: `refs/remotes/origin/main`. */
  readonly name: string
  /** `undefined` if it is new. */
  readonly before: string | undefined
  /** `undefined` if it was removed. */
  readonly after: string | undefined
}

/** The result for one reference of a push. */
export interface GitPushRow {
  readonly kind: 'unchanged' | 'created' | 'moved' | 'forced' | 'deleted' | 'refused'
  /** In full; '' for a deletion. */
  readonly from: string
  readonly to: string
  /** Why it was refused. */
  readonly reason?: string
}

const kinds: Readonly<Record<string, GitChangeKind>> = {
  '.': 'none',
  M: 'modified',
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
}

/** From the letters of `git status` and `git diff --name-status`. */
export const changeKindOf = (letter: string | undefined): GitChangeKind => kinds[letter ?? '.'] ?? 'none'

/** Reads the output of `git status --porcelain=v2 --branch -z`. */
export function readStatus(output: string, operation: GitOperation | undefined): GitStatus {
  const header = new Map<string, string>()
  const changes: GitChange[] = []
  const entries = output.split('\0')
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? ''
    const words = entry.split(' ')
    const [type, letters = ''] = words
    const sides = { index: changeKindOf(letters[0]), work: changeKindOf(letters[1]) }
    if (type === '#') header.set(letters, words.slice(2).join(' '))
    else if (type === '1') changes.push({ path: words.slice(8).join(' '), ...sides })
    else if (type === '2') changes.push({ path: words.slice(9).join(' '), oldPath: entries[++at] ?? '', ...sides })
    else if (type === 'u') changes.push({ path: words.slice(10).join(' '), index: 'conflict', work: 'conflict' })
    else if (type === '?') changes.push({ path: entry.slice(2), index: 'none', work: 'untracked' })
  }
  const [branch, head] = [header.get('branch.head'), header.get('branch.oid')]
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(header.get('branch.ab') ?? '') ?? []
  return {
    branch: branch === '(detached)' ? undefined : branch,
    head: head === '(initial)' ? undefined : head,
    upstream: header.get('branch.upstream'),
    ahead: Number(ahead),
    behind: Number(behind),
    operation,
    changes,
  }
}

/** Reads the output of `git log` with seven fields for each commit, each ended by a NUL. */
export function readLog(output: string): readonly GitCommitRow[] {
  const fields = output.split('\0')
  const rows: GitCommitRow[] = []
  for (let at = 0; at + 6 < fields.length; at += 7) {
    const [id = '', parents = '', authorName = '', authorEmail = '', seconds = '', references = '', message = ''] = fields.slice(
      at,
      at + 7,
    )
    rows.push({
      // A line feed separates two commits.
      id: id.trimStart(),
      parents: parents.split(' ').filter(Boolean),
      authorName,
      authorEmail,
      authorTimeMs: Number(seconds) * 1000,
      references: references.split(', ').filter(Boolean),
      message: message.replace(/\n+$/, ''),
    })
  }
  return rows
}

/** Reads the output of `git for-each-ref` with name, ID, upstream and the mark of `HEAD`. */
export function readBranches(output: string): readonly GitBranch[] {
  return output
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [full = '', id = '', upstream = '', mark = ''] = line.split('\0')
      return {
        name: full.replace(/^refs\/(heads|remotes)\//, ''),
        id,
        isRemote: full.startsWith('refs/remotes/'),
        isCurrent: mark === '*',
        upstream: upstream === '' ? undefined : upstream.replace(/^refs\/remotes\//, ''),
      }
    })
}

/** Reads the output of `git log -g` with number, ID, seconds and message for each stash, each ended by a NUL. */
export function readStashes(output: string): readonly GitStash[] {
  const fields = output.split('\0')
  const rows: GitStash[] = []
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [id = '', seconds = '', message = ''] = fields.slice(at + 1, at + 4)
    rows.push({ number: rows.length, id, timeMs: Number(seconds) * 1000, message })
  }
  return rows
}

/** Reads the output of `git blame --porcelain`. The fields of a commit come with its first line. */
export function readBlame(output: string): readonly GitBlameLine[] {
  const commits = new Map<string, Map<string, string>>()
  const rows: GitBlameLine[] = []
  let [id, originalLine, line] = ['', 0, 0]
  let fields: Map<string, string> = new Map()
  for (const text of output.split('\n')) {
    if (text.startsWith('\t')) rows.push({ line, text: text.slice(1), originalLine, ...blamed(id, fields) })
    else if (/^[0-9a-f]{40} \d+ \d+/.test(text)) {
      const [oid = '', from = '0', to = '0'] = text.split(' ')
      ;[id, originalLine, line] = [oid, Number(from), Number(to)]
      fields = commits.get(oid) ?? new Map<string, string>()
      commits.set(oid, fields)
    } else {
      const blank = text.indexOf(' ')
      if (blank !== -1) fields.set(text.slice(0, blank), text.slice(blank + 1))
    }
  }
  return rows
}

function blamed(id: string, fields: ReadonlyMap<string, string>): Omit<GitBlameLine, 'line' | 'text' | 'originalLine'> {
  return {
    id,
    isCommitted: !/^0+$/.test(id),
    authorName: fields.get('author') ?? '',
    authorEmail: (fields.get('author-mail') ?? '').replace(/^<|>$/g, ''),
    authorTimeMs: Number(fields.get('author-time') ?? 0) * 1000,
    summary: fields.get('summary') ?? '',
    originalPath: fields.get('filename') ?? '',
  }
}

/** Compares two outputs of `git for-each-ref` with ID and name. Leaves out symbolic references; their output starts with a name. */
export function readMoves(before: string, after: string): readonly GitReferenceMove[] {
  const [old, now] = [before, after].map(
    text =>
      new Map(
        text
          .split('\n')
          .filter(line => /^[0-9a-f]{40} /.test(line))
          .map((line): [string, string] => [line.slice(41), line.slice(0, 40)]),
      ),
  )
  const names = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].sort()
  return names.flatMap(name => {
    const move = { name, before: old?.get(name), after: now?.get(name) }
    return move.before === move.after ? [] : [move]
  })
}

const pushKinds: Readonly<Record<string, GitPushRow['kind']>> = {
  '=': 'unchanged',
  '*': 'created',
  ' ': 'moved',
  '+': 'forced',
  '-': 'deleted',
  '!': 'refused',
}

/** Reads the output of `git push --porcelain`. */
export function readPush(output: string): readonly GitPushRow[] {
  return output.split('\n').flatMap(line => {
    const [flag = '', names = '', summary] = line.split('\t')
    const kind = pushKinds[flag]
    if (kind === undefined || summary === undefined) return []
    const colon = names.indexOf(':')
    const reason = /\((.*)\)$/.exec(summary)?.[1] ?? summary
    return [{ kind, from: names.slice(0, colon), to: names.slice(colon + 1), ...(kind === 'refused' ? { reason } : {}) }]
  })
}
