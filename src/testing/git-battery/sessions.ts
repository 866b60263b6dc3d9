// What agents do in a session: series of commands about stopped picks, pulls, sparse work trees, nested repositories.

const clean = 'reset -q --hard'
const clash = `${clean} ; checkout -q -b c v1.0 ; !sed -i s/^5$/FIVE/ src/numbers.txt && git commit -qam c`
const aside = `${clean} ; !git checkout -q -b t v1.0; echo t > t; git add .; git commit -qm t`

/** On `history`. */
export const readingSessions: readonly string[] = String.raw`
log -3 --format='%w(30,2,4)%s%n%b'
log -3 --format='%w(12,1,3)%s - %an%n- %ae%n%n%n%b'
log --oneline --since="6am"
log --oneline --until="1pm"
log -i -G FIVE --oneline
log -i -S FIVE --oneline
diff HEAD:README.md notes.txt
diff HEAD:README.md
diff HEAD:README.md README.md notes.txt
diff HEAD:README.md HEAD:src/code.js
diff HEAD:README.md src
-C src diff HEAD:README.md code.js
diff --relative=src HEAD --summary
diff --relative=src HEAD~5 --stat --summary
shortlog -w30,2,4 HEAD
shortlog -w HEAD
check-ignore -z a.log
`
  .trim()
  .split('\n')

/** On a copy of `history`. */
export const writingSessions: readonly string[] = [
  `${clean} ; checkout -q -b nb ; rebase v1.0 ; log --oneline -6`,
  `${clean} ; !git checkout -q -b t v1.0; for i in 1 2 3; do echo $i > t$i; git add .; git commit -qm t$i; done ; rebase --root --onto main ; log --oneline -6 ; status -s`,
  `${aside} ; pull --ff-only . main ; -c pull.ff=only pull . main ; -c pull.ff=false pull -q --no-edit . main ; log --oneline -1`,
  `${clean} ; !git checkout -q -b t v1.0 ; -c pull.ff=false pull --no-edit . main ; log --format=%P -1`,
  `${clean} ; !git checkout -q -b t v1.0 ; -c pull.ff=only pull --no-ff --no-edit . main ; log --format=%P -1`,
  `${clean} ; revert --no-edit HEAD~3..HEAD~1 ; status ; revert --abort`,
  `${clean} ; revert --no-edit HEAD HEAD~1 HEAD~2 ; status -s ; log --oneline -2 ; revert --skip ; log --oneline -2`,
  `${clean} ; -c revert.reference=true revert --no-edit HEAD~2 ; log -1 --format=%B`,
  `${clean} ; revert --no-edit --reference -m 1 HEAD~1 ; log -1 --format=%B`,
  `${clean} ; merge FETCH_HEAD`,
  `${clash} ; merge --squash main ; status ; !cat .git/SQUASH_MSG > kept`,
  `${clash} ; cherry-pick -x -s main~3 main~2 ; !git checkout -q --theirs src/numbers.txt && git add . ; -c core.editor=true cherry-pick --continue ; log -3 --format=%B`,
  `${clash} ; cherry-pick -x --keep-redundant-commits --no-edit main~3 main~2 ; !cat .git/sequencer/opts > kept ; cherry-pick --skip ; log -3 --format=%B`,
  `${clean} ; !mkdir -p nest && git init -q nest && echo a > nest/a ; clean -nd ; clean -ffd -n ; clean -fd ; clean -ffd`,
  `${clean} ; !mkdir -p t2/n && git init -q t2/n && echo a > t2/n/a; echo a > t2/x ; clean -nd ; clean -fd ; status -s ; clean -ffd`,
  `${clean} ; tag -a t1 -m '# x' ; tag -a t2 -F README.md ; tag -l -n9`,
  `${clean} ; commit --only -m o --allow-empty ; log -1 --oneline`,
  `!git reset -q --hard && git sparse-checkout set --no-cone '/src/' ; status ; ls-files -t ; checkout feature ; status -s ; reset --hard HEAD~1 ; ls-files -t`,
  `!git reset -q --hard && git sparse-checkout set src ; status -s ; merge --no-edit side ; ls-files -t ; reset -q HEAD~1 ; ls-files -t ; status`,
  `${clean} ; stash clear extra ; branch -a one ; branch --contains HEAD -d feature ; branch`,
  `${clean} ; !git tag twice && git branch twice HEAD~1 ; branch from twice ; branch`,
  `${clean} ; !echo x >> README.md && git stash -q ; stash show -p stash@{0} -- ; stash show HEAD ; stash apply stash@{0}^ ; stash store -q nosuch`,
  `${clean} ; !mkdir nest && git init -q nest ; stash -u ; stash list ; !echo a > src/a && git init -q src ; stash -u ; status -s ; stash show --only-untracked`,
  `${aside} ; merge --edit main ; status -s ; merge --abort ; -c core.editor=true merge --edit main ; log -1 --format=%B`,
  `${clash} ; cherry-pick main~3 ; !git checkout -q --theirs src/numbers.txt && git add . ; -c core.editor=true cherry-pick --continue ; !cat .git/COMMIT_EDITMSG > kept`,
  `${clean} ; !echo x >> src/code.js && git add . ; -C src reset code.js ; reset ':(exclude)README.md' ; reset --pathspec-file-nul`,
  `${clean} ; !git checkout -q -b t v1.0; git mv README.md R; git commit -qm r; git checkout -q -b u v1.0; ln -sf src README.md; git add .; git commit -qm l ; merge --no-edit t ; ls-files -s ; merge --abort ; checkout -q t ; merge --no-edit u ; status -s`,
  `!git init -q un ; -C un bisect start ; -C un reset --keep`,
  `${clean} ; -c core.safecrlf=true -c core.autocrlf=true add notes.txt ; status -s`,
]

