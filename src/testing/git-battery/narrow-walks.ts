// Walks that leave out commits by time or by descent, and what the index loses of a conflict.

/** On `history`; none changes anything. */
export const narrowWalks: readonly string[] = String.raw`
log --oneline --since-as-filter=1600000450 main
log --oneline --since-as-filter=1600000150 --until=1600000600 --graph main
rev-list --count --since-as-filter=1600000150 --all
shortlog -s --since-as-filter=1600000450 HEAD
log --graph --oneline --ancestry-path --full-history v1.0..main -- docs src/numbers.txt
log --oneline --full-history feature..main -- docs src/numbers.txt
log --oneline --ancestry-path=nosuch main
archive -o /dev/null HEAD
whatchanged --oneline main -- src/numbers.txt
whatchanged --stat --format=%h feature main -- README.md
diff-tree --root --line-prefix=abc -p HEAD
diff-index --line-prefix=abc HEAD
diff-files --line-prefix=abc
format-patch --name-status -1
format-patch --check -1
log -L 3,6:src/numbers.txt
log --oneline -L /5/,+2:src/numbers.txt v1.0
log --oneline --color -L :f:src/code.js
log --oneline -s -L 1,3:README.md
log --oneline --graph -L 2,4:src/numbers.txt -L 1,1:README.md
log -2 --reverse --format=%s -L 4,:src/numbers.txt --first-parent
log -L 3,6:src/numbers.txt --stat
log -L 3:nosuch
log -L 3
log -L 3,6:src/numbers.txt -- src
log -L 3000:src/numbers.txt
log -L 3,6:src/numbers.txt main side
log --oneline --diff-filter=a
log --oneline --diff-filter=Aa
log --oneline --diff-filter=*
log --oneline --graph --diff-filter=m
diff --name-status --diff-filter=a* v1.0 main
diff --name-status --diff-filter=A --diff-filter=m v1.0 main
blame -s --since=2030-01-01 README.md
blame -s --max-age=1600000300 HEAD -- src/numbers.txt
`
  .split('\n')
  .filter(line => line !== '')

/** On `apart`. */
export const ambiguousRemotes: readonly string[] = [
  'branch q z/q ; branch',
  'branch -f side z/q ; branch',
  'branch --track q z/q ; branch',
  'checkout q ; branch',
  '-c checkout.defaultRemote=r2 branch -r ; switch q',
].map(
  line =>
    "!git remote add r1 x && git remote add r2 y && git config remote.r1.fetch '+refs/heads/*:refs/remotes/z/*' && " +
    `git config remote.r2.fetch '+refs/heads/*:refs/remotes/z/*' && git update-ref refs/remotes/z/q HEAD ; ${line}`,
)
