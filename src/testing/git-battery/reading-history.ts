// Command lines that show commits and their changes. A row is a command line.

/** On `history`; none changes anything. */
export const readingHistory: readonly string[] = String.raw`
diff
diff --stat
diff --cached
diff --staged --stat
diff --name-only
diff --name-status
diff --cached --name-status
diff HEAD
diff HEAD --stat
diff HEAD~1
diff HEAD~2 HEAD
diff HEAD~2..HEAD
diff main feature
diff main..feature
diff main...feature
diff main...side --stat
diff v1.0 v2.0
diff v1.0 v2.0 --stat
diff v1.0 v2.0 --name-only
diff v1.0 v2.0 --name-status
diff v1.0 v2.0 --numstat
diff v1.0 v2.0 --shortstat
diff v1.0 v2.0 --summary
diff v1.0 v2.0 --raw
diff v1.0 v2.0 --diff-filter=A --name-only
diff v1.0 v2.0 --diff-filter=AM --name-only
diff v1.0 v2.0 --diff-filter=d --name-only
diff v1.0 v2.0 --no-renames --name-status
diff v1.0 v2.0 -M90% --name-status
diff v1.0 v2.0 -C --name-status
diff v1.0 v2.0 --compact-summary
diff v1.0 v2.0 -- src
diff v1.0 v2.0 -- src/code.js
diff v1.0 v2.0 -- '*.js'
diff v1.0 v2.0 -- . ':!src'
diff -U0
diff -U1 HEAD
diff -w HEAD
diff -b
diff --ignore-blank-lines HEAD
diff --exit-code
diff --quiet
diff --quiet v1.0 v1.0
diff --cached --quiet
diff --check
diff -R --cached
diff --no-prefix
diff --full-index --cached
diff --abbrev=10 --cached
diff -z --name-only
diff --patch-with-stat --cached
diff --stat --patch HEAD
diff --word-diffx
diff nosuch
diff HEAD -- README.md
diff README.md
diff -- nosuch.txt
diff HEAD:README.md v1.0:README.md
diff --histogram HEAD~3
diff --patience HEAD~3
diff --minimal HEAD~3
diff -S twenty v1.0~1 v1.0
diff --stat=60 v1.0 v2.0
diff --relative=src v1.0 v2.0
diff --no-color
diff --stat v1.0~1 main
diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 v1.0 --stat
log
log --oneline --graph --boundary main...feature
log --oneline --topo-order --boundary main...feature
log --oneline --date-order --boundary main...feature
log --oneline
log --oneline -5
log --oneline -n 3
log -1
log -2 --stat
log -p -2
log --oneline --all
log --oneline --graph
log --oneline --graph --all
log --graph -4
log --graph --stat -3
log --oneline main..feature
log --oneline feature..main
log --oneline main...side
log --oneline --left-right main...side
log --oneline -- src/code.js
log --oneline -- src
log --oneline --follow src/lib/renamed.txt
log --oneline --merges
log --oneline --no-merges
log --oneline --first-parent
log --oneline --reverse
log --oneline --grep=fix
log --oneline --grep=FIX -i
log --oneline --author=Other
log --oneline --since=2020-09-13T12:33:00Z
log --oneline --until=2020-09-13T12:30:30Z
log --oneline --after=2020-09-13T12:33:00Z --before=2020-09-13T12:37:00Z
log --oneline -S twenty
log --oneline -G return
log --format=%H
log --format='%h %an %s'
log --format='%h|%ad|%cn|%ce' --date=short
log --pretty=format:'%h - %s (%an)'
log --pretty=oneline -3
log --pretty=short -2
log --pretty=full -2
log --pretty=fuller -2
log --pretty=raw -2
log --format=%B -1 HEAD~8
log --format='%s%n%b' -1 v1.0~1
log --date=iso -2
log --date=iso-strict -2
log --date=rfc -2
log --date=unix -2
log --date=format:%Y/%m/%d -2
log --oneline --decorate
log --decorate=full -2
log --name-only -2
log --name-status --oneline -4
log --numstat --oneline -3
log --shortstat --oneline -3
log --summary --oneline -3
log --raw --oneline -3
log --skip=2 -2 --oneline
log --max-count=2 --oneline
log -1 --format='%p %P %t %T'
log -1 --format='%ci %ai %at %ct %cI'
log --oneline v1.0..v2.0 -- README.md
log --oneline --tags
log --oneline --branches
log --topo-order --oneline
log --oneline --diff-filter=D --name-status
log --oneline -m -p -1 v2.0
log nosuch
log --nosuch
log --oneline -- nosuch.txt
log HEAD -- src/numbers.txt -p
log --abbrev-commit -1
log --format='%<(10)%an|%>(8)%h|%x41'
log --format= --name-only -2
log -p --oneline -1 -- README.md
log --no-walk --oneline v1.0 v2.0
show
show HEAD
show HEAD~1
show HEAD~2
show --stat
show --stat HEAD~2
show HEAD~3 --stat
show --name-only HEAD~2
show --name-status HEAD~4
show -s
show -s --format=%H
show --format=%s -s HEAD~3
show --oneline HEAD~2
show --format='%an <%ae>' HEAD~3
show v1.0
show v2.0
show v2.0 --stat
show HEAD:README.md
show HEAD:src
show HEAD:src/code.js
show v1.0:src/numbers.txt
show :README.md
show HEAD:nosuch
show HEAD:notes.txt
show nosuch
show feature -- src/code.js
show HEAD^1 HEAD^1~1 --oneline -s
show --pretty=raw -s v1.0
show --patch-with-stat feature
show --no-patch feature
shortlog -s HEAD
shortlog -sn HEAD
shortlog -sne HEAD
shortlog HEAD
`
  .trim()
  .split('\n')
