// How `log` shows, finds and compares commits: placeholders, decorations, dates, patterns and encodings.

/** On `history`. */
export const prettyForms: readonly string[] = String.raw`
log --format='%GF|%GP|%GT|%GK' -2
log -g --format='%gN|%gE|%gn' -3
log --format='%an   %>>|(8)%h|%>>(2,ltrunc)%h|%>>(30)%s|' -3
log --format='%<(5)%<(3)%h|%<(-3)%h|%<|(-60)%h|'
log --format='%w(0,2,4)%b%w()%s'
-c pretty.one=two -c pretty.two=format:%s log --format=one -2
-c pretty.one=one log --format=one -2
-c pretty.shorter=%h log --format=Shorte -2
log --encode-email-headers --format=email -2
log --show-notes=none --oneline -1
log -2 --date=auto:iso --format=%ad
-c log.date=auto:relative log -1 --format=%ad
log --graph --oneline --cherry-mark HEAD...side
log --decorate=bogus -1
-c log.initialDecorationSet=all log --oneline --decorate
log --oneline --decorate --decorate-refs-exclude=refs/tags/*
-c log.excludeDecoration=refs/tags/* log --oneline --decorate --decorate-refs=refs/tags/v1.0
log --oneline --decorate --decorate-refs=refs/tags/v1.0 --clear-decorations
-c grep.patternType=extended log --oneline --grep='fix|feat'
-c grep.extendedRegexp=true log --oneline --grep='fix|feat'
-c grep.patternType=extended log --oneline -F --grep='fix|feat'
log --grep-reflog=x
log -g -E --grep-reflog='commit|merge' --oneline
log -g --reverse
log --encoding=latin1 --author=Other --format=%an%n%B
-c i18n.logOutputEncoding=iso-8859-2 log -1
log -G[ --oneline
log -Sx -Gy --oneline
log -Smore -m --oneline
log -Gx --oneline -- data.bin
log -Gx --text --oneline -- data.bin
log --diff-filter=Q
log --no-walk=bogus
log --no-walk --oneline HEAD~2..HEAD
log --oneline HEAD~1^-2
log --oneline HEAD~1^-1
log --skip=x --oneline -2
log --oneline --stdin <<< 'HEAD\n--\nsrc\n'
log --oneline --stdin <<< '--not\nHEAD\n'
rev-list --count --stdin <<< 'HEAD\n--\nsrc\n'
shortlog <<< 'Author: A <a@x>\n\n    [PATCH 1/2] One\n'
shortlog --group=trailer:x <<< 'Author: A <a@x>\n\n    One\n'
shortlog --group=author --group=committer <<< 'Author: A <a@x>\n\n    One\n'
shortlog -w30,2,4
log --format='%<(0)%h|%<(20,bogus)%h|%<( 9 )%h|%<(10)%n|%+%h|%-q%+q% q|%+<(9)%h' -2
log --format='%(trailers:keyonly,valueonly)|' -3
log --no-abbrev --format='%h %t %p' -2
log --color=always --format='%C(auto)%D|' -2
rev-list --pretty -2 HEAD
log --oneline --left-right -3
log --left-only --right-only main...side
log --cherry-mark --cherry-pick main...side
log --oneline --ancestry-path
log --oneline --ignore-missing nosuch
log -Sx --find-object=HEAD --oneline
log -Gx --pickaxe-regex --oneline
log --stat-graph-width=3 --oneline -2
-c pretty.al=tformat:%h rev-list --pretty=al -2 HEAD
`
  .trim()
  .split('\n')

/** On `apart`: stats of files that were touched, and messages with several lines or in another encoding. */
export const touchedFiles: readonly string[] = [
  'update-index -q --refresh ; !touch -d 2020-01-01 kept.txt ; diff-files ; diff-files -p --stat ; diff-files --quiet ; diff-index HEAD ; diff-index --quiet HEAD ; add --refresh kept.txt ; diff-files ; diff-index HEAD',
  'update-index -q --refresh ; !touch -d 2020-01-01 kept.txt ; commit -q --allow-empty -m x ; diff-files',
  'update-index -q --refresh ; !touch -d 2020-01-01 kept.txt ; checkout -q main ; diff-files',
  'update-index -q --refresh ; !touch -d 2020-01-01 kept.txt ; reset --soft HEAD ; diff-files ; reset -q ; diff-files',
  'update-index -q --refresh ; !touch -d 2020-01-01 kept.txt ; checkout -b here ; diff-files ; switch -c there ; diff-files ; checkout -q here ; diff-files',
  'update-index -q --refresh ; rm -q --cached kept.txt ; reset --no-refresh ; diff-files ; diff-index HEAD ; reset ; diff-files',
  '!ln kept.txt other.txt; echo changed > kept.txt ; checkout -q -- kept.txt ; !cat kept.txt other.txt ; status -s',
  'read-tree HEAD ; diff-index HEAD -- kept.txt ; add --refresh kept.txt ; diff-index HEAD',
  `!printf '  One   two\\nthree\\n\\nbody  \\n' | git commit-tree HEAD: -p HEAD > .git/new; git reset -q --soft $(cat .git/new) ; log -1 ; log -1 --pretty=short ; log -1 --format=%f|%s ; shortlog -w20,1,2 -1`,
  String.raw`!printf 'm\374\n' > .git/m; git -c i18n.commitEncoding=latin1 -c user.name="$(printf 'Z\353')" commit -q --allow-empty -F .git/m ; log -1 ; log -1 --format=%an|%s|%e --encoding=latin1 ; -c i18n.logOutputEncoding=latin1 reset --hard`,
  '!printf "Proper <p@x> <coder@example.com>\\n" > .mailmap ; log -1 --format=email ; log --no-mailmap -1 --format=email',
  '!git commit -q --allow-empty -m "zweiter Übertrag 日本語のテキスト"; git commit -q --allow-empty --allow-empty-message -m "" ; log --format="%<(10,trunc)%s|%<(10,ltrunc)%s|%<(11,mtrunc)%s|%<(1,trunc)%s|%<(40)%s|%>(40)%s|%><(41)%s|日本%<|(30)%h|" -2 ; rev-list --format=%s -2 HEAD ; log --format=email -1 ; shortlog -2',
  'update-ref refs/bisect/bad HEAD ; log --oneline --decorate -1 ; log --oneline --decorate --clear-decorations -1',
  'notes add -m "needle here" ; log --grep=needle --oneline ; log --grep=needle -s ; log --grep=needle --notes --oneline',
  '!git checkout -q -b one; chmod +x kept.txt; git commit -qam one; git checkout -q main; git merge -q --no-ff --no-commit one; echo z >> sub/s.txt; chmod -x kept.txt; git commit -qam evil ; show -c --format=%s ; show --format=%s',
]
