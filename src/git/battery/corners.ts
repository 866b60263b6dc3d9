// Pathspecs that lead nowhere, ignore rules in rare forms, sides of conflicts, and the heuristic of indentation.

/** On `apart`. */
export const corners: readonly string[] = [
  `!ln -s deep l; ln -s nowhere broken; git init -q m; git -C m -c user.name=a -c user.email=b commit -q --allow-empty -m s; git add m 2>/dev/null; printf 'skip\n*.skip\n' > .git/info/exclude ; check-ignore l/x ; check-ignore broken/x ; check-ignore m/x ; check-ignore m/ ; check-ignore -v ':(icase)SKIP' ; check-ignore -v ':!skip' ; --literal-pathspecs check-ignore skip ; check-ignore -v :/skip ; -C sub check-ignore -v :/skip ../skip ; check-ignore ../x ; check-ignore --index skip ; -c core.ignoreCase=true check-ignore -v SKIP a.SKIP`,
  `!printf '*\n!*/\n!*.c\n!/sub\n' > .gitignore; git add -f .gitignore ; check-ignore -v -n one.c nodir nodir/ nodir/x sub sub/ sub/s.txt sub/new kept.txt ; check-ignore -v -n --no-index sub sub/ kept.txt ; check-ignore -v -n 'k*'`,
  String.raw`!printf '\357\273\277first\nsecond\n' > .gitignore ; check-ignore -v first second`,
  `!rm -r sub; echo f > sub; echo x > s2; mkdir -p d2/e; echo 1 > d2/a; echo 2 > d2/e/b; git add d2; rm -r d2; echo f > d2 ; restore sub d2 ; status -s`,
  `!echo u > u; git add -N u ; restore u ; restore --staged u ; status -s`,
  `!echo u > kept.txt; git update-index --skip-worktree kept.txt ; restore kept.txt ; restore . ; checkout kept.txt ; restore --ignore-skip-worktree-bits kept.txt ; status -s`,
  `!git checkout -q other; sed -i s/^18$/t/ kept.txt; git commit -qam t; git checkout -q main; git merge -q other || : ; restore --ours -s HEAD kept.txt ; status -s`,
  `!git checkout -q other; sed -i s/^18$/t/ kept.txt; git commit -qam t; git checkout -q main; git merge -q other || : ; restore -m --ours kept.txt ; restore --ours --ignore-unmerged kept.txt ; checkout -f --theirs -- kept.txt ; checkout -m --theirs kept.txt ; status -s`,
  `restore --pathspec-from-file=- --patch <<< 'kept.txt\n' ; checkout --pathspec-from-file=- --patch <<< 'kept.txt\n'`,
  String.raw`!printf '# c\n\n# c\nx = 1\n\n# c\ny = 1\n' > c.sh; git add c.sh; git commit -qm 1; printf '# c\n\n# c\nx = 1\n\n# c\nz = 1\n\n# c\ny = 1\n' > c.sh; git commit -qam 2 ; -c diff.indentHeuristic=false diff HEAD~1 ; -c diff.indentHeuristic=false diff --indent-heuristic HEAD~1 ; -c diff.indentHeuristic=false diff-tree -p HEAD~1 HEAD ; -c diff.indentHeuristic=false diff-index -p HEAD~1 ; diff-tree -p --no-indent-heuristic HEAD ; -c diff.indentHeuristic=false blame c.sh ; -c diff.indentHeuristic=false blame --indent-heuristic c.sh ; blame --no-indent-heuristic c.sh ; blame c.sh`,
  'blame -L0,2 kept.txt ; blame -L-1 kept.txt ; blame -L0 kept.txt ; blame -L2,+0 kept.txt ; blame ^HEAD~1 -- kept.txt ; blame HEAD ^HEAD~1 -- kept.txt ; blame ^HEAD -- kept.txt ; blame HEAD HEAD~1 -- kept.txt',
]
