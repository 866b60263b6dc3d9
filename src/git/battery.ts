// Command lines of git, as agents type them, on two scripted repositories. A row is a command line; the test runs it by the real git and
// by ours and compares what they print, their exit codes and, where it changes something, what it leaves behind.

/** How much of what agents run is this command, in percent. */
export const shares: Readonly<Record<string, number>> = {
  diff: 23.4,
  log: 19.2,
  status: 10.1,
  add: 8.7,
  show: 8.6,
  commit: 7.5,
  branch: 2.4,
  checkout: 2,
  switch: 1,
  'rev-parse': 1.5,
  config: 1.3,
  'ls-tree': 1,
  'merge-base': 0.7,
  init: 0.7,
  'cat-file': 0.6,
  grep: 0.6,
  reset: 0.5,
  'ls-files': 0.5,
  reflog: 0.4,
  remote: 0.4,
  tag: 0.4,
  mv: 0.3,
  restore: 0.3,
  rm: 0.3,
  apply: 0.2,
  clean: 0.2,
  'check-ignore': 0.2,
  'hash-object': 0.2,
  'show-ref': 0.2,
  'for-each-ref': 0.2,
  'symbolic-ref': 0.2,
  'rev-list': 0.3,
  describe: 0.1,
  shortlog: 0.1,
  'update-ref': 0.1,
  other: 0.2,
}

/** Shell commands that make the repository in the current directory. `at N` sets the clock to N seconds after the first commit. */
export const history: string = String.raw`
git init -q -b main .
git config user.name Coder && git config user.email coder@example.com
mkdir -p src/lib docs
seq 1 40 > src/numbers.txt
printf 'function one() {\n  return 1\n}\n\nfunction two() {\n  return 2\n}\n' > src/code.js
printf '# Title\n\nText.\n' > README.md
printf 'x\0y' > data.bin
printf 'lib\nsome\nmore\nlines\nhere\n' > src/lib/first.txt
printf '*.log\nbuild/\n!keep.log\n' > .gitignore
at 0; git add . && git commit -qm "First commit" -m "With a body
of two lines."
sed -i 's/^20$/twenty/' src/numbers.txt; echo more >> README.md
at 100; git commit -qam "Change numbers and the page"; git tag v1.0
git checkout -q -b feature
sed -i 's/return 2/return 22/' src/code.js; echo new > docs/new.txt; git add .
at 200; GIT_AUTHOR_NAME=Other GIT_AUTHOR_EMAIL=other@example.com git commit -qm "feat: add docs" -m "Closes a gap."
git mv src/lib/first.txt src/lib/renamed.txt; chmod +x src/code.js; git add .
at 300; git commit -qm "Rename the first file and make the code executable"
git checkout -q main
sed -i 's/^5$/five/' src/numbers.txt
at 400; git commit -qam "fix: write five"
git rm -q data.bin
at 500; git commit -qm "Drop the data"
at 600; git merge -q --no-ff -m "Merge branch 'feature'" feature
at 700; git tag -a v2.0 -m "Version two
with more lines"
git checkout -q -b side HEAD~1; echo side > side.txt; git add side.txt; at 800; git commit -qm "Side work"; git checkout -q main
git branch old v1.0
printf 'no end' > "with space.txt"; mkdir sub; echo inner > sub/inner.txt; ln -s README.md link; git add .
at 900; git commit -qm "Add a link and odd names"
git update-ref refs/remotes/origin/main HEAD~1; git config remote.origin.url https://example.com/x.git; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config branch.main.remote origin; git config branch.main.merge refs/heads/main
echo staged >> README.md; git add README.md; echo unstaged >> README.md
sed -i 's/^33$/thirty-three/' src/numbers.txt
git rm -q --cached docs/new.txt; rm sub/inner.txt
echo untracked > notes.txt; mkdir -p tmp/deep; echo x > tmp/deep/f.txt; echo y > a.log; mkdir build; echo z > build/out
printf 'brand new\nfile\n' > src/added.txt; git add src/added.txt
at 1000`

/** A merge that stopped at a conflict. */
export const conflict: string = String.raw`
git init -q -b main .
git config user.name Coder && git config user.email coder@example.com
seq 1 12 > a.txt; echo base > b.txt; echo gone > c.txt; git add .; at 0; git commit -qm base
git checkout -q -b theirs; sed -i 's/^6$/six of theirs/' a.txt; echo theirs > b.txt; git rm -q c.txt; echo t > d.txt; git add .; at 100; git commit -qm "Their work"
git checkout -q main; sed -i 's/^6$/six of ours/' a.txt; echo changed >> c.txt; echo o > d.txt; git add .; at 200; git commit -qm "Our work"
at 300; git merge -q theirs >/dev/null 2>&1 || true`

