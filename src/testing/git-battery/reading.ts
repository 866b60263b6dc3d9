// Command lines that read the state of a repository, its names and objects. A row is a command line.

/** On `history`; none changes anything. */
export const reading: readonly string[] = String.raw`
status
status -s
status --short
status --short --branch
status -sb
status --porcelain
status --porcelain=v2
status --porcelain=v2 --branch
status -z
status -uno
status -uall
status -s -uall
status --ignored
status --ignored -s
status -- src
status -s README.md
status --nosuch
rev-list --children HEAD
branch -i --list 'MA*'
-c advice.statusHints=false status
log -m -p --first-parent -2
log -g --format=%gd refs/heads/main -2
rev-list HEAD --not v1.0
log --oneline HEAD --not v1.0 feature
shortlog -sn HEAD
shortlog -sn
grep --max-depth 0 e
grep --max-depth 0 e -- src
grep -z -l e
grep -z -n e
branch
branch -a
branch -r
branch -v
branch -vv
branch -av
branch --list
branch --list 'f*'
branch --show-current
branch --contains v1.0
branch --contains HEAD
branch --no-contains feature
branch --merged
branch --no-merged
branch --format='%(refname:short) %(objectname:short)'
branch --sort=-committerdate
branch --points-at v1.0
rev-parse HEAD
rev-parse --short HEAD
rev-parse --short=10 HEAD
rev-parse --abbrev-ref HEAD
rev-parse --abbrev-ref main@{upstream}
rev-parse --show-toplevel
rev-parse --git-dir
rev-parse --is-inside-work-tree
rev-parse --is-bare-repository
rev-parse --show-prefix
rev-parse --show-cdup
rev-parse HEAD~2 HEAD^ v1.0 v2.0^{}
rev-parse HEAD^{tree}
rev-parse HEAD:src
rev-parse --verify HEAD
rev-parse --verify -q nosuch
rev-parse --verify nosuch
rev-parse nosuch
rev-parse main..feature
rev-parse main...feature
rev-parse --symbolic-full-name HEAD
rev-parse HEAD@{1}
rev-parse @{-1}
rev-parse ':/fix'
rev-parse HEAD^{/fix}
rev-parse v1.0-0-g0000000
rev-parse --all
config user.name
config --get user.email
config --list --local
config nosuch.key
config --get-regexp '^remote'
config --bool core.bare
config --get-all remote.origin.fetch
config nosection
config -l --name-only --local
ls-files
ls-files -s
ls-files -m
ls-files -d
ls-files -o --exclude-standard
ls-files -o
ls-files --deleted --modified
ls-files src
ls-files '*.txt'
ls-files -z
ls-files --error-unmatch nosuch
ls-files -o -i --exclude-standard
ls-tree HEAD
ls-tree -r HEAD
ls-tree -r --name-only HEAD
ls-tree -d HEAD
ls-tree -t -r HEAD
ls-tree -l HEAD
ls-tree HEAD src/
ls-tree HEAD src
ls-tree --name-only HEAD src/
ls-tree nosuch
ls-tree --abbrev HEAD
cat-file -p HEAD
cat-file -t HEAD
cat-file -s HEAD
cat-file -e HEAD
cat-file -e nosuch
cat-file -p HEAD:README.md
cat-file -p HEAD^{tree}
cat-file -p v2.0
cat-file -t v2.0
cat-file blob HEAD:README.md
cat-file -p nosuch
merge-base main feature
merge-base main side
merge-base --all main side
merge-base --is-ancestor v1.0 main
merge-base --is-ancestor side main
merge-base main nosuch
hash-object README.md
show-ref
show-ref --heads
show-ref --tags -d
show-ref main
show-ref --verify refs/heads/main
show-ref --verify refs/heads/nosuch
show-ref -s v1.0
for-each-ref
for-each-ref --format='%(refname:short)' refs/heads
for-each-ref --sort=-committerdate --format='%(refname) %(committerdate:short)'
for-each-ref --format='%(objecttype) %(objectname:short) %(subject)' refs/tags
for-each-ref --count=2 refs/heads
symbolic-ref HEAD
symbolic-ref --short HEAD
symbolic-ref nosuch
check-ignore a.log
check-ignore -v a.log build/out
check-ignore README.md
check-ignore -q build a.log
check-ignore -q -v a.log
check-ignore -n a.log
check-ignore --stdin a.log
check-ignore -v -n --stdin <<< '"a\\.log"\na.log\n"b\\tc.log"\nREADME.md\n'
check-ignore --stdin <<< '\n'
check-ignore --stdin <<< '"a.log\n'
check-ignore -z -v -n --stdin <<< 'a.log\0README.md\0'
check-ignore ""
-c core.excludesFile=README.md check-ignore -v Text.
-C src -c core.excludesFile=README.md check-ignore -v ../Text.
check-ignore -q build
rev-list HEAD
rev-list --count HEAD
rev-list --count main..feature
rev-list --all
rev-list -2 HEAD
rev-list --left-right --count main...side
rev-list --parents -3 HEAD
rev-list --max-parents=0 HEAD
rev-list --no-merges HEAD
rev-list -1 HEAD -- src
rev-list
tag
tag -l
tag -l 'v1*'
tag -n
tag --contains v1.0
tag --sort=-v:refname
tag --points-at v1.0^{}
tag --list --format='%(refname:short)'
reflog
reflog -3
reflog show main
reflog --oneline -2
describe
describe --tags
describe --always
describe --tags --abbrev=0
describe --all
describe --dirty
describe --tags --long
remote
remote -v
remote get-url origin
remote get-url nosuch
grep return
grep -n return
grep -i TITLE
grep -l return
grep -c 1
grep -w two
grep -n return HEAD~3
grep -n return -- '*.js'
grep nosuchword
grep -e one -e two
grep -n -F 'return 1'
grep -v 1 -- src/code.js
grep -L return
grep -q return
grep -h return
grep -o 'ret[a-z]*'
grep --cached staged
grep -E 'one|two'
frob
--version
-C src status -s
-C src diff --stat
-C src log --oneline -2 -- .
-C src ls-files
-C src rev-parse --show-prefix
-C nosuch status
-c core.quotePath=false status -s
--no-pager log --oneline -1
--no-pager diff --stat
-c user.name=X config user.name
--git-dir=.git log --oneline -1
worktree list
`
  .trim()
  .split('\n')

/** On `conflict`; none changes anything. */
export const readingConflict: readonly string[] = `
status
status -s
status --porcelain=v2
diff
diff --stat
diff --name-only
diff --name-status
diff --ours
diff HEAD
ls-files -u
ls-files -s
log --oneline --all --graph
show :2:a.txt
show :3:b.txt
commit -m no
diff --diff-filter=U --name-only
checkout theirs
rev-parse MERGE_HEAD
`
  .trim()
  .split('\n')
