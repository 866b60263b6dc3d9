// Command lines that change a conflict and look at what is left of it.

/** On `conflict`. */
export const conflictStates: readonly string[] = String.raw`
merge --quit ; status -s
!rm a.txt && mkdir a.txt ; status --porcelain=v2
merge-tree --write-tree main theirs
merge-tree --write-tree --name-only theirs main
merge-tree --write-tree --no-messages main theirs
merge-tree --messages main main~1
merge-tree --write-tree main nosuch
merge-tree --write-tree main
restore --ignore-unmerged --staged . ; ls-files -s ; status -s
restore --ignore-unmerged --staged --worktree . ; ls-files -s ; status -s
!git merge --abort && git merge -q --squash theirs >/dev/null 2>&1 || true ; revert --quit ; !test ! -e .git/SQUASH_MSG || echo left > left
!git merge --abort && git merge -q --squash theirs >/dev/null 2>&1 || true ; cherry-pick --quit ; !test ! -e .git/SQUASH_MSG || echo left > left
add -N a.txt ; ls-files -s ; status --porcelain=v2
add -N . ; ls-files -s
!rm a.txt ; add -N . ; ls-files -s
!rm a.txt d.txt ; diff ; diff HEAD ; diff --cc ; diff HEAD~ --name-status ; diff --stat HEAD ; diff theirs --name-status
!rm b.txt c.txt ; diff HEAD ; diff HEAD --raw ; diff theirs --name-status
!git reset -q --hard && echo i > i && git add -N i && rm i ; status --porcelain=v2 ; status -s ; status
!git reset -q --hard && git merge -q --no-commit -s ours theirs && echo more >> a.txt ; status ; commit --dry-run ; commit --dry-run --short
!git reset -q --hard && git merge -q --no-commit -s ours theirs ; status ; commit --dry-run ; status -uno ; commit -qm merged
!git reset -q --hard && git merge -q --no-commit -s ours theirs && touch u ; status ; status -uno
!git rm -qf a.txt b.txt c.txt d.txt && git commit -qm merged ; show ; show -c ; diff-tree --cc HEAD ; log -1 -p --cc --format=%s
!git add . && git commit -qm merged ; diff-tree --cc HEAD ; diff-tree -c HEAD ; diff-tree --cc --raw HEAD ; diff-tree --cc --stat HEAD
!git reset -q --hard && git checkout -q -b 'a$&b' && git checkout -q -b other && mkdir 'f$$g$&' && echo x > 'f$$g$&/x' && git add . && git commit -qm dir && git checkout -q - && echo y > 'f$$g$&' && git add . && git commit -qm file ; merge other ; status
!git reset -q --hard && echo 1 > 'f$$g$&' && git add . && git commit -qm f && git checkout -q -b other && git rm -q 'f$$g$&' && mkdir 'f$$g$&' && echo x > 'f$$g$&/x' && git add . && git commit -qm dir && git checkout -q main && echo y > 'f$$g$&' && git commit -qam file ; merge other ; status
`
  .split('\n')
  .filter(line => line !== '')
