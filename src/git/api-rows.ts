// The machine formats of git's commands as typed rows. Formats: git-status(1) "Porcelain Format Version 2", git-log(1), git-for-each-ref(1).

/** What became of a path on one side. */
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

/** One path that is not as in `HEAD`. Paths are relative to the work tree's root. */
export interface GitChange {
  readonly path: string
  /** For a rename or a copy: where it was. */
  readonly oldPath?: string
  /** The index against `HEAD`: what a commit would take. */
  readonly index: GitChangeKind
  /** The work tree against the index. */
  readonly work: GitChangeKind
}

export interface GitStatus {
  /** `undefined` when no branch is checked out. */
  readonly branch: string | undefined
  /** The commit of `HEAD`; `undefined` before the first one. */
  readonly head: string | undefined
  readonly upstream: string | undefined
  /** Commits that only this branch has, and that only its upstream has. */
  readonly ahead: number
  readonly behind: number
  readonly changes: readonly GitChange[]
}

export interface GitCommitRow {
  readonly id: string
  readonly parents: readonly string[]
  readonly authorName: string
  readonly authorEmail: string
  /** Milliseconds since 1970. */
  readonly authorTimeMs: number
  /** Names of branches and tags that point here, as `git log` decorates them. */
  readonly references: readonly string[]
  /** Whole, without the line feeds at its end. */
  readonly message: string
}

export interface GitBranch {
  /** `main`, or `origin/main` for one of a remote. */
  readonly name: string
  readonly id: string
  readonly isRemote: boolean
  readonly isCurrent: boolean
  readonly upstream: string | undefined
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

const kindOf = (letter: string | undefined): GitChangeKind => kinds[letter ?? '.'] ?? 'none'

/** Of `git status --porcelain=v2 --branch -z`. */
export function readStatus(output: string): GitStatus {
  const header = new Map<string, string>()
  const changes: GitChange[] = []
  const entries = output.split('\0')
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] ?? ''
    const words = entry.split(' ')
    const [type, letters = ''] = words
    const sides = { index: kindOf(letters[0]), work: kindOf(letters[1]) }
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
    changes,
  }
}

/** Of `git log` with seven fields for each commit, each ended by a NUL. */
export function readLog(output: string): readonly GitCommitRow[] {
  const fields = output.split('\0')
  const rows: GitCommitRow[] = []
  for (let at = 0; at + 6 < fields.length; at += 7) {
    const [id = '', parents = '', authorName = '', authorEmail = '', seconds = '', references = '', message = ''] = fields.slice(
      at,
      at + 7,
    )
    rows.push({
      // A line feed stands between two commits.
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

/** Of `git for-each-ref` with name, ID, upstream and the mark of `HEAD`. */
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
