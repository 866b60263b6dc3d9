// Command lines for a repository of odd shapes: two roots, merges, odd names, CRLF, links, packed references and no logs.

/** Its files are edited, staged, renamed and removed. */
export const oddShapes: string = String.raw`
git init -q -b main .
git config user.name Coder && git config user.email coder@example.com
mkdir -p 'dir one/déjà/deep' src/lib test 'q"uote'
seq 1 60 > src/big.txt
printf 'class A {\n  foo() {\n    return 1;\n  }\n\n  bar() {\n    return 2;\n  }\n}\n' > src/a.js
printf 'def f(x):\n    return x\n\n\ndef g(y):\n    return y + 1\n' > src/m.py
printf 'caf\303\251\n' > 'dir one/déjà/café.txt'; printf 'q\n' > 'q"uote/x"y.txt'
printf 'one\r\ntwo\r\nthree\r\n' > crlf.txt; printf '*.txt text\n*.bin binary\n' > .gitattributes; git add .gitattributes
printf '#!/bin/sh\necho hi\n' > run.sh; chmod +x run.sh; printf 'a\0b\0c' > x.bin; ln -s src/a.js lnk; ln -s nowhere broken
printf 'TITLE\n' > README.md; printf 'lower\n' > src/lib/Util.ts
at 0; git add . 2>/dev/null; git commit -qm "Initial import"
sed -i 's/return 1/return 11/; s/bar()/baz()/' src/a.js; at 86400; git commit -qam "Rename bar to baz

Refs: #12
Signed-off-by: Coder <coder@example.com>"
git tag v0.1; git mv src/lib/Util.ts src/lib/util.ts; printf 'lower\nmore\n' > src/lib/util.ts; at 172800; git commit -qam "Move util and extend it"
chmod -x run.sh; at 200000; git commit -qam "Make run.sh a plain file"
git checkout -q --orphan other; git rm -rfq .; echo o > other.txt; git add .; at 210000; git commit -qm "Another root"
git checkout -q main; at 230000; git merge -q --allow-unrelated-histories -m "Merge the other root" other
git checkout -q -b topic main~1; sed -i 's/^30$/thirty/' src/big.txt; at 240000; git commit -qam "topic: thirty"
sed -i 's/return x/return x * 2/' src/m.py; at 250000; GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.org git commit -qam "topic: double"
git checkout -q main; sed -i 's/^45$/forty-five/' src/big.txt; at 260000; git commit -qam "main: forty-five"
at 270000; git merge -q --no-ff -m "Merge branch 'topic'" topic; git tag -a v1.0.0 -m "Release one

Notes."; at 280000; printf 'lower\nmore\nagain\n' > src/lib/util.ts; git commit -qam "Extend util again"; git tag light
git checkout -q -b wip HEAD~2; echo w > wip.txt; git add wip.txt; at 290000; git commit -qm "wip: start"; git checkout -q main
git pack-refs --all; git tag -a v1.1.0-rc1 -m rc; git reflog expire --expire=now --all
git config remote.origin.url https://example.com/o/r.git; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'; git update-ref refs/remotes/origin/main main~2; git config branch.main.remote origin; git config branch.main.merge refs/heads/main
sed -i 's/return 2/return 22/' src/a.js; git add src/a.js; printf '// end\n' >> src/a.js
echo u > 'new file.txt'; echo é > 'dir one/nouveau é.txt'; rm 'q"uote/x"y.txt'; chmod +x README.md; rm lnk; ln -s src/m.py lnk; git rm -q --cached x.bin; git mv crlf.txt 'crlf two.txt'
at 300000`

/** The same without edits. */
export const oddShapesClean: string = `${oddShapes}
git reset -q --hard; git clean -qfdx`

