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
  `${clean} ; -c core.safecrlf=true -c core.autocrlf=true add notes.txt ; status -s`,
]