const topic =
  '!git reset -q --hard && git clean -fdq && git checkout -q -b t v1.0 && for i in 1 2 3; do echo $i > t$i; git add .; git commit -qm "t $i"; done; '
const unedited = '-c sequence.editor=: -c core.editor=true'

/** On a copy of `history`: steps of a rebase, and local changes around it. */
export const rebasedSessions: readonly string[] = [
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t2; git commit -qa --squash=:/t.2 -m more ; rebase --autosquash main ; log --oneline -6`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t2; git commit -qa --squash=:/t.2 -m more ; ${unedited} rebase -i main ; log --oneline -7 ; reflog -8`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t2; git commit -qa --squash=:/t.2 -m more ; ${unedited} rebase -i --autosquash main ; log --format=%h%n%B -6 ; reflog -10`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t2; git commit -qa --squash=:/t.2 -m more ; ${unedited} rebase -i --autosquash v1.0 ; log --format=%h%n%B -6 ; reflog -10 ; ${unedited} rebase -i --autosquash v1.0 ; reflog -3`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t1; git commit -qa --squash=:/t.1 -m more; echo z >> t1; git commit -qa --fixup=:/t.1 ; ${unedited} rebase -i --autosquash main ; log --format=%h%n%B -6 ; reflog -10`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t1; git commit -qa --squash=:/t.1 -m more; echo z >> t1; git commit -qa --fixup=:/t.1 ; ${unedited} -c rebase.autosquash=true rebase -i v1.0 ; log --format=%h%n%B -6 ; reflog -10`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t1; git commit -qa --squash=:/t.1 -m more; echo z >> t1; git commit -qa --fixup=:/t.1 ; ${unedited} -c rebase.autosquash=true rebase -i --no-autosquash v1.0 ; log --format=%h%n%B -6 ; reflog -10`,
  `${topic}echo x >> t1; git commit -qa --fixup=:/t.1; echo y >> t1; git commit -qa --fixup=HEAD; echo z >> t2; git commit -qam 'fixup! nosuch' ; ${unedited} rebase -i --autosquash main ; log --format=%h%n%B -6 ; reflog -10`,
  `${topic}echo zzz > README.md; git commit -qam clash; echo y >> README.md; git commit -qam 'fixup! clash' ; ${unedited} rebase -i --autosquash main ; status ; !echo ok > README.md && git add . ; ${unedited} rebase --continue ; log --oneline -4`,
  `${topic}echo zzz > README.md; git commit -qam clash; echo y >> t1; git commit -qam 'fixup! clash'; echo 9 > t9; git add .; git commit -qm t9 ; ${unedited} rebase -i --autosquash main ; status ; !echo ok > README.md && git add . ; ${unedited} rebase --continue ; log --oneline -4 ; reflog -6`,
  `${topic}echo zzz > README.md; git commit -qam clash; echo y >> t1; git commit -qam 'fixup! t 1' ; ${unedited} rebase -i --autosquash main ; rebase --abort ; status -s ; reflog -2`,
  `${topic}true ; ${unedited} rebase -i HEAD`,
  `${topic}true ; ${unedited} rebase -i HEAD~1 ; reflog -3`,
  `${topic}echo dirty >> README.md ; rebase --autostash main ; status -s ; stash list ; reflog -3`,
  `${topic}echo dirty >> README.md; git add README.md; rm t1 ; rebase --autostash main ; status -s ; stash list`,
  `${topic}echo dirty > link; git add link ; rebase --autostash main ; status -s ; stash list ; diff --stat`,
  `${topic}echo dirty >> README.md ; rebase --autostash v1.0 ; status -s ; stash list`,
  `${topic}echo dirty >> README.md ; -c rebase.autostash=true rebase main ; status -s`,
  `${topic}echo dirty >> README.md ; -c rebase.autostash=true rebase --no-autostash main ; status -s`,
  `${topic}echo 20 >> src/code.js ; rebase --autostash nosuch ; status -s ; stash list`,
  `${topic}git checkout -q -b u; echo u > link; git add .; git commit -qm u; echo dirty >> README.md ; rebase --autostash main ; status -s ; rebase --abort ; status -s ; stash list ; log --oneline -1`,
  `${topic}git checkout -q -b u; echo u > link; git add .; git commit -qm u; echo dirty >> README.md ; rebase --autostash main ; rebase --quit ; status -s ; stash list`,
  `${topic}git checkout -q -b u; echo u > link; git add .; git commit -qm u; echo dirty >> README.md ; rebase --autostash main ; rebase --skip ; status -s ; stash list`,
  `${topic}echo dirty >> README.md ; pull --rebase --autostash . main ; status -s ; log --oneline -2`,
  `${topic}echo dirty >> README.md ; pull --rebase . main ; status -s`,
  `${topic}echo dirty >> README.md ; -c rebase.autostash=true pull --rebase . main ; status -s`,
]

/** On `history`. */
export const readingTrailers: readonly string[] = String.raw`
annotate src/numbers.txt v1.0
annotate -e -l HEAD -- src/code.js
annotate --date=short HEAD -- src/code.js
blame -c HEAD -- src/code.js
blame -c -b HEAD -- src/code.js
blame -c -e -t HEAD -- src/code.js
-c blame.date=short annotate HEAD -- src/code.js
rev-list --header -1 HEAD
rev-list --header HEAD
rev-list --header --parents -3 main
rev-list --header --timestamp --left-right main...side
rev-list --header --oneline -2 HEAD
rev-list --header --count HEAD
interpret-trailers <<< ''
interpret-trailers <<< 'subject\n'
interpret-trailers <<< 'subject'
interpret-trailers <<< 'subject\n\nbody\n\n\n'
interpret-trailers <<< 'subject\n\nA: b\nC: d\n'
interpret-trailers --parse <<< 'subject\n\nA: b\n  more\nC: d\n'
interpret-trailers --only-trailers <<< 'subject\n\nA: b\n  more\nC: d\n'
interpret-trailers --only-trailers --unfold <<< 'subject\n\nA: b\n  more\nC: d\n'
interpret-trailers --only-input --only-trailers <<< 'subject\n\nA: b\nnot one\nSigned-off-by: x\n'
interpret-trailers --trailer 'A: x' <<< 'subject\n'
interpret-trailers --trailer 'A=x' --trailer 'B: y' <<< 'subject\n\nbody\n'
interpret-trailers --trailer 'A: b' <<< 'subject\n\nA: b\n'
interpret-trailers --trailer 'A: b' <<< 'subject\n\nA: b\nC: d\n'
interpret-trailers --if-exists addIfDifferent --trailer 'A: b' <<< 'subject\n\nA: b\nC: d\n'
interpret-trailers --if-exists doNothing --trailer 'A: z' <<< 'subject\n\nA: b\nC: d\n'
interpret-trailers --if-exists replace --trailer 'A: z' <<< 'subject\n\nA: b\nC: d\nA: e\n'
interpret-trailers --if-exists add --where start --trailer 'A: b' <<< 'subject\n\nA: b\nC: d\n'
interpret-trailers --where before --trailer 'C: z' <<< 'subject\n\nA: b\nC: d\nE: f\n'
interpret-trailers --where after --trailer 'A: z' <<< 'subject\n\nA: b\nC: d\nE: f\n'
interpret-trailers --where after --if-exists replace --trailer 'A: z' <<< 'subject\n\nA: b\nC: d\nA: f\n'
interpret-trailers --if-missing doNothing --trailer 'Z: z' <<< 'subject\n\nA: b\n'
interpret-trailers --trailer 'Z' <<< 'subject\n\nA: b\nE:\n'
interpret-trailers --trailer 'A: x' <<< 'subject\n\nbody\n---\n file | 1 +\n'
interpret-trailers --no-divider --trailer 'A: x' <<< 'subject\n\nbody\n---\n file | 1 +\n'
interpret-trailers --trailer 'A: x' <<< 'subject\n\nbody\n\n# comment\n# more\n'
interpret-trailers --trailer 'A: x' <<< 'subject\n\nA: b\n\n# comment\n# more\n'
interpret-trailers --trailer 'A: x' <<< ''
interpret-trailers --trailer 'A: x' <<< 'title\nsecond\n\nSigned-off-by: A\n(cherry picked from commit abc)\n'
interpret-trailers nosuch
interpret-trailers --in-place
interpret-trailers README.md
reflog exists HEAD
blame src/numbers.txt v1.0
blame src/numbers.txt nosuch
interpret-trailers --trailer 'A: x' <<< 'subject'
interpret-trailers --trailer 'A: x' <<< 'subject\n\nA: b'
interpret-trailers <<< 'subject\n\nA: b'
`
  .trim()
  .split('\n')

/** On a copy of `history`. */
export const loggedSessions: readonly string[] = [
  String.raw`!printf 'x\n\nA: b\n' > m ; interpret-trailers --in-place --trailer 'Co-authored-by: A <a@b>' m ; interpret-trailers --parse m`,
  String.raw`!git reset -q --hard ; reflog expire --expire=now --all ; reflog ; log -g stash`,
  String.raw`!git reset -q --hard ; reflog delete HEAD@{1} HEAD@{2} ; reflog`,
  String.raw`!git reset -q --hard ; reflog delete --rewrite main@{1} ; reflog main ; reflog delete --updateref HEAD@{0} main@{0} ; status -s`,
  String.raw`!git reset -q --hard HEAD~2 ; reflog expire --expire=never --expire-unreachable=now HEAD ; reflog expire --expire=never --expire-unreachable=now main ; reflog main ; reflog`,
  String.raw`!git reset -q --hard ; stash -u ; !echo x > q ; stash -u ; reflog delete --updateref --rewrite stash@{0} ; stash list`,
  String.raw`!git reset -q --hard HEAD~2 ; reflog expire --expire=now --expire-unreachable=now --all ; prune ; fsck ; count-objects`,
]