/** Two submodules, and one inside of one. */
export const submodules: string = String.raw`
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
mkdir -p .libs; (git init -q -b main .libs/inner && cd .libs/inner && git config user.name Coder && git config user.email coder@example.com && echo i > i && git add i && git commit -qm i)
(git init -q -b main .libs/lib && cd .libs/lib && git config user.name Coder && git config user.email coder@example.com && echo a > a && git add a && git commit -qm a && git tag -a v1 -m v1 && echo b > b && git add b && git commit -qm b && git submodule -q add ../inner in && git commit -qm in)
git init -q -b main .; git config user.name Coder; git config user.email coder@example.com; echo .libs > .git/info/exclude
echo x > x; git add x; git commit -qm x
git submodule -q add ./.libs/lib sub; git submodule -q add ./.libs/inner deep/mod; git commit -qm subs; git submodule -q update --init --recursive
git -C sub config user.name Coder; git -C sub config user.email coder@example.com
at 1000`

export const submoduleStates: readonly string[] = [
  'submodule',
  'submodule status --recursive',
  '!git -C sub commit -q --allow-empty -m n ; submodule status --recursive ; submodule status --cached ; -C deep submodule status ../sub ; status -s',
  '!rm -rf sub && mkdir sub ; submodule status',
  '!git -C sub checkout -q HEAD~1 ; submodule status sub',
  '!git submodule -q deinit -f sub ; submodule status ; submodule status nosuch',
  'submodule frob',
  '-C sub rev-parse --show-superproject-working-tree ; -C .libs rev-parse --show-superproject-working-tree',
  '-C .git rev-parse --is-bare-repository',
  '!git -C sub commit -q --allow-empty -m n && git add sub && git -C sub commit -q --allow-empty -m o ; -c status.submoduleSummary=true status ; -c status.submoduleSummary=1 status ; -c status.submoduleSummary=0 status ; -c status.submoduleSummary=true status --ignore-submodules ; -c status.submoduleSummary=true status --ignore-submodules=dirty ; -c status.submoduleSummary=true -c submodule.sub.ignore=all status ; -c core.commentChar=% -c status.submoduleSummary=true -c status.displayCommentPrefix=true status ; -c status.submoduleSummary=true commit --dry-run',
  '!git -C sub reset -q --hard HEAD~1 ; -c status.submoduleSummary=true status',
  '!git mv sub moved ; status ; status -s ; diff --cached --raw ; diff --cached --submodule ; -c status.submoduleSummary=true status',
  '!git rm -q -f sub && echo x > sub && git add sub ; status ; status --ignore-submodules ; diff --cached ; diff --cached --submodule',
  '!echo n > sub/new ; status ; status -s ; status --porcelain ; status --porcelain=v2 ; diff ; diff --ignore-submodules=none ; diff --submodule --ignore-submodules=none ; status -uno -s ; status -uno',
  '!echo m >> sub/a ; status ; status -s ; status --porcelain ; status --porcelain=v2 ; diff ; diff --raw ; diff --stat ; diff --numstat ; diff --shortstat ; diff --name-status ; diff --submodule ; diff HEAD ; diff HEAD --submodule=log ; diff --quiet ; diff-files ; diff-files -p ; diff-index HEAD ; diff-index -p HEAD',
  '!echo m >> sub/a; echo n > sub/new ; status --ignore-submodules ; status -s --ignore-submodules=dirty ; status -s --ignore-submodules=untracked ; status --ignore-submodules=none -uno -s ; status -s --ignore-submodules=bogus ; diff --ignore-submodules ; diff --ignore-submodules=dirty ; diff --ignore-submodules=untracked ; diff --ignore-submodules=none',
  '!echo m >> sub/a; echo n > sub/new ; -c diff.ignoreSubmodules=dirty status -s ; -c diff.ignoreSubmodules=untracked status ; -c diff.ignoreSubmodules=all status -s ; -c diff.ignoreSubmodules=dirty diff ; -c diff.ignoreSubmodules=none diff ; -c submodule.sub.ignore=dirty status -s ; -c submodule.sub.ignore=all status -s ; -c submodule.sub.ignore=all diff ; -c submodule.sub.ignore=untracked status -s ; -c submodule.sub.ignore=dirty status -s --ignore-submodules=none',
  '!git -C sub commit -q --allow-empty -m n && git add sub && echo f > f && git add f && git commit -qm bump && git -C sub commit -q --allow-empty -m o && git config submodule.sub.ignore all ; diff --stat HEAD~ HEAD ; diff --name-only HEAD~ ; diff ; diff --cached --raw HEAD~ ; log --raw --format=%s ; log -p -1 --submodule=log ; show --stat ; diff-tree HEAD ; diff-tree -p HEAD~ HEAD ; diff-index HEAD~ ; diff-files ; format-patch --stdout -1 ; diff -R --name-status HEAD~ HEAD ; log --name-only --format=%s -- sub ; diff --ignore-submodules=none --name-only HEAD~ HEAD ; diff --ignore-submodules=dirty --submodule HEAD~ ; -c diff.ignoreSubmodules=none diff --raw HEAD~ HEAD ; diff --quiet HEAD~ HEAD -- sub ; -c diff.submodule=diff diff --stat HEAD~',
  '!git -C sub commit -q --allow-empty -m n && git config -f .gitmodules submodule.sub.ignore all && git add -f sub ; diff --cached ; diff HEAD ; status -s ; commit -m bump ; show --format=%s ; -c submodule.sub.ignore=none show --format=%s --raw ; -c diff.ignoreSubmodules=all -c submodule.sub.ignore=dirty show --format=%s --raw ; cherry-pick --no-commit HEAD ; revert --no-edit HEAD',
  '!git rm -q --cached sub && rm -rf sub && echo f > sub && git add sub && git config submodule.sub.ignore all ; diff HEAD --name-status ; diff --cached --ignore-submodules ; status -s',
  '!echo m >> sub/a; echo n > sub/new; git config -f .gitmodules submodule.sub.ignore dirty ; status -s ; diff --name-only ; -c submodule.sub.ignore=none status -s',
  '!cd sub; echo k > k; git add k; git commit -qm one; git commit -q --allow-empty -m two; echo q >> b ; status ; status -s ; status --porcelain=v2 ; diff ; diff --submodule ; diff --submodule=short ; -c diff.submodule=log diff ; diff --raw ; add sub ; status ; status -s ; status --porcelain=v2 ; diff --cached ; diff --cached --submodule ; commit -m bump ; show --submodule ; log -p -1 --submodule=log ; log --oneline -p --submodule=log -- sub ; diff HEAD~1 --submodule',
  '!git -C sub checkout -q HEAD~1 ; status -s ; diff --submodule ; diff ; add . ; commit -qm back ; show --submodule --format=%s',
  '!cd sub; git checkout -q -b other HEAD~1; git commit -q --allow-empty -m side ; diff --submodule ; diff --stat --submodule ; diff --submodule --name-only',
  '!echo n > sub/in/new ; status -s ; status --porcelain=v2 ; status ; diff',
  '!echo n >> sub/in/i ; status -s ; status --porcelain=v2 ; status ; diff',
  '!git -C sub/in -c user.name=A -c user.email=a@b commit -q --allow-empty -m x ; status -s ; status --porcelain=v2 ; status ; diff --submodule',
  '!git -C sub add -A; echo z > sub/z; git -C sub add z ; status -s ; commit -am x ; commit -m y ; status --porcelain=v2',
  '!git -C sub rm -q b ; status -s ; add -A ; status -s ; diff --cached ; stash ; status -s',
  '!git rm -q --cached deep/mod ; status -s ; diff --cached --submodule',
  '!rm -rf sub; mkdir sub ; status -s ; diff --submodule',
  'log -p --submodule --format=%s',
  'show HEAD --submodule=log --format=',
  'diff HEAD~1 --submodule',
  '!echo m >> sub/a; echo n > deep/mod/n ; -C deep status -s ; -C deep status ; status -s sub ; status --porcelain=v2 -z ; diff --dirstat ; diff --check ; checkout . ; status -s ; reset --hard ; status -s',
  '!echo m >> sub/a ; describe --always --dirty ; diff -R ; diff --word-diff ; diff --exit-code ; commit --dry-run -a ; commit -a --short ; commit -a --porcelain',
  '!echo m >> sub/a ; status -v ; -c status.submoduleSummary=false status',
]

