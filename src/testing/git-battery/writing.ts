// Command lines that change a repository. A row is a command line, or several with `;` between them.

/** On a copy of `history`: several commands with `;` between them. A part that begins with `!` is a shell command. */
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
status -s ; reset --keep HEAD~1
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
commit --allow-empty -m d --date=xyz ; commit --allow-empty -m d --date=never ; commit --allow-empty -m d --date='yesterday noon' ; commit --allow-empty -m d --date='@0'
config new.dashed --no-commit ; config new.dashed ; config --add new.dashed -x --get ; config --get new.dashed --type=int ; config --unset new.dashed --all
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
update-ref refs/heads/side 0000000000000000000000000000000000000000
update-ref --stdin <<< 'create refs/heads/y HEAD\nupdate refs/heads/q HEAD~1 0000000000000000000000000000000000000000\ndelete refs/heads/side\n'
update-ref --stdin <<< 'update refs/heads/side 0000000000000000000000000000000000000000\n'
update-ref --stdin <<< 'create refs/heads/y HEAD\ncreate refs/heads/z 0000000000000000000000000000000000000000\n'
update-ref --stdin <<< 'create refs/heads/side HEAD\n'
update-ref --stdin <<< 'delete refs/heads/side HEAD~1\n'
hash-object -w notes.txt
write-tree
clean
clean -n
apply nosuch
! git diff > p && git reset -q --hard ; apply p ; status -s
! git diff > p && git reset -q --hard ; apply --reject p ; apply --check p ; apply p ; status -s
! git diff --cached > p && git reset -q --hard ; apply --index p ; status -s
! git diff --cached > p && git reset -q --hard ; apply --cached p ; status -s
! git diff > p ; apply -R p ; status -s
! git diff HEAD~3 HEAD~2 > p ; apply --check p ; apply --reject p
! git diff -M v1.0 HEAD > p ; apply --stat p ; apply --numstat p ; apply --summary p
! git reset -q --hard && git diff -M --binary v1.0 HEAD > p && git checkout -q v1.0 ; apply --index p ; status -s
! git reset -q --hard && git diff v1.0 HEAD -- src > p && git checkout -q v1.0 && sed -i '1i new' src/numbers.txt ; apply p ; diff
! git reset -q --hard && git diff v1.0 HEAD -- src/numbers.txt > p && git checkout -q v1.0 && sed -i 5s/5/V/ src/numbers.txt && git commit -qam z ; apply -3 p ; status -s
! git reset -q --hard && git diff v1.0 HEAD -- src/numbers.txt > p && git checkout -q v1.0 && sed -i 3s/3/III/ src/numbers.txt ; apply p ; apply -C1 p ; diff
! git reset -q --hard && git diff -U0 v1.0 HEAD -- src/numbers.txt > p && git checkout -q v1.0 ; apply p ; apply --unidiff-zero p ; diff --stat
! git diff > p && git reset -q --hard ; apply --exclude='src/*' p ; status -s
! git diff > p && git reset -q --hard ; -C src apply ../p ; status -s
! printf -- '--- /dev/null\n+++ b/q/r\n@@ -0,0 +1 @@\n+x \n' > p ; apply p ; apply p ; apply --cached --whitespace=nowarn p ; status -s
! printf -- '--- README.md\n+++ README.md\n@@ -1,3 +1,3 @@\n # Title\n \n-Text.\n+Other.\n' > p ; apply p ; apply -p0 p ; diff README.md
! printf -- '--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n # Title\n \n-Text.\n' > p ; apply p
! git reset -q --hard && echo 1 > README.md && git stash -q && echo 2 > README.md && git commit -qam 2 ; stash pop ; stash pop ; stash ; stash branch x
! git reset -q --hard && echo s >> README.md && git add README.md && echo u >> src/code.js ; stash -S ; status -s ; stash pop
stash push -- README.md ; stash show ; stash show -p
stash -q ; status --show-stash ; stash list --format='%gd %s'
clean -f
! mkdir -p a/b/c e ; clean -fd
! mkdir -p a/b/c e src/q && touch a/z.log a/b/y.log src/q/n.log ; clean -fd
! mkdir -p tmp/empty ; clean -fd -e '*.txt'
! mkdir -p src/q/r ; clean -f src/q
! mkdir -p a/b e && touch a/f ; stash -u
! mkdir -p q/e && touch q/w ; stash -u ; stash pop
stash -u ; status -s
add -N notes.txt ; diff HEAD
add -N notes.txt ; diff HEAD --stat ; diff --cached
add -N notes.txt ; stash
add -N notes.txt ; ! rm notes.txt ; diff HEAD ; status -s
reset -q --hard ; ! rm src/lib/renamed.txt ; rm -r src/lib
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
remote set-head origin main ; symbolic-ref refs/remotes/origin/HEAD ; !cat .git/logs/refs/remotes/origin/HEAD | grep -q set-head
remote set-head origin nosuch
remote set-head origin main ; remote set-head -d origin ; for-each-ref
remote set-head origin --delete
remote set-head origin main ; pack-refs --all ; remote set-head origin -d ; for-each-ref
remote set-head nosuch main
remote set-head
remote set-head origin
remote set-head origin -d main
remote set-head origin -a -d
remote -d
remote get-url -a origin
!git clone -q --bare . .git/far.git ; remote set-url origin .git/far.git ; remote set-head origin -a ; rev-parse origin ; remote set-head --auto origin ; for-each-ref
worktree add inner
`
  .trim()
  .split('\n')
