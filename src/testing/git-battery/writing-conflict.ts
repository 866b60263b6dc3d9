// Command lines that change a repository with conflicts, during a merge or after one that was forgotten.

const forgotten = '!rm .git/MERGE_HEAD'

export const writingConflict: readonly string[] = [
  'commit -m x -- a.txt',
  'commit -m x -i b.txt',
  `${forgotten} ; commit -m x -- a.txt`,
  `${forgotten} && git checkout -q --ours b.txt ; commit -m x -- a.txt c.txt`,
  `${forgotten} ; commit -m x -- a.txt b.txt c.txt d.txt`,
  `${forgotten} && git add a.txt ; commit --short b.txt ; commit --dry-run b.txt`,
  '!git reset -q --hard && (git cherry-pick theirs >/dev/null 2>&1 || true) ; commit -m x -- b.txt',
  '!git reset -q --hard && (git cherry-pick -n theirs >/dev/null 2>&1 || true) ; commit -m x -- b.txt',
]
