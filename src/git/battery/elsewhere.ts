// Branches that another work tree has checked out, and remotes whose history was rewritten. On `apart`.

const worktree = '!git worktree add -q w.git other'
/** `origin/main` was the present commit and two before; a fetch brings another history. */
const rewritten =
  '!git init -q --bare -b main far.git && echo "/*.git" >> .git/info/exclude && git remote add origin ./far.git && git push -q -u origin main && ' +
  'git -C far.git fetch -q -f .. other:main && echo mine > mine.txt && git add mine.txt && git commit -qm mine'
const clone = '!git config --global user.name A && git config --global user.email a@b && git clone -q . c.git'

export const elsewhere: readonly string[] = [
  `${worktree} ; checkout --ignore-other-worktrees other`,
  `${worktree} ; switch --ignore-other-worktrees other`,
  `${worktree} ; checkout --detach other ; checkout main`,
  `${worktree} ; rebase main other`,
  `${worktree} ; fetch . main:other`,
  `${worktree} ; fetch -f . main:other`,
  `${worktree} ; ${clone} ; -C c.git push -f origin main:other`,
  'fetch . other:main',
  'fetch -f . other:main',
  'pull . other:main',
  '!git checkout -q -b base main~1 ; pull . main:other',
  `${rewritten} ; pull --rebase ; log --format=%s -4`,
  `${rewritten} ; pull --rebase origin main ; log --format=%s -4`,
  `${rewritten} ; fetch -q ; rebase ; log --format=%s -4`,
  `${rewritten} ; fetch -q ; rebase --no-fork-point ; log --format=%s -4`,
  `${rewritten} ; fetch -q ; -c rebase.forkPoint=false rebase ; log --format=%s -4`,
  `${rewritten} ; fetch -q ; rebase origin/main ; log --format=%s -4`,
  `${rewritten} ; fetch origin ; reflog show origin/main`,
  '!git checkout -q -b base main~1 ; pull --rebase . main ; reflog -1',
  '!git checkout -q -b base main~1 ; -c merge.ff=false pull --rebase . main ; log --format=%s -1',
  'pull --rebase . main',
  `${clone} && echo n >> c.git/kept.txt && git -C c.git commit -qam n ; pull ./c.git ; log --format=%s -1`,
  'bisect start main~1 main ; bisect log',
  '!echo edit >> kept.txt ; bisect start ; bisect bad other ; bisect good main~1 ; bisect reset',
  '!echo edit >> kept.txt ; bisect start other main~1 ; bisect log ; status -s',
  '!echo e >> kept.txt && git stash -q ; stash branch new stash@{0}',
  '!echo e >> kept.txt && git stash -q ; stash pop stash@{0}',
  "!git diff main~1 main | sed 's/^ \\(1[0-9]\\)$/ \\1 /' > p ; apply -R --ignore-whitespace p",
  "!git diff main~1 main | sed 's/^ / \\t/' > p && sed -i 's/^/  /' kept.txt ; apply -R --ignore-whitespace p",
  String.raw`!printf -- '--- a/kept.txt\n+++ b/kept.txt\n@@ -1,2 +1,3 @@\n 1\n+new  \n 2\n' > p ; apply --whitespace=error p`,
  'clone --depth 1 . c.git ; -C c.git branch -a ; -C c.git config --get-all remote.origin.fetch',
]