export const readingOddShapes: readonly string[] = [
  'status',
  'status -sb',
  'status --porcelain=v2 -z -b',
  "status -s ':(exclude)src'",
  '-C src status -s',
  'diff --stat HEAD~4',
  'diff --stat=40,10 HEAD~4',
  'diff --word-diff',
  "diff HEAD --stat -- ':!*.js'",
  'diff --cached -C -C --name-status',
  'diff-files -q',
  'log --oneline --graph --all',
  'log --graph --all --date-order --oneline',
  'log --raw --no-abbrev -2',
  'log --follow -M90 --oneline -- src/lib/util.ts',
  'log --boundary main...wip --oneline',
  'log --simplify-merges --oneline -- src/big.txt',
  "log --format='%(trailers:key=Signed-off-by,valueonly,separator=%x2C)|%s' --grep=Refs",
  'log -c -1 --merges',
  'log --cc -2 --merges',
  'log HEAD@{0} --oneline -1',
  'show -s --format=%B v1.0.0',
  'show HEAD -- src/a.js',
  'show HEAD~1 -- src/big.txt',
  'show --patch-with-stat --format=%h',
  'describe --broken',
  "tag --sort=-taggerdate --format='%(refname:short) %(taggerdate:short)'",
  "for-each-ref --format='%(subject:sanitize) %(contents:size)' refs/tags",
  "for-each-ref --format='%(push:remotename) %(upstream:remoteref) %(upstream:track)' refs/heads",
  "for-each-ref --format='%(tree:short) %(parent:short)' refs/heads",
  "for-each-ref --format='%(*objectname) %(*refname)' refs/tags",
  'for-each-ref --sort=refname --sort=-objecttype',
  'for-each-ref --sort=authordate refs/heads',
  'rev-list --max-count=3 --pretty=oneline HEAD',
  'rev-list --oneline -2 HEAD',
  'rev-list --ancestry-path=topic main',
  'ls-files --others --exclude-standard --directory',
  'ls-files -o --directory --no-empty-directory',
  'ls-files --error-unmatch README.md nosuch',
  "grep -o 'ret[a-z]*'",
  'config badkey',
]

