// What GNU grep 3.8 answers: see gnu-cases.ts.

import type { GnuCase } from './gnu-cases.ts'

export const grepCases: readonly GnuCase[] = [
  ["printf 'a1\\nb\\nc\\na2\\nx\\n' | grep -A0 a", 'a1\n--\na2\n', 0],
  ["printf 'a\\nb\\nc\\nb\\nd\\n' | grep -m1 -A3 b", 'b\nc\nb\nd\n', 0],
  ["printf 'a b\\nab\\n' | grep -ow 'a\\|ab'", 'a\nab\n', 0],
  ["printf 'price: 5 EUR\\n' | grep -oP '(?<=price: )\\d+(?= EUR)'", '5\n', 0],
  ["printf 'foobar\\nbar\\n' | grep -P '^(?!foo)'", 'bar\n', 0],
  ["echo key=value | grep -oP 'key=\\K.*'", 'value\n', 0],
  ["echo abc | grep -P '(?<=a+)b'; echo $?", '2\n', 0],
  ["printf 'a\\0b\\n' | grep -c a; printf 'a\\0b\\n' | grep -a a | od -c | head -n 1", '1\n0000000   a  \\0   b  \\n\n', 0],
  ["printf 'one\\0two\\0' | grep -z two | tr '\\0' '\\n'", 'two\n', 0],
  ["printf 'aa\\nab\\n' | grep '\\(a\\)\\1'", 'aa\n', 0],
  ["printf 'a+\\n' | grep 'a+'; printf 'aa\\n' | grep -c 'a\\+'", 'a+\n1\n', 0],
  ["echo 'x[y]' | grep -F '[y]'; echo 'x[y]' | grep -F -e q -e 'x['", 'x[y]\nx[y]\n', 0],
  [
    'mkdir -p q/s; echo hit > q/s/f; ln -s s q/l; grep -r hit q; grep -rl hit q/; grep -R hit q | sort',
    'q/s/f:hit\nq/s/f\nq/l/f:hit\nq/s/f:hit\n',
    0,
  ],
  [
    "mkdir -p q/node_modules q/s; echo hit | tee q/a.js q/b.ts q/node_modules/c.js > q/s/d.js; grep -r --include='*.js' --exclude-dir=node_modules -l hit q | sort",
    'q/a.js\nq/s/d.js\n',
    0,
  ],
  ['cd src && grep -rc zzz . | head -n 3 | wc -l', '3\n', 0],
  ["printf 'x\\ny\\n' > p; printf 'axa\\nb\\n' | grep -f p; grep -f /dev/null p; echo $?", 'axa\n1\n', 0],
  ['grep -q a none a.txt; echo $?; grep -s a none; echo $?', '0\n2\n', 0],
  [
    "printf 'ab\\n' | grep --color=always b | od -c | head -n 2",
    '0000000   a 033   [   0   1   ;   3   1   m 033   [   K   b 033   [   m\n0000020 033   [   K  \\n\n',
    0,
  ],
  ["printf 'one\\ntwo\\n' | grep -n -b o", '1:0:one\n2:4:two\n', 0],
  ["printf 'foo(\\n' | grep -E 'foo\\(' ; printf 'a\\n' | grep -E '('; echo $?", 'foo(\n2\n', 0],
  ["printf 'Stra\xdfe\\nSTRASSE\\n' | grep -i 'stra\xdfe'", 'Stra\xc3\x9fe\n', 0],
  ["printf 'a-b\\n' | grep -w -- '-b'; echo $?", '1\n', 0],
  ["printf 'x\\n' | grep -H x; printf 'x\\n' | grep --label=in -c -H x", '(standard input):x\nin:1\n', 0],
  ["grep '[:digit:]' a.txt; echo $?", '2\n', 0],
  ["printf 'a\\n\\nb\\n' | grep -cv .; printf '' | grep -c ''", '1\n0\n', 1],
  [
    "printf '1\\n2\\n3\\n4\\n5\\n6\\n' | grep -1 -e 2 -e 5; printf '1\\n2\\n3\\n4\\n5\\n6\\n' | grep --no-group-separator -A1 -e 1 -e 5",
    '1\n2\n3\n4\n5\n6\n1\n2\n5\n6\n',
    0,
  ],
  ["printf 'ab12\\n' | grep -oE '[a-z]+|[0-9]+'", 'ab\n12\n', 0],
  ["printf 'aaa\\n' | grep -o 'a*' ; printf 'bbb\\n' | grep -o 'a*'; echo $?", 'aaa\n0\n', 0],
  ["echo 'foo.bar' | egrep -o '\\w+$'; echo 'a|b' | fgrep '|'", 'bar\na|b\n', 0],
  ["printf 'a\\n' | grep --inv b; grep --nope a; echo $?", 'a\n2\n', 0],
  [
    'mkdir -p q/d; echo hit | tee q/f > q/d/g; grep -r hit q/f; grep -rc hit q/d; echo hit | grep -r hit -',
    'hit\nq/d/g:1\nhit\n',
    0,
  ],
  [
    "mkdir -p q/d; echo hit | tee q/f > q/d/g; grep --exclude-dir=d hit q/d; echo $?; cd q; grep -r --exclude-dir='*' hit",
    '1\nf:hit\n',
    0,
  ],
  [
    'mkdir -p q; echo hit | tee q/f > q/g; echo f > ex; grep -r --exclude-from=ex hit q; grep --exclude-from=none hit q/g; echo $?',
    'q/g:hit\n2\n',
    0,
  ],
  ["printf 'a\\na\\377\\na\\n' | grep a; printf 'xa\\nya\\377\\n' | grep -o .a", 'a\na\nxa\nya\n', 0],
  ["echo aa | grep -E 'a{1,2,3}'; echo $?", '2\n', 0],
]
