// A clone with `--depth`: its history ends at commits whose parents are not there.

/** Three commits of `main` and two of `side` are here, six are in the repository beside it. */
export const shallow: string = String.raw`
git init -q -b main far
cd far
git config user.name Coder && git config user.email coder@example.com
seq 1 20 > numbers.txt; printf 'one\ntwo\n' > words.txt; git add .; at 0; git commit -qm First
sed -i 's/^5$/five/' numbers.txt; at 100; git commit -qam Second; git tag -a v1 -m "Version one"
echo three >> words.txt; echo new > new.txt; git add .; at 200; git commit -qm Third -m "With a body."
git checkout -q -b side; echo side > side.txt; git add .; at 300; git commit -qm Side; echo more >> side.txt; at 350; git commit -qam "More side"
git checkout -q main; sed -i 's/^15$/fifteen/' numbers.txt; at 400; git commit -qam Fourth; git tag v2
git mv words.txt texts.txt; at 500; git commit -qam Rename
at 600; git merge -q --no-ff -m "Merge branch 'side'" side
echo last >> texts.txt; at 700; git commit -qam Last
cd ..
git clone -q --depth 3 --no-single-branch "file://$PWD/far" inside
mv inside/.git inside/* .; rmdir inside
git config user.name Coder && git config user.email coder@example.com
git config remote.origin.url ./far; echo /far > .git/info/exclude
git branch -q side origin/side
at 1000`

/** On `shallow`. */
export const readingShallow: readonly string[] = [
  'log',
  'log --oneline --graph --all',
  'log -p',
  'log --stat --all',
  'log --format=raw',
  "log --all --format='%h %p|%P|%t %s'",
  'log --all --format=%d --decorate',
  'log --name-status --reverse',
  'log --raw --all',
  'log -S fifteen --oneline',
  'log -G five --oneline -p',
  'log --follow --oneline --name-status -- texts.txt',
  'log --oneline -- words.txt',
  'log --boundary --oneline HEAD~1..',
  'log --max-parents=0 --all --oneline',
  'log --merges --oneline -m --stat',
  'log --cc --oneline --shortstat',
  'log --parents --oneline',
  'log --children --oneline --all',
  'log --simplify-by-decoration --oneline --all',
  'log -g --oneline',
  'log --no-walk --all --patch --root',
  'whatchanged --all --oneline',
  'show',
  'show HEAD~1',
  'show HEAD~2',
  'show --stat HEAD~2 side~1',
  'show HEAD~3',
  'show HEAD~2^',
  'show --format=fuller -s HEAD~2',
  'show v1',
  'diff HEAD~2 --stat',
  'diff HEAD~3',
  'diff-tree HEAD~2',
  'diff-tree --root -r HEAD~2',
  'diff-tree -p --root -s HEAD~2',
  'rev-list --count --all',
  'rev-list --parents --all',
  'rev-list --objects --all',
  'rev-list --objects HEAD~1..HEAD',
  'rev-list --max-parents=0 HEAD',
  'rev-list --left-right --count HEAD...side',
  'rev-parse HEAD~1 HEAD^2 side~1',
  'rev-parse HEAD~3',
  'rev-parse --verify HEAD~2^@',
  'rev-parse side^! HEAD~2^!',
  'rev-parse --is-shallow-repository --git-path shallow',
  'cat-file -p HEAD~2',
  'cat-file --batch-check --batch-all-objects',
  'merge-base HEAD side',
  'merge-base --is-ancestor side HEAD',
  'merge-base v2 side',
  'merge-base --all v1 HEAD',
  'describe --tags --always',
  'describe',
  'branch -avv --contains side',
  'branch --merged',
  'tag --contains HEAD~2',
  'tag -l --merged HEAD',
  "for-each-ref --format='%(refname) %(parent) %(numparent) %(contents:subject)'",
  'blame texts.txt',
  'blame -p numbers.txt',
  'blame -l --root numbers.txt',
  'shortlog -s HEAD',
  'shortlog --all',
  'format-patch --stdout -1 HEAD',
  'format-patch --stdout -1 HEAD~2',
  'format-patch --stdout --root HEAD~2',
  'cherry -v side HEAD',
  'fsck',
  'count-objects -v',
  'status -sb',
  'grep -n fifteen HEAD~2',
  'ls-tree -r HEAD~2',
  'reflog',
]

