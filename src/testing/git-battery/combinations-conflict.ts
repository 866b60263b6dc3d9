// Command lines with rare combinations of options, in a conflict and on two branches. A row is a command line.

/** On `conflict`; none changes anything. */
export const combinationsConflict: readonly string[] = String.raw`
ls-files -m -s
ls-files -m --deduplicate
ls-files -t -m
ls-files -t -u
diff -1 --stat
diff -2
diff -3
diff --numstat HEAD
diff-files --numstat
diff-index --name-status HEAD
diff-index --cached --name-status HEAD
grep -n e
grep --cached -n e
rev-parse :1:d.txt
rev-parse a.txt :1:a.txt
commit --dry-run --short
commit --dry-run --porcelain
commit -a --dry-run
diff --name-only --diff-filter=U
diff --base
diff --theirs
diff -2 --stat
diff MERGE_HEAD
diff --cc a.txt
diff --numstat
ls-files -u --abbrev
ls-files --unmerged -z
show :1:a.txt
show :3:c.txt
show :2:c.txt
cat-file -p :1:b.txt
rev-parse :1:a.txt :2:a.txt :3:a.txt
rev-parse :0:a.txt
rev-parse AUTO_MERGE
log --merge --oneline
log --oneline HEAD..MERGE_HEAD
log --oneline HEAD...MERGE_HEAD --left-right
grep base
grep -n 'six'
grep --cached o
switch theirs
restore a.txt
checkout a.txt
cherry-pick theirs
revert HEAD
rebase theirs
merge theirs
merge --continue
pull .
`
  .split('\n')
  .filter(line => line !== '')

/** On the repository with two branches; none changes anything. */
export const combinationsApart: readonly string[] = String.raw`
diff main other --stat
diff main...other --stat
diff --summary main other
log --oneline --graph --all --decorate
log --oneline --left-right main...other
shortlog main..other
cherry -v main other
rev-list --count --left-right main...other
diff --name-status -z main other
ls-tree -r --name-only other
ls-tree -rz --name-only other
diff-tree -r -z --name-only main other
archive --format=zip nosuch
`
  .split('\n')
  .filter(line => line !== '')
