// Command lines that change a repository: add, commit, branch, checkout, switch, restore, reset, rm, mv, stash and tag with their options.

/** On a copy of `history`. */
export const writingEveryday: readonly string[] = String.raw`
!git checkout -q --orphan fresh && git rm -rqf . ; checkout --detach
!git checkout -q --orphan fresh && git rm -rqf . ; switch --detach
!git checkout -q --orphan fresh && git rm -rqf . ; checkout --detach HEAD
checkout --detach nosuch
switch -c fresh nosuch
add --chmod=+x link README.md ; ls-files -s
add --dry-run --ignore-missing README.md missing.log
add -N notes.txt ; status -s ; diff
add -N nosuch
add --chmod=+x README.md
add --chmod=-x src/code.js
add --refresh README.md
add --refresh
add -v .
add -u src
add -A src
add --no-all .
add --ignore-errors .
add nosuch notes.txt
add '*.txt'
add ':!src' .
add --pathspec-from-file=- <<< 'notes.txt\n'
add --dry-run notes.txt
commit -m x
commit -am x
commit -m x -m y
commit -F - <<< 'subject\n\nbody\n'
commit -m x --author='A B <a@b.c>'
commit -m x --date='2020-01-01T00:00:00Z'
commit -m x -q
commit -m x -v
commit -m x -s
commit -m x --trailer 'Foo: bar'
commit --amend -m new
commit --amend --no-edit --author='A B <a@b.c>'
commit --allow-empty -m e
commit --allow-empty-message -m ''
stash -q ; commit --allow-empty -qm none ; commit --amend --no-edit ; commit --amend -m other
stash -q ; revert --no-edit v1.0~1 ; diff --stat HEAD ; revert --quit ; status
!rm README.md ; add -N README.md ; status -s
!mv src/code.js src/moved.js ; add -N src/moved.js ; status --porcelain=v2
commit -m ''
commit -m x README.md
commit -m x -o README.md
commit -m x -i src/numbers.txt
commit -m x nosuch
commit --porcelain
commit -C HEAD
commit --squash HEAD -m x
commit -c HEAD
commit
commit -m x --no-verify
commit -m x --no-status
commit -m x --cleanup=verbatim
commit -m '# comment' --cleanup=strip
-c core.commentChar=% commit --allow-empty --cleanup=strip -m '# kept' -m '% gone'
-c core.commentChar=% commit --allow-empty --cleanup=scissors -m '% ------------------------ >8 ------------------------'
commit -m x -u no
commit -m x --no-post-rewrite
commit -a -m x --allow-empty -- src
commit -m x --template=README.md
commit -m x --no-gpg-sign
branch new
branch new v1.0
branch new nosuch
branch feature
branch -d old
branch -m trunk
branch -M old side
branch -u origin/main old
branch --set-upstream-to=origin/main
branch --unset-upstream old
branch --track new origin/main
branch --no-track new origin/main
branch -r
branch -dr origin/main
branch -u nosuch
branch a..b
branch --list --sort=-refname
branch --format='%(refname) %(upstream:short) %(upstream:track)'
branch --contains v1.0 --merged HEAD
branch --no-merged
branch --points-at HEAD
branch -q new
branch --create-reflog new
branch -vv -a
branch --ignore-case --list 'F*'
checkout -f feature
checkout -b new
checkout -B side
checkout -b new v1.0
checkout -b feature
checkout --detach feature -f
checkout v1.0
checkout -q v1.0 -f
checkout --orphan new
checkout v1.0 -- src
checkout v1.0 README.md
checkout -- nosuch
checkout --theirs README.md
checkout --ours -- .
checkout -t origin/main
checkout --track -b new origin/main
checkout --no-track -b new origin/main
checkout --overlay v1.0 -- src
checkout --no-overlay v1.0 -- src
checkout --ignore-other-worktrees -f feature
checkout -d
checkout main
checkout --guess nosuch
switch -c new
switch -C side
switch --detach v1.0 -f
switch --orphan new
switch -t origin/main
switch -q -c new
restore --worktree --staged README.md
restore --source=v1.0 README.md
restore -s v1.0 -SW .
restore
restore --ours README.md
restore --overlay --source v1.0 src
restore -q README.md
reset
reset -- README.md
reset --merge HEAD~1
reset --keep
reset v1.0 -- src
reset --soft -- README.md
reset --hard README.md
reset --pathspec-from-file=- <<< 'README.md\n'
reset README.md nosuch
reset HEAD
reset --refresh
reset src
rm -n src/code.js
rm --ignore-unmatch nosuch
rm -q src/code.js
rm --cached -r .
rm '*.js'
rm src/code.js src/lib/renamed.txt
mv README.md READ.md
mv src/code.js docs2
mv src lib2
mv -n README.md x
mv -v README.md x
mv -f README.md src/numbers.txt
mv README.md src/numbers.txt
mv -k nosuch x
mv README.md src/code.js src/lib
stash
stash ; stash pop
stash ; stash apply
stash ; stash list
stash ; stash show
stash ; stash show -p
stash ; stash show --stat
stash ; stash show --name-only stash@{0}
stash ; stash drop
stash ; stash drop stash@{1}
stash ; stash clear
stash push -m msg
stash push -k
stash push -u
stash push -a
stash push -- README.md
stash push -m m -- src
stash push -q
stash save msg
stash save -u
stash -k ; stash pop
stash --no-keep-index
stash ; stash branch newb
stash ; stash pop --index
stash ; stash apply --index -q
stash create
stash create msg
stash pop
stash drop
stash show
stash list
stash push nosuch
stash foo
stash store -m x HEAD
stash push --include-untracked -- notes.txt
-c stash.showIncludeUntracked=true stash show
stash ; stash list --format=%gd
stash ; stash list -p
stash ; stash apply 0
stash ; stash drop 0
stash ; stash drop foo
tag new
tag -a new -m x
tag new v1.0
tag -f v1.0 HEAD
tag -d v1.0 v2.0
tag -l 'v*'
tag -n
tag -n3
tag --contains v1.0
tag --sort=-creatordate
tag --format='%(refname:short) %(objecttype)'
tag --points-at HEAD~1
tag --merged main
tag --no-merged v1.0
tag -m x new HEAD~1
tag a..b
tag -F - new <<< 'msg\n'
tag --create-reflog new
tag -a new
tag --list --column
add --renormalize .
add --renormalize README.md
add --ignore-missing -n nosuch
commit --amend --no-edit --reset-author
commit --dry-run -z
commit --long
branch -c old copy
branch -C old side
branch -c copy2
branch --format='%(if)%(HEAD)%(then)* %(else)  %(end)%(refname:short)'
branch --abbrev=10 -v
branch --no-abbrev -v
checkout --detach
checkout -
checkout -- README.md
checkout HEAD -- README.md
checkout --pathspec-from-file=- <<< 'README.md\n'
checkout HEAD
switch --detach
switch -
reset -N
reset --mixed README.md
reset --no-refresh
reset HEAD^{tree}
reset --hard HEAD^{tree}
stash -u ; stash show -u
stash -u ; stash show --only-untracked
stash ; stash store -m x stash@{0} ; stash list
stash push --pathspec-from-file=- <<< 'README.md\n'
stash ; -c stash.showPatch=true stash show
tag -i -l 'V*'
reset -N src/added.txt
stash push -u -- notes.txt ; stash show -u --stat
stash push -u -- notes.txt ; stash show -u -p
stash push -u -- notes.txt ; stash show --only-untracked -p
`
  .split('\n')
  .filter(line => line !== '')
