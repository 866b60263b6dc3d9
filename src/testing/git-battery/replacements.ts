// Objects that stand in for others, and the commands that read through them.

const replaced = 'stash -q ; replace HEAD~1 HEAD~3'
const graft = 'stash -q ; replace --graft HEAD~1 v1.0'

/** On `history`. */
export const replacements: readonly string[] = [
  `${replaced} ; log --oneline --decorate ; log -3 --stat ; show -s HEAD~1 ; rev-parse HEAD~1^{tree} HEAD~2 ; cat-file -p HEAD~1 ; ls-tree HEAD~1`,
  `${replaced} ; --no-replace-objects log --oneline ; diff HEAD~1 --stat ; rev-list --count HEAD ; blame README.md ; fsck`,
  `${replaced} ; -c core.useReplaceRefs=false log --oneline --decorate ; name-rev HEAD~1 ; describe HEAD~1 ; merge-base HEAD side`,
  `${replaced} ; for-each-ref ; show-ref ; pack-refs --all ; log --oneline ; replace -d HEAD~1 ; log --oneline ; replace`,
  `${replaced} ; clone -q . copy ; -C copy log --oneline ; push . HEAD:refs/heads/new ; log --oneline --all`,
  `${replaced} ; cat-file --batch-all-objects --batch-check ; count-objects ; prune -n ; reset -q --hard HEAD~1 ; status`,
  `${replaced} ; checkout -q HEAD~1 ; log --oneline -2 ; commit --allow-empty -qm on ; log --oneline -3 ; rev-parse HEAD`,
  `${replaced} ; replace HEAD~1 HEAD~3 ; replace -f HEAD~1 side ; replace -l ; replace --format=medium ; replace --format=long ; replace --format=odd`,
  `${graft} ; log --oneline --graph ; log --oneline --no-decorate --all ; replace --graft HEAD~1 v1.0 ; replace -f --graft HEAD~1 side v1.0 ; log --graph --oneline`,
  `${graft} ; shortlog -s HEAD ; rev-list --parents HEAD ; merge side ; log --oneline --graph -5`,
  `${graft} ; rebase -q HEAD~1 ; log --oneline ; cherry-pick side ; log --oneline -3 --stat`,
  'replace --graft HEAD~1 HEAD~2',
  'replace --graft HEAD HEAD~1',
  'replace --graft nosuch',
  'replace --graft HEAD^{tree}',
  'replace --graft HEAD HEAD^{tree}',
  'replace --graft v2.0 ; log --oneline -3 v2.0',
  'replace HEAD:README.md HEAD:src/code.js ; show HEAD:README.md ; diff --stat HEAD ; status -s ; grep -n return HEAD -- README.md',
  'replace HEAD^{tree} v1.0^{tree} ; ls-tree -r HEAD ; diff --stat HEAD v1.0 ; status -s ; write-tree',
  'replace v2.0 HEAD ; replace HEAD README.md ; replace HEAD HEAD:README.md ; replace -f HEAD HEAD:README.md ; log -1',
  'replace HEAD~1 HEAD ; replace HEAD HEAD~1 ; log -1',
  'replace nosuch HEAD',
  'replace HEAD',
  'replace -l a b',
  'replace -d',
  'replace -d HEAD nosuch',
  'replace -f -l',
  'replace --format=short HEAD HEAD~1',
  "replace HEAD~1 side ; replace HEAD~2 side ; replace -l '5*' ; replace -l '*' ; replace '0*'",
  '!mkdir -p .git/info && echo "$(git rev-parse HEAD~1) $(git rev-parse v1.0)" > .git/info/grafts ; replace --convert-graft-file ; log --oneline ; replace --format=medium',
  'remote add -m main far ../far ; remote add -m main -t main near . ; symbolic-ref refs/remotes/far/HEAD ; !test ! -e .git/logs/refs/remotes/far/HEAD',
  '-c core.logAllRefUpdates=false checkout -q -b unlogged ; rev-parse --verify unlogged@{0}',
  'stash -q ; checkout -q @{u} ; status',
  '!mkdir -p .git/info && echo "# none" > .git/info/grafts ; log --oneline -1 ; replace --convert-graft-file ; replace --convert-graft-file',
]