/** On `history`; they change nothing. */
export const reading: readonly string[] = String.raw`
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
shortlog -s HEAD
shortlog -sn HEAD
shortlog -sne HEAD
shortlog HEAD
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

/** On `conflict`; they change nothing. */
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

/** On a copy of `history`: several commands with `;` between them. */
export const writing: readonly string[] = String.raw`
add notes.txt
add .
add -A
add -A ; status -s
add -u
add src
add 'src/*.txt'
add nosuch
add a.log
add -f a.log
add
add -n .
add -v notes.txt
add -N notes.txt ; status -s
add --all ; commit -m "All of it"
add README.md ; commit -m "Only the page"
add sub
add tmp
add docs
add -A -- src
-C src add .
-C src add -A
-C src add -u
commit -m "Message"
commit -m "Subject" -m "Body"
commit -am "All tracked"
commit -a -m "All tracked" -q
commit --allow-empty -m empty
commit --amend --no-edit
commit --amend -m "Other message"
commit --amend --no-edit --author="Else <e@example.com>"
commit -m "With author" --author="Else <e@example.com>"
commit -m "Dated" --date="2020-01-02T03:04:05+0200"
commit README.md -m "One path"
commit -m ""
commit --no-verify -m skip
commit -m sign --signoff
commit --dry-run
commit --short
commit -F notes.txt
commit -C v1.0
commit --fixup HEAD
commit --nosuch
commit -m x -- nosuch
reset ; status -s
reset -q
reset HEAD README.md
reset --hard
reset --hard HEAD~1
reset --hard v1.0
reset --soft HEAD~1
reset --mixed HEAD~1
reset HEAD~1
reset HEAD~2 --hard ; reset --hard HEAD@{1}
reset nosuch
reset -- src/added.txt
reset --keep HEAD~1
reset --merge
checkout feature
checkout -q feature
reset -q --hard ; checkout feature
reset -q --hard ; checkout side ; checkout -
reset -q --hard ; checkout v1.0
reset -q --hard ; checkout v1.0 ; checkout main
reset -q --hard ; checkout -q v1.0 ; status
checkout -b topic
checkout -b topic v1.0
checkout -b main
checkout nosuch
checkout README.md
checkout -- README.md
checkout .
checkout HEAD -- README.md
checkout HEAD .
checkout v1.0 -- src/numbers.txt
checkout HEAD~1 -- nosuch
checkout -f side
checkout -B topic HEAD~1
checkout --detach
checkout --orphan fresh
checkout old
switch feature
switch -c topic
switch -c topic HEAD~1
switch nosuch
switch v1.0
reset -q --hard ; switch side ; switch -
switch --detach HEAD
switch -f side
switch -C old
restore README.md
restore .
restore --staged README.md
restore --staged .
restore --staged --worktree .
restore --source=HEAD~3 src/numbers.txt
restore -s v1.0 .
restore nosuch
restore --staged docs/new.txt
restore sub/inner.txt
branch topic
branch topic v1.0
branch topic nosuch
branch main
branch -d feature
branch -d side
branch -D side
branch -D nosuch
branch -d main
branch -m renamed
branch -m old older
branch -m nosuch other
branch -f old HEAD
branch --set-upstream-to=origin/main feature
branch --unset-upstream
branch bad..name
branch a/b ; branch a
rm README.md
rm src/lib/renamed.txt
rm -f README.md
rm --cached README.md
rm -r src
rm -rf src
rm src
rm nosuch
rm -r --cached .
rm -q src/lib/renamed.txt
mv src/lib/renamed.txt moved.txt
mv src/lib src/library
mv link docs
mv nosuch x
mv README.md src/code.js
mv -f README.md src/code.js
mv -k nosuch README.md src
mv -n link other
mv notes.txt x
tag t1
tag t1 v1.0
tag -a t2 -m "Message"
tag -m "Message" t3
tag v1.0
tag -f v1.0
tag -d v1.0
tag -d nosuch
config user.name Someone
config new.key value ; config new.key
config --global user.name G
config --unset user.name
config --unset nosuch.key
config --add remote.origin.fetch +refs/x:refs/y
config alias.st "status -s" ; st
config --remove-section branch.main
config --rename-section remote.origin remote.other
config core.x "a # b"
config sec.sub.key "quoted \"x\""
init
init -q
init other
init --bare bare.git
init -b trunk other
symbolic-ref HEAD refs/heads/side
update-ref refs/heads/x HEAD~1
update-ref -d refs/heads/side
update-ref refs/heads/x nosuch
update-ref HEAD HEAD~1
hash-object -w notes.txt
write-tree
clean
clean -n
clean -f
clean -fd
clean -fdx
clean -fX
clean -n -d
remote add up https://example.com/up.git
remote add origin https://example.com/up.git
remote remove origin
remote rename origin up
remote set-url origin https://example.com/new.git
remote rm nosuch
worktree add ../w
`
  .trim()
  .split('\n')

/** The group whose share a command line counts in. */
export function commandOf(line: string): string {
  const words = line.split(' ; ').at(0)?.split(' ') ?? []
  let at = 0
  while (words[at]?.startsWith('-')) at += words[at] === '-C' || words[at] === '-c' ? 2 : 1
  const name = words[at] ?? 'other'
  return name in shares ? name : 'other'
}
