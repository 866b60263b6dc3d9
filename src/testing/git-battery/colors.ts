// Command lines that write colors, by an option or by the configuration. A row is a command line.

const settings = [
  'status',
  'status -s',
  'status -sb',
  'status --porcelain',
  'status --ignored',
  'status -v',
  'diff',
  'diff --stat',
  'diff --cached',
  'diff HEAD --no-color',
  'diff -w HEAD~2',
  'log',
  'log --oneline --decorate',
  'log -p',
  'log --graph --all',
  'log --graph --oneline --all --decorate',
  'log --graph -p --all',
  'log --oneline --graph --boundary main...feature',
  'log --decorate=full -3',
  'log --format="%C(auto)%h%d %s" --all',
  'log --format="%Cred%h%Creset %C(bold blue)%<(20)%an%C(reset)|%D"',
  'log --format="%C(auto,red)%h%C(auto) %h%C(green)%h" -2',
  'log --format="%C(yellow)%>|(20)%h %C(auto)%d" --all',
  'log -g --oneline',
  'log --source --all --oneline',
  'show',
  'show --stat',
  'show --cc main',
  'show -m -p HEAD',
  'show v1.0',
  'branch',
  'branch -a',
  'branch -avv',
  'branch -v',
  'grep -n e',
  'grep -c e',
  'grep -l e',
  'grep -C1 -n e',
  'grep --heading --break e',
  'stash list',
  'tag',
  'shortlog -s HEAD',
  'diff-tree -p HEAD',
  'diff --word-diff HEAD~1',
  'diff --word-diff=porcelain HEAD~1',
  'commit --dry-run',
] as const

/** On `history`; none changes anything. */
export const readingColors: readonly string[] = [
  ...settings.map(line => `-c color.ui=always ${line}`),
  ...String.raw`
log --oneline --color -3
log --oneline --color=always --no-color -3
log --color=never -3
log --color=sometimes -3
diff --color HEAD~1
diff --color=auto HEAD~1
diff --color-words HEAD~1
diff --color-words=. HEAD~1
diff --word-diff=color HEAD~2
diff --word-diff --color HEAD~2
diff --color --ws-error-highlight=all HEAD~2
diff --color --ws-error-highlight=none HEAD~2
diff --color --ws-error-highlight=old,context HEAD~2
diff --color --check HEAD~2
diff --color --stat --summary HEAD~2
diff --color --output-indicator-new=: HEAD~1
diff --color -W HEAD~1
diff-tree --color -p HEAD
diff-index --color -p HEAD~1
-c color.ui=sometimes status
-c color.ui=true log -1
-c color.ui=auto diff
-c color.ui=always -c color.diff=false diff
-c color.ui=always -c color.status=never status
-c color.diff=always -c color.diff.meta=blue -c color.diff.new="bold ul 12" diff HEAD~1
-c color.diff=always -c color.diff.old=#ff8800 -c color.diff.frag=reverse -c color.diff.func=magenta diff HEAD~1
-c color.diff=always -c color.diff.context=dim -c color.diff.whitespace=normal diff HEAD~1
-c color.diff=always -c color.diff.plain=200 diff HEAD~1
-c color.diff=always -c color.diff.new=nosuch diff HEAD~1
-c color.status=always -c color.status.changed=yellow -c color.status.branch=cyan status
-c color.status=always -c color.status.updated=yellow status -s
-c color.branch=always -c color.branch.current=reverse -c color.branch.local=blue branch -a
-c color.decorate.branch=blue log --color --decorate --oneline --all
-c log.graphColors=red,blue log --color --graph --oneline --all
branch --color
branch --color=always -r
branch --color=sometimes
branch --color --format='%(color:red)%(refname:short)%(color:reset) %(color:bold blue)%(objectname:short)'
branch --format='%(color:red)%(refname:short)'
for-each-ref --color=always --format='%(color:green)%(refname)'
for-each-ref --color=always --format='%(color:nosuch)%(refname)'
tag --color=always --format='%(color:yellow)%(refname:short)'
grep --color e
grep --color=always -n --column e
grep --color -o e
grep --color -i -w E
grep --color -v e
grep --color -c e
-c color.grep.match=blue -c color.grep.filename=red grep --color -n e
log --format='%C(always,red)x%C(always,reset)' -1
log --format='%C(nosuch)x' --color -1
log --format='%Cyellow%h' --color -1
log --format='%C(reset bold)%C(no-bold)%C(ul red blue)%C(12)%C(200)%C(#ff00aa)%C(default)%C(normal)%C(brightred)x' --color -1
log --format='%<(5,trunc)%C(auto)%H|' --color -2
log --format='%C(red)%w(20,1,2)%s %an %ae' --color -3
`.split('\n'),
]
  .map(line => line.trim())
  .filter(line => line !== '')

/** On `conflict`. */
export const readingConflictColors: readonly string[] = [
  '-c color.ui=always status',
  '-c color.ui=always status -s',
  '-c color.ui=always diff',
  'diff --color --ours',
  '-c color.ui=always diff --cached',
]
