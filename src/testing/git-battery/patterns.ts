// Regular expressions: what is an operator where, what git refuses, and lines that end in a carriage return.

/** On the history of the battery. */
export const readingPatterns: readonly string[] = String.raw`
log --format=%s --grep='[[:unknown:]]'
grep -n -e '[[:alpha'
log --format=%s --grep='[[.ab.]]'
grep -n -e '[[=ab=]]'
log --format=%s --grep='[[=e=]]'
grep -n -e '[[.e.]]'
log --format=%s --grep='[z-a]'
grep -E -n -e '*a'
rev-parse :/'*a'
log -E --format=%s --grep='+a'
rev-parse :/'+a'
grep -E -n -e '?a'
rev-parse :/'?a'
log -E --format=%s --grep='a{2,1}'
rev-parse :/'a{2,1}'
grep -E -n -e '(a'
rev-parse :/'(a'
log --format=%s --grep='\(a'
grep -n -e 'a\{1'
log --format=%s --grep='a\{1,'
grep -E -n -e 'a**'
rev-parse :/'a**'
log -E --format=%s --grep='a+*'
rev-parse :/'a+*'
grep -E -n -e 'a*?'
rev-parse :/'a*?'
log -E --format=%s --grep='a{99999}'
rev-parse :/'a{99999}'
grep -E -n -e '[[:alpha:]-z]'
rev-parse :/'[[:alpha:]-z]'
log -E --format=%s --grep='[a-[:alpha:]]'
rev-parse :/'[a-[:alpha:]]'
grep -n -e '[a'
log --format=%s --grep='a\'
grep -E -n -e '\1(a)'
rev-parse :/'\1(a)'
log --format=%s --grep='\(a\)\2'
grep -E -n -e '()'
rev-parse :/'()'
log -E --format=%s --grep='a|'
rev-parse :/'a|'
grep -E -n -e '|a'
rev-parse :/'|a'
log -E --format=%s --grep='a||b'
rev-parse :/'a||b'
grep -n -e 'a*\{2\}'
log --format=%s --grep='^*'
grep -n -e '\(*a\)'
log --format=%s --grep='\(^a\)'
grep -n -e 'a^b'
log --format=%s --grep='a$b'
grep -E -n -e 'a^b'
rev-parse :/'a^b'
log -E --format=%s --grep='a{,2}'
rev-parse :/'a{,2}'
grep -E -n -e 'a{1'
rev-parse :/'a{1'
log -E --format=%s --grep='{1}'
rev-parse :/'{1}'
grep -n -e '\{1\}'
log -E --format=%s --grep='[]a]'
rev-parse :/'[]a]'
grep -E -n -e '[^]a]'
rev-parse :/'[^]a]'
log --format=%s --grep='[a-]'
grep -n -e '[-a]'
log --format=%s --grep='[a\]]'
grep -n -e '\d'
log --format=%s --grep='\w\W'
grep -n -e '\bfirst'
log --format=%s --grep='\<F'
grep -n -e 't\>'
grep -n -e "t\\'"
log --format=%s --grep='First\|fix'
grep -E -n -e 'First|fix'
rev-parse :/'First|fix'
log --format=%s --grep='Fi\+'
grep -n -e 'Fi\?r'
log --format=%s --grep='[[:upper:]]irst'
grep -n -e '[[:ALPHA:]]'
log -E --format=%s --grep=')'
rev-parse :/')'
grep -E -n -e 'a)'
rev-parse :/'a)'
log --format=%s --grep='\)'
grep -E -n -e 'a{1}{2}'
rev-parse :/'a{1}{2}'
log -E --format=%s --grep='(*a)'
rev-parse :/'(*a)'
grep -E -n -e '(|a)'
rev-parse :/'(|a)'
log --format=%s --grep='.'
grep -n -e ''
log -E --format=%s --grep='x*'
rev-parse :/'x*'
grep -E -n -e 'a{65536}'
rev-parse :/'a{65536}'
log -E --format=%s --grep='a{32768}'
rev-parse :/'a{32768}'
grep -E -n -e 'a{32767}'
rev-parse :/'a{32767}'
log -E --format=%s --grep='[[:alpha:'
rev-parse :/'[[:alpha:'
grep -E -n -e '[[:]'
rev-parse :/'[[:]'
log -E --format=%s --grep='[[=]'
rev-parse :/'[[=]'
grep -E -n -e '[[.-.]-z]'
rev-parse :/'[[.-.]-z]'
log --format=%s --grep='[[.hyphen.]]'
grep -n -e '[[.space.]]'
log -P --format=%s --grep='[[:unknown:]]'
grep -P -n -e '\d+'
log -P --format=%s --grep='(?<=F)irst'
log -F --format=%s --grep='[a'
grep -E -n -e 'a(?:b)'
rev-parse :/'a(?:b)'
log -E --format=%s --grep='(?i)a'
rev-parse :/'(?i)a'
grep -E -n -e 'a??'
rev-parse :/'a??'
log --format=%s --grep='^$'
grep -n -e 'First.*body'
log -E --format=%s --grep='commit\s+With'
grep -E -n -e 'page[^x]'
log -i -E --format=%s --grep='[^[:alpha:] .]'
log --format=%s --grep='t$' --grep=^f
log --format=%s --author='Co*der'
log --format=%s --author='\(Coder\|Other\) <'
log --format=%s -E --author='^(Coder|Other) <.*>$'
log --oneline -G '\s{2}return'
log --oneline -G 'return [[:digit:]]+$'
log --oneline -S 'ret.rn' --pickaxe-regex
grep -n -w -e 'one\|two'
grep -n -E -o '[a-z]+\('
grep -n -e '^  return'
grep -n -e '}$'
grep -c -e ''
grep -n -E '^(function|  return)'
grep -n -E 'five|thirty.three'
grep -n -i -E 'TEXT\.?'
grep -n -e 'e\{2\}'
grep -n -e '\.'
grep -n -e '[.]'
grep -n -e 'a\.b*'
grep -n -P '\breturn\s+\d+\b'
grep -n -P '^\w+ \w+\(\)'
grep -n -P 'thirty(?=-)'
grep -n -P '\x66ive'
grep -n -P 'f.v(?<!x)e'
config --get-regexp '^user\..*'
config --get-regexp 'user\.(name|email)'
config --get-regexp '*'
config --get-regexp 'user.n[[:alpha:]]+'
log --grep-reflog=commit -g --oneline -2
log --grep-reflog='co[m]\{2\}it:' -g --oneline -2
config --get user.name '['
config --get-all user.name '!C'
rev-parse 'nosuch*'
rev-parse ':(top)nosuch'
rev-parse 'a\*b'
rev-parse '^x?'
rev-parse --verify 'x?'
log --oneline ':(top)src'
grep -ohE 'f|function|func' -- src
grep -owE 'fun|function( o)?' -- src
grep -nwE 'function|function o' -- src
grep --column -E 'o|one|on' -- src
grep --color=always -E 'T|Te|Tex(t\.)?' -- README.md
grep -oE '(e|er){2}|h' -- src
grep -o '\<func\|\<tion' -- src
grep -oE '\Btion|func' -- src
grep -o --column -e on -e return
grep -n --column --not -e function --or -e one -- src/code.js
grep -v -o --column return -- src/code.js
-c grep.threads=1 grep -n -C1 -o -e return -- src
grep -A1 --column -e one --and --not -e zzz
grep -L --all-match -e Title -e Text
grep -z --column -n Title
grep -l -L Title
grep --cached --untracked Title
grep --cached Title HEAD
grep --untracked Title HEAD
grep -h -H Title
grep -a -I -l y
grep -ao 'x.' -- data.bin
grep -ao 'x[^a]' -- data.bin
grep --max-depth 0 -l -e o -- '*.js'
grep --max-depth 0 -r -l -e o
`
  .trim()
  .split('\n')

/** On odd shapes. */
export const readingOddPatterns: readonly string[] = String.raw`
grep -n -e 'one$'
grep -n -e 'two.$'
grep -n -E 'three\s$'
grep -n -P 'two\r$'
grep -n -e '[^a-z]$' -- '*.txt'
grep -n -w 'one' -- 'crlf two.txt'
diff --word-diff-regex='[a-z]+'
diff --word-diff-regex='.'
log -G 'r\+' --oneline
log --grep='^Refs: #[0-9]\{2\}$' --oneline
`
  .trim()
  .split('\n')
