// Rebases that run commands between their steps, and rebases of the root. On `apart`.

const more =
  '!git checkout -q other && echo 1 > one.txt && git add . && git commit -qm one && echo 2 >> one.txt && git commit -qam "fixup! one" ; '

export const rebasedRoots: readonly string[] = [
  "rebase -x 'git log -1 --format=%s' main ; log --oneline",
  "rebase --exec 'echo hi; test -f one.txt' main ; status ; log --oneline ; rebase --abort ; status -sb",
  "rebase --exec 'echo hi; test ! -f one.txt' main ; status ; rebase --continue ; log --oneline",
  "rebase -x 'echo x >> kept.txt' main ; status -s ; checkout kept.txt ; rebase --continue ; log --oneline",
  "rebase -x true -x 'echo two' main~1",
  `rebase -x 'git commit -q --amend --no-edit --author="Z <z@z>"' main ; log --format='%an %s'`,
  "-c sequence.editor=: rebase -i --autosquash -x 'echo q' main ; log --oneline",
  "rebase -x '' main",
  "rebase -x 'exit 3' main ; rebase --quit ; status -sb",
  'rebase --root ; log --oneline',
  "rebase --root -f ; log --format='%s %cn'",
  "rebase --root -x 'echo r' ; log --oneline",
  'rebase --root main ; log --oneline ; branch',
  '-c sequence.editor=: rebase -i --root --autosquash ; log --oneline',
].map(line => more + line)
