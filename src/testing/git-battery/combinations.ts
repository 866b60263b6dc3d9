// Command lines that combine options which are rarely given together. A row is a command line.

/** On `history`; none changes anything. */
export const combinations: readonly string[] = String.raw`
diff -s -p --name-only
diff -s --stat
diff --stat -s HEAD~1
diff -s -p HEAD~1 --stat
diff -s --name-only
diff -s -U1
diff -s --patch-with-stat
log -s -p -1
log -p -s -1
log -s --stat -1
log --stat --name-only -1 --format=%h
show -s --stat --format=%h
show --name-only -p --format=%h
show --raw --name-status --format=%h
diff-tree -s -p HEAD
diff-tree --name-only --stat -r HEAD
whatchanged -s -1
stash list -s
log -g --grep=fix --oneline
log -g --author=Other --oneline
log -g --no-merges --format='%gd %s' -4
log -g --since=2020-09-13T12:35:00 --format='%gd %s'
log -g --until=2020-09-13T12:30:00 --format='%gd %s'
log -g --oneline -- src
log -g --oneline --skip=2 -2
log -g main feature --format='%gd %h' -5
reflog main feature
reflog --all
reflog --branches
reflog feature@{1}
reflog main@{2020-09-13.12:33:30}
log -g --date=short main@{1} --oneline -2
log --graph --oneline --author=Other --all
log --graph --oneline --grep=fix
log --graph --oneline --since=2020-09-13T12:32:00
log --graph --oneline --until=2020-09-13T12:32:00 --all
log --graph --no-merges --format='%h%n' -3
log --graph --first-parent --no-merges --oneline
log --graph --oneline --no-merges -- src
log --graph --oneline --boundary --no-merges v1.0..HEAD
log --graph --skip=1 --oneline -4
log --graph --oneline --left-right --cherry-pick main...side
log --graph --oneline --right-only main...feature
log --graph --format='%b%n' -4
log --graph --pretty=format:'%h%n%b' -4
log --follow --oneline -- docs
log --follow --oneline --name-only -- src/lib
log --follow -p --format=%h -- README.md
log --date=format:'%U %W %V %G %g %C %k %l %P %r' --format=%ad -3
log --decorate-refs=v2.0 --oneline --decorate -3
log --decorate-refs=tags --oneline --decorate -3
log --decorate-refs=heads/main --oneline --decorate -3
log --decorate-refs=main --oneline --decorate -3
log --decorate-refs=HEAD --oneline --decorate -3
log --decorate-refs-exclude=origin/ --oneline --decorate -3
-c log.excludeDecoration=refs/tags log --oneline --decorate -3
show -1
show -n 2 --oneline -s feature
show -1 v2.0 -s
show --max-count=1 -s HEAD~1
branch --list --format='%(refname)' main
grep -q -L nosuch
grep -L e HEAD
grep -L nosuch
-C src grep -n return -- :/
-C src grep -c e :/docs
-C src log --oneline -2 :/
-C src diff --stat :/
-C src ls-files :/
-C src show --stat --format=%h HEAD :/
ls-files -t -d -m
ls-files -t -m -s
ls-files -v -m
ls-files -c -d -m --deduplicate
ls-files -d -m -z
ls-files -i -c -t --exclude='*.md' -m
ls-files -f -t
ls-files -i --exclude='*.md'
rev-parse --symbolic --branches --tags --remotes
rev-parse --symbolic --exclude=feat* --branches --not --tags=v*
rev-parse --symbolic main...feature HEAD~1^@ HEAD^!
rev-parse --symbolic-full-name main...feature
rev-parse --abbrev-ref main...feature HEAD^@
rev-parse --abbrev-ref=odd main
rev-parse --short=x HEAD
rev-parse --verify HEAD^@
rev-parse --verify -q HEAD@{500}
rev-parse --verify --end-of-options HEAD
rev-parse HEAD^-7
rev-parse --default main README.md
rev-parse --revs-only -5 --max-count=3 --stat HEAD -n 2 -- src
rev-parse --no-revs HEAD README.md -n5 --stat -- src
rev-parse --no-revs -n 5 --stat --topo-order --x
rev-parse --flags HEAD -p --max-count=2 -- src
rev-parse --verify HEAD~1 HEAD
rev-parse --verify
rev-parse -q --verify HEAD HEAD
rev-parse --short
rev-parse --short main feature
rev-parse HEAD nosuch main
rev-parse HEAD README.md src main
rev-parse README.md nosuch
rev-parse --flags HEAD README.md
rev-parse --no-revs --no-flags HEAD README.md -x
rev-parse --no-revs --flags -x HEAD
rev-parse --revs-only HEAD README.md nosuch
rev-parse ^HEAD ^nosuch
rev-parse HEAD:nosuch
rev-parse :nosuch HEAD
rev-parse --verify :nosuch
rev-parse --verify HEAD:nosuch
rev-parse --default feature --verify HEAD
rev-parse --default feature --short
rev-parse --symbolic-full-name --verify main
rev-parse --abbrev-ref --verify main
rev-parse --verify main..feature
rev-parse --verify ^main
rev-parse --not --verify main
rev-parse --sq --verify main
rev-list --abbrev=5 --abbrev-commit --parents -2 HEAD
rev-list --abbrev-commit --children -2 HEAD
rev-list --abbrev=8 -1 HEAD
config a.b c d e
config --get user.name x y
config --unset
config --list extra
config --add a.b
config --remove-section
config --replace-all a.b
config --get-regexp
-c alias.x=y -c alias.y=x x
-c alias.log='status' log -1 --oneline
-c core.abbrev=41 log --oneline -1
-c core.abbrev=3 log --oneline -1
-c core.abbrev=40 log --oneline -1
-c core.abbrev=auto log --oneline -1
-c core.worktree=src status -s
-C docs status
-C tmp status -s .
-C tmp/deep status -s ..
-C src status -s --ignored
status --ignored=matching --untracked-files=no
-c status.showUntrackedFiles=no status --ignored=matching
-C build status -s --ignored
-C build status -s --ignored=matching .
-C tmp ls-files -o --directory
-C tmp clean -n -d .
-C tmp clean -nd
-C tmp/deep clean -n ..
-C tmp add -n .
diff -1
diff --numstat -z
--icase-pathspecs ls-files 'SRC/*'
--literal-pathspecs ls-files '*.js'
--literal-pathspecs log --oneline -- '*.js'
--glob-pathspecs ls-files 'src/*'
-c log.follow=true log --oneline src/lib/renamed.txt
-c blame.showEmail=true blame v1.0 README.md -L1,1
blame -L1,1 -e v1.0 README.md
stash list --stat
worktree list --porcelain
worktree list -v
worktree prune -n
worktree prune -v
status -s --no-ignored --untracked-files=all tmp
-C docs status -s .
status ':(top)src' ':!src/lib'
diff --stat --summary --cached -M v1.0
diff --name-only --relative HEAD~3
-C src diff --stat ..
diff --stat=30,10 HEAD~4
diff --cached --shortstat --numstat --name-status
diff -s HEAD~1
diff -p --raw --stat --abbrev=12 HEAD~1
diff --ignore-cr-at-eol
diff @~1 -- README.md
diff HEAD^{/docs} HEAD --name-only
diff HEAD:src v1.0:src
diff --cached HEAD HEAD~1
diff --no-index src
diff -G '^return' --name-only v1.0 feature
diff --color-words HEAD
diff --src-prefix=old/ --dst-prefix=new/ --stat
diff --irreversible-delete HEAD~2
diff --stat HEAD nosuch -- README.md
diff main...nosuch
diff -- README.md nosuch.txt
log --format='%>(12)%h%<(30,trunc)%s|%an' -4
log --format='%(describe:tags)' -3
log --format='%(trailers:key=Closes,valueonly,separator=%x2C)' -2
log --format='%h%x09%an%x09%s' -3
log --format='%h %ad' --date=iso8601-strict -2
log --format='%ad' --date=iso-strict-local -2
log --format=raw --stat -1
log --pretty='format:%h' --name-status -2
log --oneline --since=2.weeks.ago
rev-parse --since='now' --since='today' --since='yesterday' --since='noon' --since='midnight' --since='tea' --since='yesterday noon' --since='noon yesterday' --since='3.days.ago' --since='2 weeks 3 days ago' --since='last friday' --since='friday' --since='last month' --since='a week ago' --since='two weeks ago' --since='10am' --since='10pm yesterday' --since='3pm last friday' --since='june' --since='june 2021' --since='10 june' --since='5th of january' --since='3 saturdays ago' --since='2 fortnights ago' --since='never' --since='xyz'
rev-parse --since='2021' --since='2021-06' --since='2021-06-10' --since='06/10/2021' --since='10.06.2021' --since='28/11' --since='dec 25' --since='2021-13-45' --since='13/01/2021' --since='99-01-01' --since='2100-01-01' --since='1960-01-01' --since='20210610T101112' --since='@1600000000' --since='10:00 2 days ago' --since='6 months ago' --since='1 year 2 months ago' --since='3 days ago at noon' --since='2021-06-10 5pm' --since='1/2/21' --since=''
rev-parse --since='2021-06-10 10:00' --since='2021-06-10T10:00:00+02:00' --since='Thu, 10 Jun 2021 10:00:00 +0200' --since='Jun 10 10:00:00 EST 2021' --since='2021-06-10 10:00 CEST' --since='2021-06-10 10:00 +9' --since='2021-06-10 12:00 pm' --since='2021-02-30 10:00' --since='2008-02-14 20:30:45.019-04:00' --since='1600000000 +0200' --since='99999999 +0000'
log --oneline --until='1 minute ago'
log --oneline --since='10 minutes ago'
log --oneline --since='Sep 13 2020 12:33:20 +0000'
log --oneline --all --grep=fix --author=Coder
log --oneline --branches --tags --no-walk
log --oneline -n1 --skip=100
log --oneline HEAD^2..
log --oneline HEAD^- -3
log --oneline ..@{u}
log --oneline @{-1} -2
log --oneline ':/!-fix'
log --graph --format='%h %an%n%b' -4
log --graph --oneline --date-order --all -5
log --graph --oneline --author=Other
log --name-status --diff-filter=R --format=%h -M
log --oneline --follow -- src
log --oneline --diff-filter=D -- data.bin
log --cc -p -1 HEAD~1 --format=%h
log --merges --first-parent -m --stat --format=%s
log --decorate=short --oneline --decorate-refs-exclude=v* -3
log --author='^Other' --oneline
log --grep='^Change' --grep='page$' --all-match --oneline
log --oneline --cherry-pick --right-only main...side
log -g --date=iso --format='%gd' -2
log --oneline HEAD -- nosuch/
log --oneline nosuch.txt
log --oneline --exclude-hidden=fetch --all
show HEAD~1 --first-parent --stat --format=%h
show v2.0^{tree}
show HEAD:src/lib
-C src show HEAD:code.js
show :1:README.md
show :docs/new.txt
show HEAD^3
show --name-only --oneline HEAD~2
show --no-patch --no-notes --pretty='%P' HEAD~1
show HEAD -- link
show @
show --diff-filter=A --name-only --format= HEAD
branch -a --contains feature
branch --sort=-authordate --format='%(objectname:short=5) %(authorname)'
branch -r --list 'origin/*' -v
branch --no-contains HEAD~1 -r
tag -n1 --sort=taggerdate
tag --format='%(objecttype) %(*objecttype) %(taggername) %(contents:body)'
tag --merged HEAD~1 -n
blame -L /return/,+1 src/code.js
blame -f src/code.js
blame --abbrev=4 src/code.js
blame HEAD~3 src/numbers.txt -L5,5
blame -L 3 src/code.js
blame -p -L1,1 -L3,3 src/code.js
blame v1.0..HEAD -- src/numbers.txt -L5,5
grep -C1 -n five
grep -L nosuch HEAD~3 -- src
grep -w -n one -- src docs
grep --not -e return -- src/code.js
grep -F -x '}' -n
grep x HEAD~3 -- data.bin
grep -f notes.txt
grep --full-name return
-C src grep -n return :/
grep -q nosuch HEAD
grep return nosuch
ls-files -s --abbrev=6 src
-C src ls-files --full-name
ls-files -o --directory
ls-files -i -c --exclude='*.md'
ls-files -u -s
ls-files -- ':(exclude)src'
ls-files --sparse
ls-tree --full-tree HEAD
-C src ls-tree --full-tree --name-only HEAD
ls-tree --format='%(path) %(objectsize)' -r HEAD
ls-tree v2.0
ls-tree HEAD:README.md
cat-file tree HEAD
cat-file tag HEAD
cat-file -s HEAD:src
cat-file --batch-check <<< 'HEAD\nHEAD^{tree}\nv2.0\nHEAD:nosuch\n'
cat-file --batch-check --buffer <<< 'HEAD\n'
rev-parse --show-superproject-working-tree
rev-parse --show-object-format
rev-parse --symbolic-full-name main @{u} v1.0
rev-parse --abbrev-ref @{u}
rev-parse --short=4 --verify HEAD
rev-parse --verify HEAD main
rev-parse --revs-only HEAD --all README.md -n 3
rev-parse --no-flags HEAD --foo README.md
rev-parse --not HEAD ^main
rev-parse --branches --tags
rev-parse HEAD~1^-
rev-parse :README.md :0:README.md :2:README.md
rev-parse feature@{u}
rev-parse @ @~ @^
rev-parse 9
rev-parse HEAD --
rev-list --count --all --no-merges
rev-list HEAD --not --branches=side -- src
rev-list --format='%h %an' --no-commit-header -2 HEAD
rev-list --abbrev-commit --abbrev=5 -2 HEAD
rev-list --max-count=1 --skip=2 HEAD
rev-list --no-walk HEAD v1.0
rev-list --cherry-pick --right-only main...side
rev-list --stdin <<< 'HEAD\n^v1.0\n'
rev-list --parents --merges HEAD
rev-list --date=short --pretty='%ad' -1 HEAD
for-each-ref --merged=feature --format='%(refname)'
for-each-ref --format='%(authordate:iso) %(committerdate:unix) %(taggerdate:short)' refs/tags
for-each-ref --format='%(upstream:trackshort) %(ahead-behind:main)' refs/heads
for-each-ref --format='%(symref) %(worktreepath)' refs/heads/main
for-each-ref --sort=objecttype --sort=-creatordate --format='%(refname) %(creator)'
for-each-ref --ignore-case --sort=refname refs/heads
show-ref -d v2.0
show-ref --abbrev=5 -s --tags
show-ref --verify refs/tags/v2.0 -d
symbolic-ref -q refs/heads/main
merge-base --octopus main side feature
merge-base --is-ancestor main
merge-base HEAD v1.0 nosuch
diff-tree --no-commit-id -r -M --name-status HEAD~1^2
diff-tree -r HEAD^{tree} v1.0^{tree}
diff-tree -c -p HEAD~1
diff-index -p --cached HEAD~1 --name-only
diff-index --check HEAD
diff-files --numstat --shortstat
name-rev --name-only --refs='v*' HEAD~3
describe --exclude='v2*' --tags HEAD
describe --abbrev=0
describe --exact-match HEAD
describe v1.0
describe HEAD:README.md
shortlog -c -s HEAD
shortlog --format='%h %s' v1.0..HEAD
shortlog -se --all
reflog show --date=iso HEAD -2
reflog exists refs/heads/nosuch
reflog -n 2 --no-decorate main
config --name-only --get-regexp user
config --show-origin --list --local
config --type=int core.repositoryformatversion
config --default 7 --type=int no.such
config -z --get user.name
config -f .git/config -l
config --int user.name
config .x
config --global --list
config --get
remote nosuch
check-ignore --stdin <<< 'a.log\nb\nbuild/x\n'
check-ignore
check-attr -a README.md
check-attr -z text README.md
-C
-P log --oneline -1
--no-replace-objects log --oneline -1
--work-tree=src --git-dir=.git status -s
-c alias.l='log --oneline -2' l
-c alias.a=a a
-c alias.x='nosuch' x
-c core.abbrev=99 log --oneline -1
-c diff.noprefix=true diff --cached
-c diff.renames=copies diff --name-status v1.0 feature
-c core.pager=cat log -1 --oneline
-c grep.lineNumber=true grep return
-c tag.sort=-refname tag
-c core.excludesFile=notes.txt status -s
ls-remote .
ls-remote --tags --refs .
ls-remote -q . HEAD
archive --list
notes show
cherry main feature v1.0
diff-pairs
--noglob-pathspecs ls-files '*.js'
--noglob-pathspecs ls-files ':(glob)**/*.js' '*.md'
`
  .split('\n')
  .filter(line => line !== '')
