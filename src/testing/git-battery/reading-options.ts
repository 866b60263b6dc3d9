// Command lines with rarer options of `status`, `diff`, `log`, `branch` and `tag`.

/** On `history`; none changes anything. */
export const readingOptions: readonly string[] = String.raw`
for-each-ref --format='%(align:20)%(refname:short)%(end)|%(align:10,right)x%(end)|'
for-each-ref --format='%(if:equals=main)%(refname:short)%(then)M%(else)-%(end) %(refname)'
for-each-ref --format='%(if)%(upstream)%(then)%(upstream:short)%(end)|'
for-each-ref --format='%(if:notequals=main)%(refname:short)%(then)%(refname:short)%(else)%(if)%(HEAD)%(then)*%(end)%(end)'
status -v
status -vv
status -s --show-stash
status --show-stash
status --column
status --column=always
status --column -s
status --no-column
status --porcelain=v1
status --porcelain=v2 -z
status --porcelain=v2 --branch --show-stash
status --porcelain=v2 -z --branch
status --ahead-behind
status --no-ahead-behind
status -sb --no-ahead-behind
status --porcelain=v2 --branch --no-ahead-behind
status --no-renames
status --find-renames
status --find-renames=80%
status -M
status --ignored=no
status --ignored=traditional
status --ignored=matching
status --ignored=matching -uall
status --ignored=matching --porcelain=v2
status --ignored=bad
status -unormal
status -ubad
status --untracked-files
status --untracked-files=no
status -s -z
status --short -- src README.md
status --long
status --porcelain=v3
status -b
status -z --branch
status --ignore-submodules
status --ignore-submodules=all
-C src status
-C src status --porcelain
-C src status --porcelain=v2
-c status.short=true status
-c status.branch=true status -s
-c status.showUntrackedFiles=no status
-c status.relativePaths=false -C src status
-c status.relativePaths=false -C src status -s
-c status.showStash=true status
-c status.displayCommentPrefix=true status
-c status.aheadBehind=false status
-c status.renames=false status
-c column.ui=always status
-c column.status=always status
-c core.quotePath=false status
-c advice.statusUoption=false status
diff --dirstat
diff --dirstat=files HEAD~3
diff --dirstat=lines HEAD~3
diff --dirstat=cumulative,1 HEAD~3
diff --dirstat-by-file HEAD~3
diff --cumulative HEAD~3
diff -X HEAD~3
diff --word-diff
diff --word-diff HEAD~3
diff --word-diff=porcelain HEAD~3
diff --word-diff=plain HEAD~3
diff --word-diff=none HEAD~3
diff --word-diff-regex=. HEAD~3
diff --word-diff --word-diff-regex='[a-z]+' HEAD~3
diff --color=never
diff -W HEAD~3
diff --function-context v1.0 feature
diff -U0 -W v1.0 feature
diff -I '^five' HEAD~5
diff -I 'thirty' -I 'five'
diff --line-prefix='> '
diff --line-prefix='> ' --stat HEAD~3
diff --line-prefix='> ' --name-only HEAD~3
diff -O README.md
diff --rotate-to=src/code.js HEAD~3
diff --skip-to=src/code.js HEAD~3
diff --find-object=HEAD:README.md HEAD~4
diff --submodule
diff --ws-error-highlight=all
diff --diff-merges=off
-c diff.mnemonicPrefix=true diff
-c diff.mnemonicPrefix=true diff --cached
-c diff.mnemonicPrefix=true diff -R HEAD
-c diff.mnemonicPrefix=true diff HEAD~1 HEAD
-c diff.mnemonicPrefix=true diff --no-prefix
-c diff.mnemonicPrefix=true log -p -1 HEAD~1
diff-tree --cc HEAD~1
for-each-ref --no-contains HEAD~3 --format=%(refname)
for-each-ref --format='%(refname:constructor)'
log --pretty=constructor
cat-file --batch-check='%(objectname:short)' --batch-all-objects
cat-file --batch-check='%(objecttype) %(rest)' <<< 'HEAD x y'
log --oneline --no-abbrev -2
log --oneline --no-abbrev --abbrev-commit -2
diff-tree -c HEAD~1
diff -c
diff --cc
diff --no-color-moved
diff --color-moved
diff --output-indicator-new='>' --output-indicator-old='<'
diff --output-indicator-context=.
diff --ita-invisible-in-index
diff --no-indent-heuristic
diff --no-textconv --no-ext-diff
diff --no-renames HEAD~4 HEAD
diff --no-rename-empty
diff --relative=src
diff --no-relative
diff -R --stat
diff --stat=40
diff --stat=60,20,2 v1.0
diff --stat-count=1 v1.0
diff --stat-width=50 --stat-graph-width=5 v1.0
diff --summary v1.0
diff --patch-with-stat v1.0
diff --patch-with-raw v1.0
diff --raw -r v1.0
diff --raw --abbrev=4 v1.0
diff --raw --no-abbrev v1.0
diff --raw -z v1.0
diff --numstat -z v1.0
diff --name-status -z v1.0
diff --compact-summary v1.0
diff --shortstat v1.0 feature
diff -p --stat v1.0 feature
diff --minimal
diff --merge-base feature
diff --merge-base main feature
diff --cached --merge-base feature
diff --quiet --cached -- nosuch
diff --exit-code HEAD HEAD
diff --check HEAD~3
diff HEAD~3 --diff-filter=AM --name-only
diff HEAD~3 --diff-filter=a --name-status
diff -S five --pickaxe-all HEAD~5
diff -G 'thirty|five' HEAD~5
diff -D HEAD~5 HEAD~3
diff -a HEAD~5 HEAD~3
diff --text HEAD~5 HEAD~3
diff --binary HEAD~5 HEAD~3
diff --full-index HEAD~5 HEAD~3
diff --src-prefix=x/ --dst-prefix=y/
diff -- '*.txt'
diff HEAD -- ':!src'
diff HEAD -- ':(exclude)src' README.md
diff HEAD -- ':/README.md'
diff v1.0...feature
diff v1.0 feature -- src
diff main..feature --stat
diff HEAD^!
diff HEAD^..
diff @{u}
diff @~2 @
diff stash
diff HEAD nosuch
diff HEAD~2:README.md README.md
diff HEAD~2:README.md HEAD:README.md
diff :README.md README.md
diff --cached --stat
diff --staged
diff --cached HEAD~1
diff -w --ignore-blank-lines
diff --ignore-space-at-eol
diff --histogram v1.0
diff --patience v1.0
diff --diff-algorithm=minimal
diff --inter-hunk-context=20
diff -U1
diff -U
diff --unified=5
diff -M90% v1.0 feature
diff -C v1.0 feature
diff -C -C v1.0 feature --name-status
diff --find-copies-harder v1.0 feature --stat
diff -l1 v1.0 feature
diff --no-index README.md src/code.js
diff --no-index README.md nosuch
log --graph --oneline --all
log --graph --oneline --all --decorate
log --graph -p -2
log --graph --format=%h --all
log --graph --format='%h%n%s' --all
log --graph --pretty=full --all
log --graph --oneline --boundary v1.0..HEAD
log --graph --oneline --left-right main...feature
log --graph --oneline --first-parent
log --graph --oneline -- src
log --graph --name-status -3
log --graph --all --simplify-by-decoration --oneline
log --oneline --simplify-by-decoration
log --oneline --ancestry-path v1.0..HEAD
log --oneline --ancestry-path=feature v1.0..HEAD
log --oneline --cherry-pick main...side
log --oneline --cherry-mark main...side
log --oneline --cherry main...side
log --oneline --left-right --cherry-pick main...feature
log --oneline --exclude='refs/tags/*' --all
log --oneline --exclude=feature --branches
log --oneline --merge
log --oneline --source --all
log --oneline -z
log -z --format=%H -2
log -z --name-only --oneline -2
log --format=%H%x00%s -2
log --oneline --children
log --oneline --parents
log --parents -2
log --children -2
log --pretty=medium -2
log --pretty=reference -2
log --pretty=email -2
log --pretty=mboxrd -2
log --pretty=nosuch
log --format=oneline -2
log --format=email --stat -p -1
log --format=fuller --date=iso -2
log --date=short -2
log --date=raw -2
log --date=relative -2
log --date=human -2
log --date=local -2
log --date=iso-local -2
log --date=format-local:%H:%M -2
log --date=nosuch
log --relative-date -2
log --format='%an <%ae> %ad' --date=short -3
log --format='%cn %ce %cd %cr %ct %ci %cI %cs %ch' -2
log --format='%aN %aE %al %aL %cN %cE %cl %cL' -2
log --format='%ar %ah %aD %cD' -2
log --format='%h %d' --all
log --format='%h %D' --all
log --format='%h%d' --decorate=full
log --format='%S %h' --all
log --format='%m %h' main...feature
log --format='%gd %gs %gn %ge' -g -3
log --format='%N' -2
log --format='%G? %GS %GK' -1
log --format='%e' -1
log --format='%b' -3
log --format='%B' -2
log --format='%s%n%b' -3
log --format='%s%+b' -5
log --format='%s%-b' -5
log --format='%s% b|' -5
log --format='%w(20,2,4)%s %b' -4
log --format='%w(0,4,6)%B' -4
log --format='%<(20)%s|%>(10)%an|' -3
log --format='%<(10,trunc)%s|' -3
log --format='%<(10,ltrunc)%s|' -3
log --format='%<(10,mtrunc)%s|' -3
log --format='%>>(10)%h|' -3
log --format='%><(20)%h|' -3
log --format='%<|(20)%h|' -3
log --format='%(trailers)' -2
log --format='%(trailers:key=Signed-off-by)' -2
log --format='%C(red)%h%C(reset) %Cgreen%s%Creset' -2
log --format='%C(auto)%h %d' -2
log --format='%x41%x2c%%' -1
log --format='%f' -3
log --format='%T %t %P %p' -3
log --format='tformat:%h' -2
log --pretty=format:%h -2
log --pretty='format:%h %s' --stat -2
log --pretty=tformat:%h --stat -2
log --format= --name-only -3
log --format= --stat -3
log --format= -p -2
log --format=%h --shortstat -3
log --oneline --numstat -2
log --oneline --raw -2
log --oneline --raw --abbrev=12 -2
log --oneline --no-abbrev-commit -2
log --no-abbrev-commit --oneline -1
log --abbrev-commit -2
log --abbrev=12 --oneline -2
log --abbrev-commit --abbrev=4 -2
log --oneline --decorate=short --all
log --oneline --decorate=full --all
log --oneline --decorate=no
log --oneline --no-decorate
log --oneline --decorate --decorate-refs='refs/tags/*'
log --oneline --decorate --decorate-refs-exclude='refs/tags/*'
log --oneline --decorate --clear-decorations
log -c log.decorate=short
-c log.decorate=short log --oneline -2
-c log.showRoot=false log -p --format=%h
-c log.date=iso log -1
-c format.pretty=oneline log -2
-c log.abbrevCommit=true log -2
-c log.follow=true log --oneline -- src/lib/renamed.txt
log --follow --oneline src/lib/renamed.txt
log --follow --name-status --oneline src/lib/renamed.txt
log --follow -p --format=%h src/lib/renamed.txt
log -p -m -1 HEAD~1
log -p -c -1 HEAD~1
log -p --cc -1 HEAD~1
log --diff-merges=on -p -1 HEAD~1
log --diff-merges=first-parent -p -1 HEAD~1
log --diff-merges=1 --stat -1 HEAD~1
log --diff-merges=separate --stat -1 HEAD~1
log --diff-merges=combined --name-only -1 HEAD~1
log --diff-merges=dense-combined -p -1 HEAD~1
log --no-diff-merges -p -1 HEAD~1
log --dd -1 HEAD~1
log --diff-merges=nosuch
log -m --name-only --oneline -2
log -m --raw --oneline -2
log --first-parent -m --stat -2
log -S five --oneline
log -S 'return 2' -p --format=%h
log -G 'five' --oneline
log -S five --pickaxe-regex --oneline
log --grep=fix --oneline
log --grep=FIX -i --oneline
log --grep=fix --grep=docs --oneline
log --grep=fix --grep=five --all-match --oneline
log --grep=fix --invert-grep --oneline
log -E --grep='fix|feat' --oneline
log -F --grep='fix:' --oneline
log -P --grep='fix(?=:)' --oneline
log --author=Other --oneline
log --author='Coder' --no-merges --oneline
log --committer=Coder --oneline -2
log --since=2020-09-13T12:30:00 --oneline
log --until=2020-09-13T12:30:00 --oneline
log --since='1 hour ago' --oneline
log --after=yesterday --oneline
log --since=2.weeks --oneline
log --merges --oneline
log --no-merges --oneline -3
log --min-parents=2 --oneline
log --max-parents=0 --oneline
log --reverse --oneline
log --reverse --oneline -3
log --skip=2 --oneline -3
log -n 2 --oneline
log -n2 --oneline
log -2 --oneline --stat
log --topo-order --oneline --all
log --date-order --oneline --all
log --author-date-order --oneline --all
log --all --oneline --full-history -- src
log --oneline --full-history --simplify-merges -- src
log --oneline --sparse -- src
log --oneline --dense -- docs
log --oneline --not --tags
log --oneline --branches --not main
log --oneline --branches='f*'
log --oneline --remotes
log --oneline --glob='heads/f*'
log --oneline ^main feature
log --oneline HEAD~2..
log --oneline ..feature
log --oneline --no-walk v1.0 v2.0
log --oneline --no-walk=unsorted v1.0 feature
log --oneline --boundary v1.0..feature
log --oneline --left-only main...side
log --oneline --right-only main...side
log -- nosuch
log --oneline -- 'src/*.js'
log --oneline ':(glob)**/*.js'
log --oneline -p -U0 -1 -- src/numbers.txt
log --stat --summary -3
log --name-status -M -5 --oneline
log --diff-filter=A --name-only --format=%h
log --diff-filter=D --summary --format=%h
log --diff-filter=R --name-status --oneline
log --grep-reflog=commit -g --oneline
log -g --oneline -3
log -g -2
log --walk-reflogs --date=iso -2
log --show-signature -1
log --notes -1
log --no-notes -1
log --mailmap -1
log --encoding=UTF-8 -1
log --expand-tabs=4 -1
log --no-expand-tabs -1
log --full-diff -p --format=%h -- docs
log -1 --format=%H -- README.md
log --stdin
log --oneline --ignore-missing nosuch HEAD -1
log -i --grep=MERGE --oneline
log --oneline --since-as-filter='2020-09-13T12:30:00'
log -s -1
log -q -1
log --quiet -1
log -1 -p --word-diff
log --dirstat -3 --oneline
log --cumulative --dirstat -3 --oneline
log --oneline --shortstat --no-merges
log --oneline --compact-summary -3
log --oneline --patch-with-stat -2
log --oneline --find-object=HEAD:README.md
log HEAD:README.md
log HEAD^{tree}
branch --column
branch --column=row
branch --column=dense -a
branch --column=plain
branch -a --column=always,row
tag --column
tag -l --column=row,dense
-c column.ui=always branch
-c column.ui=always tag
-c column.ui=row,always,dense branch -a
branch -v --column
rev-parse --sq main v1.0
rev-parse --sq HEAD -- "a b"
rev-parse --sq-quote "it's" a!b ""
rev-parse --sq --symbolic main
-C src rev-parse --git-path hooks/x
-C src rev-parse --git-common-dir
-C .git rev-parse --git-common-dir
rev-parse --show-object-format=bad
`
  .split('\n')
  .filter(line => line !== '')