/** On `shallow`. */
export const writingShallow: readonly string[] = [
  'commit --allow-empty -qm next ; log --oneline ; fsck',
  'commit --amend -qm amended ; log --format=%s%n%p',
  'checkout -q HEAD~2 ; commit --amend -qm "amended at the end" ; log --format=raw ; status',
  'checkout -q side~1 ; commit --allow-empty -qm "after the end" ; log --oneline ; rev-list --objects HEAD',
  'reset -q --soft HEAD~2 ; status -s ; commit -qm squashed ; log --oneline',
  'reset --hard HEAD~3',
  'revert --no-edit HEAD ; log --oneline -2',
  'revert --no-edit HEAD~2 ; status -s ; log --oneline -3',
  'checkout -q -b copy side ; cherry-pick HEAD~1',
  'checkout -q -b copy v1',
  'checkout -q -b copy side ; cherry-pick main ; status -s ; log --oneline',
  'checkout -q side ; rebase main ; log --oneline --graph',
  'checkout -q side ; merge --no-edit main ; log --oneline --graph',
  'checkout -q -b topic HEAD~2 ; commit -q --allow-empty -m topic ; rebase main ; log --oneline',
  '!echo x >> new.txt ; stash ; stash list ; stash show -p ; log --oneline --graph stash ; stash pop',
  'fetch --depth 4 ; !cat .git/shallow ; log --oneline --all ; fsck',
  'fetch --depth=2 ; !cat .git/shallow ; log --oneline --all',
  'fetch --depth=1 origin main ; !cat .git/shallow ; log --oneline',
  'fetch --unshallow ; !ls .git ; log --oneline --graph --all ; describe ; fsck',
  'fetch --deepen=1 ; !cat .git/shallow ; log --oneline --graph --all ; fetch --deepen 9 ; !ls .git ; log --oneline --all ; fsck',
  'fetch --deepen=1 origin side ; !cat .git/shallow ; log --oneline --all ; fsck',
  '!git -C far -c user.name=A -c user.email=a@b commit -q --allow-empty -m beyond ; pull -q --deepen=2 ; !cat .git/shallow > cut.txt ; log --oneline --graph --all ; fsck',
  'fetch --deepen=0 ; fetch --deepen=-1 ; fetch --deepen=1 --depth=2 ; fetch --unshallow --depth=2 ; fetch --depth=0 ; fetch --depth=-1 ; fetch --deepen=x ; !cat .git/shallow > cut.txt',
  'fetch --unshallow ; fetch --unshallow ; pull --unshallow ; fetch --deepen=1 ; log --oneline --all ; fsck',
  '!git -C far branch early v1~1 && git -C far checkout -q early && git -C far -c user.name=A -c user.email=a@b commit -q --allow-empty -m beside && git -C far checkout -q main && git clone -q --depth 1 "file://$PWD/far" lone ; -C lone fetch origin early ; !cat lone/.git/shallow > cut.txt ; -C lone log --oneline --graph HEAD FETCH_HEAD ; -C lone fsck ; -C lone fetch --deepen=1 ; -C lone log --oneline',
  'pull --unshallow ; log --oneline | cat ; rev-list --count HEAD',
  'pull --ff-only ; status -sb',
  '!git -C far -c user.name=A -c user.email=a@b commit -q --allow-empty -m beyond ; pull -q ; log --oneline ; !cat .git/shallow',
  '!git -C far -c user.name=A -c user.email=a@b commit -q --allow-empty -m beyond ; fetch ; log --oneline --all ; status -sb',
  'commit -q --allow-empty -m mine ; push origin HEAD:refs/heads/mine ; -C far log --oneline mine ; -C far fsck',
  'commit -q --allow-empty -m mine ; !git -C far checkout -q side ; push -q origin main ; -C far rev-list --count main',
  'push origin side:refs/heads/again ; -C far log --oneline again',
  'tag -a v3 -m three ; describe ; push -q origin v3 ; -C far tag',
  'bisect start HEAD HEAD~2 ; bisect log ; bisect reset',
  'worktree add -q other side ; -C other log --oneline ; worktree list',
  'notes add -m note HEAD~2 ; log --oneline --notes -1 HEAD~2 ; notes list',
  'replace --graft HEAD~1 HEAD~2 ; log --oneline --graph',
  'checkout -q -b fresh --track origin/side ; status -sb ; log --oneline @{u}',
  'switch -q --detach HEAD~1 ; status ; switch -',
  'branch -f side HEAD~1 ; log --oneline --graph --all',
]
