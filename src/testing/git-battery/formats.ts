// Formats that show trailers and descriptions, and combined patterns of grep. A row is a command line, or several after ` ; `.

/** On `history`; none changes anything. */
export const readingFormats: readonly string[] = String.raw`
log --format='%h %(describe)' --all
log --format='%h %(describe:tags)' --all
log --format='%h %(describe:tags=true,abbrev=10)' --all
log --format='%h %(describe:tags=false)' -3
log --format='%h %(describe:match=v1*,tags)' -5
log --format='%h %(describe:exclude=v2*,tags=yes)' -5
log --format='%h %(describe:nosuch)' -2
log --format='%h%+(describe:tags,abbrev=0)' -5
log --format='%(trailers)' -3
grep -e function --and -e two
grep -e function --and --not -e two
grep -n -e one --or -e two
grep --not -e e -- src/code.js
grep -e return --and ( -e 1 -e 22 )
grep ( -e return -e function ) --and -e two
grep -e five --and -e seventy
grep --all-match -e Title -e more
grep --all-match -e Title -e nosuch
grep -l --all-match -e function -e return
grep -c -e function --or -e return
grep -v -e function --and -e two -- src/code.js
grep -e a --and
grep --and -e a
grep --not
grep ( -e a
grep -e a )
grep -o -e function -e one
grep -o -n -e return -e 2 --or -e e
grep --column -n -e two -e function
grep -C1 two
grep -C1 -n e
grep -A1 --break e
grep -A1 --heading e
grep -f nosuch.txt
grep -f - <<< 'function\nreturn'
grep -n -f - -e Title <<< 'two'
`
  .split('\n')
  .map(line => line.trim())
  .filter(line => line !== '')

const message = String.raw`Subject\n\nBody: not a trailer\nmore of it\n\nSigned-off-by: A <a@example.com>\nReviewed-by: B <b@example.com>\n and more\nIssue: 12\nsigned-off-by: C <c@example.com>\n`
const mixed = String.raw`Subject\n\nSigned-off-by: A <a@example.com>\nplain line\nanother\n`
const commit = (text: string): string => `commit -q --allow-empty -F - <<< '${text}'`

/** On `history`. */
export const writingFormats: readonly string[] = [
  '%(trailers)',
  '%(trailers:only)',
  '%(trailers:only=no)',
  '%(trailers:unfold)',
  '%(trailers:only,unfold)',
  '%(trailers:key=Signed-off-by)',
  '%(trailers:key=signed-off-by:,valueonly)',
  '%(trailers:key=Signed-off-by,key=Issue)',
  '%(trailers:key=Issue,only=no)',
  '%(trailers:keyonly)',
  '%(trailers:valueonly,separator=%x2C )',
  '%(trailers:separator=%x00,unfold)',
  '%(trailers:key=Reviewed-by,valueonly,unfold,separator=|)',
  '%(trailers:key_value_separator==>)',
  '%(trailers:key=Issue,key_value_separator=%n)',
  '%(trailers:nosuch)',
  '%(trailers:key)',
  '%s%+(trailers:key=Nosuch)|',
]
  .map(format => `${commit(message)} ; log -1 --format="${format}" ; ${commit(mixed)} ; log -1 --format="${format}"`)
  .concat(
    [
      '%(trailers)',
      '%(trailers:key=Issue,valueonly)',
      '%(contents:trailers)',
      '%(contents:trailers:only,unfold)',
      '%(trailers:nosuch)',
    ].map(format => `${commit(message)} ; for-each-ref refs/heads --format="${format}" ; branch --format="${format}"`),
  )
  .concat([
    `${commit(message)} ; shortlog -s --group=trailer:signed-off-by HEAD`,
    `${commit(message)} ; ${commit(mixed)} ; shortlog -sne --group=trailer:signed-off-by HEAD`,
    `${commit(message)} ; shortlog --group=trailer:issue --group=author HEAD`,
    `${commit(message)} ; shortlog -s --group=author --group=committer HEAD`,
    'shortlog -s --group=nosuch HEAD',
    'shortlog -s --group=trailer:none HEAD',
  ])
