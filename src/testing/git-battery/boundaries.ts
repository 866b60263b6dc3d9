// Command lines with `--boundary`: the parents of what is shown, whatever left the others out.

/** On `history`; none changes anything. */
export const boundaries: readonly string[] = String.raw`
rev-list --boundary -n 1 v1.0..HEAD
rev-list --boundary --max-count=2 HEAD
rev-list --boundary -n 0 HEAD~3..HEAD
rev-list --boundary --skip=1 v1.0..HEAD
rev-list --boundary --skip=1 -n 2 --parents v1.0..HEAD
rev-list --boundary --reverse v1.0..HEAD
rev-list --boundary --reverse -n 2 v1.0..HEAD
rev-list --boundary --topo-order -n 3 v1.0..HEAD
rev-list --boundary --date-order main side
rev-list --boundary --count v1.0..HEAD
rev-list --boundary --count --left-right main...side
rev-list --boundary --author=Other v1.0..HEAD
rev-list --boundary --no-merges v1.0..HEAD
rev-list --boundary --merges HEAD
rev-list --boundary v1.0..HEAD -- src
rev-list --boundary --parents v1.0..HEAD -- src
rev-list --boundary --first-parent v1.0..HEAD
rev-list --boundary --left-right main...feature
rev-list --boundary --since=2020-09-13T12:33:00 HEAD
rev-list --boundary --children v1.0..HEAD
log --oneline --boundary -n 2 --graph
log --oneline --boundary --graph v1.0..HEAD -- src
log --oneline --boundary --graph -n 3 --all
log --oneline --boundary -S five -n 1
log --oneline --boundary -p -n 1
log --graph --oneline --boundary --left-right main...side
rev-list --boundary --max-count=2 --objects HEAD
rev-list --boundary --no-walk HEAD
rev-list --boundary --simplify-by-decoration HEAD
rev-list --boundary --cherry-pick main...side
show --boundary v1.0..HEAD -s --oneline
rev-list --boundary --max-parents=0 HEAD
rev-list --boundary HEAD^@
rev-list --boundary HEAD^!
rev-list --boundary --until=2020-09-13T12:33:00 v1.0..HEAD
`
  .trim()
  .split('\n')