export const writingOddShapes: readonly string[] = [
  'reset ; status -s',
  'reset HEAD~1 -- src/lib ; status -s',
  'commit -m x --author=Ann ; log -1',
  'commit -m x --author=nobody',
  'config badkey x',
  'read-tree -m HEAD~1 HEAD ; status -s',
  'add -A ; status -s ; commit -qm x ; show --stat --summary',
  'stash ; status -s ; stash pop ; status -s',
]

export const writingOddShapesClean: readonly string[] = [
  'merge -s ours wip ; show --stat',
  'cherry-pick -n wip ; status -s ; commit -m picked',
  'rebase -f HEAD~1',
  '!rm lnk && mkdir lnk && touch lnk/f ; status -s ; add -A ; status -s',
  '!cp src/big.txt src/copy.txt ; add -A ; diff --cached -C --stat ; diff --cached -C -C --name-status',
  'commit --allow-empty --allow-empty-message -m "" ; log -1 ; log -2',
  'checkout -q v0.1 ; !echo x > src/a.js ; commit -qam x ; merge main ; reset --keep HEAD ; switch -c here ; status',
  '!echo x > src/a.js ; commit -qam x ; cherry-pick v0.1 ; commit -m part -- src/m.py',
  'revert --no-commit HEAD ; merge --ff-only main ; !ls .git',
  'checkout -q v0.1 ; !echo x > src/a.js ; commit -qam x ; merge main ; checkout -q -b here ; checkout -b here HEAD ; checkout -B here ; checkout -b here',
]
