// Command lines whose answers were once silently different from git's.

/** On `history`; none changes anything. */
export const quietReading: readonly string[] = String.raw`
log --oneline --simplify-by-decoration --decorate-refs=refs/tags/*
log --oneline --simplify-by-decoration --decorate-refs-exclude=refs/tags
-c log.excludeDecoration=refs/tags/* log --oneline --simplify-by-decoration
log --oneline --simplify-by-decoration --clear-decorations --decorate
log --oneline --follow --first-parent src/lib/renamed.txt
log --oneline --follow -m --stat src/lib/renamed.txt
log --oneline --follow --diff-filter=R src/lib/renamed.txt
log --oneline --follow --diff-filter=M src/code.js
log --oneline --follow -S 22 src/code.js
log --oneline -m --stat -- docs
log --oneline -m -- src/code.js
log --oneline --graph -m -- src/code.js
log --oneline --diff-merges=first-parent -s -- src/code.js
-c log.diffMerges=cc log --oneline -m -- src/code.js
rev-list --count --cherry-mark main...side
rev-list --count --cherry-mark --left-right main...side
rev-list --count --cherry main...side
status --porcelain=v2 --short
status --porcelain --long
status --short --porcelain=v2
status -z --long
commit -v --dry-run
commit -vv --dry-run
commit -v --dry-run --amend
-c commit.verbose=true commit --dry-run
commit --dry-run --short --branch
blame -L1,0 README.md
blame -L, README.md
blame -L+1,2 README.md
blame -L1,x README.md
blame -L0 README.md
var GIT_AUTHOR_IDENT
var GIT_COMMITTER_IDENT
var GIT_DEFAULT_BRANCH
var nosuch
help nosuch
nosuch
stauts
dif
-c alias.mine=status mien
-c alias.mine=status help mine
nosuch --help
stauts --help
-c help.autocorrect=immediate stauts
-c help.autocorrect=never stauts
-c help.autocorrect=bogus stauts
-c diff.renameLimit=bogus merge main
-c merge.stat=bogus merge main
-c diff.context=-1 diff main~1
-c diff.statGraphWidth=bogus diff --stat main~1
-c diff.colorMoved=bogus diff main~1
-c core.abbrev=bogus diff main~1
-c core.abbrev=2 log --oneline
-c core.autocrlf=bogus diff main~1
-c core.commentChar=ab status
-c push.default=bogus status
-c diff.renames=bogus status
-c status.branch=bogus status
-c log.showRoot=bogus log -1
-c commit.status=bogus commit --dry-run
-c merge.renames=bogus revert main
-c pull.ff=bogus pull
bisect strat
ls-files --eol
ls-files --eol -s
var -l
log --oneline --follow -c src/lib/renamed.txt
log --oneline --follow --cc --stat src/lib/renamed.txt
log --oneline --follow -c --raw src/lib/renamed.txt
`
  .split('\n')
  .filter(line => line !== '')

/** On `conflict`; none changes anything. */
export const quietConflict: readonly string[] = [
  'diff --exit-code',
  'diff --patch-with-stat',
  'diff --patch-with-raw',
  'diff -c --raw',
  'diff --cc --name-only',
  'diff --stat --ours',
  'diff-files -p --exit-code',
]

const servers =
  '!git init -q --bare -b main far.git && git init -q --bare -b main near.git && echo "/*.git" >> .git/info/exclude && git tag v1 && ' +
  'git remote add far ./far.git && git remote add near ./near.git && git push -q far main other v1 && git push -q near main && ' +
  'git update-ref -d refs/remotes/far/main && git update-ref -d refs/remotes/far/other && git update-ref -d refs/remotes/near/main && ' +
  'git tag -d v1 >/dev/null && git config remotes.both "far near"'

/** On `apart`. */
export const quietWriting: readonly string[] = [
  "!git checkout -qb t && seq 1 30 >n && git add n && git commit -qm n && git checkout -qb u && sed -i 10d n && git commit -qam u && git checkout -q t && sed -i 25d n && git commit -qam t && git merge -q --no-edit u && sed -i '2d;12d;18s/$/x/' n && git commit -qa --amend -m m ; show --format= ; show -c --format=",
  ...[
    'fetch --all',
    'fetch --multiple far near',
    'fetch both',
    'fetch both main',
    'fetch --all far',
    'fetch far ; fetch -a near',
    'fetch far ; fetch far nosuch',
    'fetch far ; fetch ./nowhere.git',
    'fetch far other',
    'fetch far v1',
    'fetch far tag v1',
    'fetch far main:mine',
    "fetch far 'refs/heads/*:refs/remotes/q/*'",
    'fetch -n far',
    'fetch --no-write-fetch-head far',
    'fetch --set-upstream far main',
    'fetch --refmap= far main',
    'fetch --atomic far',
    '!git config remote.near.skipFetchAll true ; fetch --all',
    '!git remote add bad ./nowhere.git ; fetch --all',
    'remote update',
    'remote update both',
    'remote update -p',
  ].map(line => `${servers} ; ${line} ; for-each-ref`),
  'cherry-pick -n other ; commit -m picked',
  'cherry-pick other ; revert -n HEAD',
  'rebase other',
  '!echo 1 >> kept.txt ; stash ; stash pop',
  '!echo 1 >> kept.txt ; merge --autostash other',
  "!git config i18n.commitEncoding ISO-8859-1; printf 'caf\\351' > m; git commit -q --allow-empty -F m; git config --unset i18n.commitEncoding; rm m ; log -1 --pretty=raw ; rev-list -1 --header HEAD ; log -1 --pretty=raw --encoding=ISO-8859-1 ; rev-list -1 --pretty=oneline --encoding=ISO-8859-1 HEAD",
  'commit -m nothing',
  "commit --allow-empty -m ''",
  '-c diff.autoRefreshIndex=false diff --name-only',
]
