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
