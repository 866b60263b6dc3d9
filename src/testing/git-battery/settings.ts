// Command lines with settings that change what a command does.

/** On `history`. */
export const readingSettings: readonly string[] = String.raw`
-c log.diffMerges=first-parent log -m -p --format=%s -3
-c log.diffMerges=combined log -m -p --format=%s -3
-c log.diffMerges=off log -m -p --format=%s -3
-c log.diffMerges=first-parent log --diff-merges=on -p --format=%s -3
-c log.diffMerges=dense log -1
-c log.diffMerges=bogus log -1
-c diff.wordRegex=. diff --word-diff HEAD~4 -- src
-c diff.orderFile=README.md -C src diff --name-only HEAD~3
-c diff.algorithm=bogus diff
-c status.showUntrackedFiles=bogus status
-c grep.lineNumber=true grep one
-c grep.column=true grep one
-c grep.fullName=true -C src grep return
-c grep.patternType=extended grep "one|two"
-c grep.patternType=fixed grep "re.urn"
-c grep.patternType=bogus grep one
-c grep.extendedRegexp=true grep "one|two"
-c grep.extendedRegexp=true -c grep.patternType=basic grep "one|two"
-c grep.lineNumber=true grep --no-line-number one
-c blame.showEmail=true blame HEAD -- src/code.js
-c blame.blankBoundary=true blame HEAD -- src/code.js
-c blame.date=relative blame HEAD -- src/code.js
-c blame.date=default blame HEAD -- src/code.js
`
  .trim()
  .split('\n')

const far = 'reset -q --hard ; !git clone -q --bare . .git/far.git ; remote set-url origin .git/far.git ; fetch -q'

/** On a copy of `history`. */
export const writingSettings: readonly string[] = [
  'reset -q --hard ; checkout -q v1.0 ; merge feature -m x',
  `${far} ; fetch --all`,
  `${far} ; fetch ; !cat .git/FETCH_HEAD > heads ; diff --no-index /dev/null heads`,
  `${far} ; fetch origin side ; !cat .git/FETCH_HEAD > heads ; diff --no-index /dev/null heads`,
  `${far} ; pull -q origin side --no-rebase ; !cat .git/FETCH_HEAD > heads ; diff --no-index /dev/null heads`,
  `${far} ; tag extra ; push -q origin extra ; tag -d extra ; -c remote.origin.tagOpt=--no-tags fetch ; tag`,
  `${far} ; !git -C .git/far.git branch -D side ; -c remote.origin.prune=true fetch ; branch -r`,
  `${far} ; !git -C .git/far.git branch -D side ; -c fetch.prune=true -c remote.origin.prune=false fetch ; branch -r`,
  `${far} ; !echo x >> README.md ; -c pull.rebase=true pull`,
  `${far} ; commit -q --allow-empty -m x ; -c remote.pushDefault=nosuch push`,
  `${far} ; commit -q --allow-empty -m x ; -c branch.main.pushRemote=nosuch push`,
  `${far} ; commit -q --allow-empty -m x ; -c remote.origin.push=refs/heads/main:refs/heads/other push ; branch -r`,
  `${far} ; commit -q --allow-empty -m x ; -c remote.origin.push=refs/heads/*:refs/heads/mine/* push ; branch -r`,
  `${far} ; commit -q --allow-empty -m x ; -c push.default=bogus push`,
  'reset -q --hard ; checkout -q -b x v1.0 ; !echo x > src/code.js ; commit -qam x ; !echo y > b ; add b ; commit -qm y ; rebase main ; status',
  'reset -q --hard ; checkout -q -b x v1.0 ; !echo x > src/code.js ; commit -qam x ; rebase main ; !echo z > src/code.js ; add . ; status ; -c advice.statusHints=false status',
  'reset -q --hard ; checkout -q -b x v1.0 ; !for i in 1 2 3 4; do echo $i > f$i; git add f$i; git commit -qm $i; done; echo x > src/code.js ; commit -qam x ; commit -q --allow-empty -m z ; rebase main ; status',
]
