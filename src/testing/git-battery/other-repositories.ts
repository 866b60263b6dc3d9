// Repositories of the same filesystem as remotes, and files that belong to no repository.

const inner = 'git -C inner -c user.name=A -c user.email=a@b commit -q --allow-empty -m'
const submodule = `reset -q --hard ; !git init -q inner && ${inner} one && git -c advice.addEmbeddedRepo=false add inner ; commit -qm inner ; !${inner} two`

/** On `history`. */
export const otherRepositories: readonly string[] = [
  `${submodule} ; status ; status -s ; status --porcelain=v2 ; status --ignore-submodules -s`,
  `${submodule} ; diff ; diff --stat HEAD ; diff --raw ; ls-files -m ; describe --dirty --always`,
  `${submodule} ; add -n inner ; add . ; diff --cached --raw ; status --porcelain=v2`,
  `${submodule} ; commit -qam moved ; status -s ; log --raw -1 --format=%s`,
  'clone . copy ; -C copy log --oneline --all --decorate ; -C copy status -sb ; -C copy remote -v ; -C copy branch -avv',
  'clone -q -b feature . copy ; -C copy branch -a ; -C copy config --get-regexp branch',
  'clone -q -n . copy ; -C copy status -s',
  'clone -q --bare . copy.git ; -C copy.git for-each-ref ; -C copy.git symbolic-ref HEAD ; -C copy.git config --get-regexp remote',
  'clone -q --mirror . copy.git ; -C copy.git for-each-ref ; -C copy.git config --get-regexp remote',
  'clone -q -c user.name=Else . copy ; -C copy config user.name',
  'clone -q --single-branch -b side . copy ; -C copy branch -a ; -C copy tag',
  'clone nosuch',
  'clone . src',
  'init -q --bare far.git ; remote add far ./far.git ; push far main ; push -q -u far feature ; commit --allow-empty -qm next ; push far main ; branch -avv',
  'init -q --bare far.git ; push far.git HEAD ; push ./far.git HEAD:refs/heads/new --tags ; -C far.git for-each-ref ; push --porcelain far.git :new',
  'push . HEAD:refs/heads/other ; push . main:side ; push . +HEAD~1:feature ; push . :old ; push . HEAD~1:main',
  'push . nosuch',
  '!mkdir feature && echo f > feature/f && git stash -q ; checkout feature',
  '!mkdir old ; reset old',
  'reset --hard README.md',
  'push nosuch main',
  'fetch nosuch',
  'fetch . side:copied ; log --oneline -1 copied ; fetch . +HEAD~1:copied ; log --oneline -1 copied',
  'stash -q ; pull --no-rebase . side',
  'stash -q ; pull -q --no-rebase . feature ; log -1 --format=%B',
  'pull . nosuch',
  'ls-remote .',
  "ls-remote --heads . 'f*'",
  'clone -q . copy ; branch -D old ; -C copy fetch -q --prune ; -C copy branch -a',
  'init -q -b trunk empty ; clone -q empty copy ; -C copy status',
  "!printf 'Proper Coder <proper@example.com> <coder@example.com>\\n' > .mailmap ; log --author=proper --oneline ; log --no-mailmap --author=proper --oneline ; blame HEAD -- README.md ; blame -p -L1,1 HEAD -- README.md",
]

/** On `history`, of which nothing is changed. */
export const looseFiles: readonly string[] = [
  'diff --no-index src tmp',
  'diff --no-index --stat src tmp',
  'diff --no-index --numstat README.md notes.txt',
  'diff --no-index --name-status src tmp',
  'diff --no-index -U0 README.md notes.txt',
  'diff --no-index -R --word-diff README.md notes.txt',
  'diff --no-index --shortstat README.md src',
  'diff --no-index --quiet README.md notes.txt',
  'diff --no-index README.md nosuch',
  'diff --no-index --diff-filter=A --summary src tmp',
  'log --textconv -1 -p',
  'log --show-signature -1',
  'log --no-walk --do-walk -2 --oneline',
  'show --do-walk -s --format=%h',
  'log --sparse --dense --oneline -- README.md',
]

const inPlaceOfDirectory = [
  '!mkdir apart && mv sub/s.txt apart && rmdir sub && ln -s apart sub',
  '!mkdir apart && echo else > apart/s.txt && rm -r sub && ln -s apart sub',
  '!mkdir apart && rm -r sub && ln -s apart sub',
  '!rm -r sub && echo file > sub',
]
const joining = [
  'merge --no-edit other',
  'merge -s ours --no-edit other',
  'checkout other',
  'cherry-pick other',
  'rebase other',
  'reset --keep other',
]

/** On `apart`: something else stands where a directory with tracked files was. */
export const replacedDirectories: readonly string[] = joining.flatMap(command =>
  // Git throws the file away when such a merge fails; here it stays.
  inPlaceOfDirectory
    .filter(edit => !(edit.includes('file') && command.startsWith('merge')))
    .map(edit => `checkout -q other ; !echo more >> sub/s.txt ; commit -qam sub ; checkout -q main ; ${edit} ; ${command}`),
)
