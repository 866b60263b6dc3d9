// What GNU's programs answer to values that they do not take, and to widths and flags that are seldom written: see gnu-cases.ts.

import type { GnuCase } from './gnu-cases.ts'

export const valueCases: readonly GnuCase[] = [
  [
    'wc < a.txt; wc -lw < a.txt; wc - < a.txt; wc b.txt - < a.txt; (read x; wc) < a.txt',
    ' 5 15 67\n 5 15\n 5 15 67 -\n  3   9  44 b.txt\n  5  15  67 -\n  8  24 111 total\n 4 12 55\n',
    0,
  ],
  [
    'wc /dev/null; wc /dev/null a.txt; cat a.txt | wc; wc <<< x',
    '      0       0       0 /dev/null\n      0       0       0 /dev/null\n      5      15      67 a.txt\n      5      15      67 total\n      5      15      67\n      1       1       2\n',
    0,
  ],
  ["wc --files0-from=<(printf 'a.txt\\0b.txt\\0')", '5 15 67 a.txt\n3 9 44 b.txt\n8 24 111 total\n', 0],
  [
    "for set in '[:upper:]' '[:lower:]' '[:digit:]' '[=a=]' '[x*a]' '[x*][y*]'; do echo abc | tr a-c \"$set\"; echo $?; done",
    '1\n1\n1\n1\n1\n1\n',
    0,
  ],
  [
    "for set in '[:alpha:]' '[:alnum:]' '[:digit:]' 'x[:lower:]' '[:lower:]x'; do echo abc | tr \"$set\" '[:upper:]'; echo $?; done",
    '1\n1\n1\n1\n1\n',
    0,
  ],
  [
    "for set in '[:upper:]' 'x[:upper:]' '[:upper:]x' xy x '[x*]'; do echo abC | tr -c '[:lower:]' \"$set\"; echo; done",
    '\n\n\n\nabxx\nabxx\n',
    0,
  ],
  [
    "echo abC | tr -c ab xy; echo aBc | tr '[:lower:][:upper:]' '[:upper:][:lower:]'; echo abc | tr '[:lower:]' '[x*][:upper:]'",
    'abyyAbC\nABC\n',
    0,
  ],
  [
    "for set in '[:upper:]' '[=ab=]' '[::]' '[==]' '[:nope:]' 'a-[:digit:]'; do echo abC | tr -d \"$set\"; echo $?; done",
    'ab\n0\n1\n1\n1\n1\n1\n',
    0,
  ],
  [
    "echo abc | tr -t a ''; echo abc | tr -t abc '[:upper:]'; echo $?; echo abc | tr a-c '[x*0]'; echo 'a-c' | tr 'a\\-c' xyz",
    'abc\n1\nxxx\nxyz\n',
    0,
  ],
  [
    'for width in 0 -1 x 1.5 1e3 \'\' 3; do nl -w "$width" nonl.txt; echo $?; done',
    '1\n1\n1\n1\n1\n1\n  1\tfirst\n  2\tsecond\n  3\tlast without newline\n0\n',
    0,
  ],
  [
    'nl -v 0x10 nonl.txt; nl -v -3 nonl.txt; nl -l 0 nonl.txt; nl -n xx nonl.txt; nl -i -2 nonl.txt',
    '    -3\tfirst\n    -2\tsecond\n    -1\tlast without newline\n     1\tfirst\n    -1\tsecond\n    -3\tlast without newline\n',
    0,
  ],
  ['fold -w 1.5 a.txt; fold -w 0 a.txt; cut -c1 -d, a.txt; cut -s -c1 a.txt; echo $?', '1\n', 0],
  [
    'shuf -n x a.txt; echo $?; shuf -n -1 a.txt; echo $?; shuf -i 1-3 a.txt; echo $?; shuf -e -i 1-3; echo $?; shuf a.txt b.txt; echo $?',
    '1\n1\n1\n1\n1\n',
    0,
  ],
  [
    'sort -k 1.0 a.txt; echo $?; sort -S x a.txt; echo $?; sort --parallel=0 a.txt; echo $?; sort -c a.txt b.txt; echo $?; sort -S 1M --parallel=2 nonl.txt',
    '2\n2\n2\n2\nfirst\nlast without newline\nsecond\n',
    0,
  ],
  [
    "paste -d '\\' a.txt b.txt; echo $?; paste -d '\\\\' a.txt nonl.txt; paste -d 'a\\' a.txt b.txt; echo $?",
    '1\napple 3 red\\first\nbanana 1 yellow\\second\ncherry 2 red\\last without newline\napple 3 red\\\ndate 10 brown\\\n1\n',
    0,
  ],
  [
    'fmt -g x a.txt; echo $?; fmt -g 10 a.txt; grep -D x red a.txt; echo $?',
    '1\napple 3 red\nbanana 1\nyellow cherry\n2 red apple\n3 red date 10 brown\n2\n',
    0,
  ],
  [
    "date -u -d @0.5 '+%-N %_N %-3N %_3N %3N %-10Y %10Y %_10Y %-10d %1d %-15A %#P %^P'",
    '500000000 5         5 5   500 1970 0000001970       1970 1 1 Thursday am am\n',
    0,
  ],
  [
    "date -u -d @1 '+%20F %+15F %+6Y %+4C %+3g %_20F %-F %-T %12T %-20D %-s %-5s %5e %1e'",
    '00000000001970-01-01 +00001970-01-01 +01970 +019 +70           1970-01-01 1970-01-01 00:00:01     00:00:01 01/01/70 1 1     1 1\n',
    0,
  ],
  [
    "TZ=America/New_York date -d @0 '+%z %10z %_10z %-z %_z %-:z %_12:z %12:z %:::z %1z'",
    '-0500 -000000500       -500 -500  -500 -5:00        -5:00 -00000005:00 -05 -500\n',
    0,
  ],
  [
    "date -u -d @0 '+%Ea %5Ea %Od %-Od %5Od %Oc %Ey %v %5% %% %Q %5Q %5'",
    '%Ea  %5Ea 01 01    01 %Oc 70 %v    %5% % %Q   %5Q    %5\n',
    0,
  ],
  [
    'mkdir t; cd t; mkdir s; echo a > a.txt; echo x > x.sh; chmod +x x.sh; ln -s a.txt l; ln -s s ld; ln -s nope lb; tree -F; tree -r; tree -F s/; tree -d',
    './\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a.txt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 l -> a.txt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 lb -> nope\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ld -> s/\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 s/\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 x.sh*\n\n3 directories, 4 files\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 x.sh\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 s\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ld -> s\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 lb -> nope\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 l -> a.txt\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 a.txt\n\n3 directories, 4 files\ns//\n\n0 directories, 0 files\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 ld -> s\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 s\n\n3 directories\n',
    0,
  ],
  [
    'tree nope; echo $?; tree src nope; echo $?; tree a.txt; echo $?; tree -L 0; echo $?; tree -L x; echo $?; tree -L 1 src',
    'nope  [error opening dir]\n\n0 directories, 0 files\n2\nsrc\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 deep\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 y.ts\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 z.md\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 x.ts\nnope  [error opening dir]\n\n2 directories, 3 files\n2\na.txt  [error opening dir]\n\n0 directories, 1 file\n0\n1\n1\nsrc\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 deep\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 x.ts\n\n2 directories, 1 file\n',
    0,
  ],
  [
    'chmod 640 a.txt; tree -p a.txt b.txt; tree -s a.txt; tree -h a.txt long.txt; tree -ps a.txt; tree -ph a.txt',
    '[-rw-r-----]  a.txt  [error opening dir]\n[-rw-r--r--]  b.txt  [error opening dir]\n\n0 directories, 2 files\n[         67]  a.txt  [error opening dir]\n\n0 directories, 1 file\n[  67]  a.txt  [error opening dir]\n[9.8K]  long.txt  [error opening dir]\n\n0 directories, 2 files\n[-rw-r-----          67]  a.txt  [error opening dir]\n\n0 directories, 1 file\n[-rw-r-----   67]  a.txt  [error opening dir]\n\n0 directories, 1 file\n',
    0,
  ],
  ['mkdir t; cd t; touch -; echo $?; ls; touch ./-; ls', '0\n-\n', 0],
  [
    'install -dv p/q p/r; echo $?; install -d a.txt n; echo $?; ls -d n; install -dv p; install -d; echo $?',
    "install: creating directory 'p'\ninstall: creating directory 'p/q'\ninstall: creating directory 'p/r'\n0\n1\nn\n1\n",
    0,
  ],
  [
    'zip -q z.zip a.txt b.txt; unzip -q -l z.zip | cut -c1-9,29-; unzip -qq -l z.zip | cut -c1-9,29-; unzip -Z1 z.zip',
    '  Length   Name\n---------  ----\n       67  a.txt\n       44  b.txt\n---------  -------\n      111  2 files\n       67  a.txt\n       44  b.txt\na.txt\nb.txt\n',
    0,
  ],
  [
    'echo hello > g; touch -d @1015218367 g; gzip -k g; stat -c %Y g.gz; od -An -tx1 g.gz; mv g.gz h.gz; rm g; gunzip -Nk h.gz; stat -c %Y g; gzip -lN h.gz; gunzip h.gz; stat -c %Y h; gzip -n9 h; od -An -tx1 h.gz',
    '1015218367\n 1f 8b 08 08 bf 00 83 3c 00 03 67 00 cb 48 cd c9\n c9 e7 02 00 20 30 3a 36 06 00 00 00\n1015218367\n         compressed        uncompressed  ratio uncompressed_name\n                 28                   6 -33.3% g\n1015218367\n 1f 8b 08 00 00 00 00 00 02 03 cb 48 cd c9 c9 e7\n 02 00 20 30 3a 36 06 00 00 00\n',
    0,
  ],
  [
    'echo a > f; chmod 640 f; ln f h; sed -i s/a/X/ f; stat -c "%n %h %a" f h; cat f h; ln -f f k; sed -i.bak s/X/Y/ f; stat -c "%n %h" f k f.bak; cat f k f.bak; ln f m; printf -- "--- f\n+++ f\n@@ -1 +1 @@\n-Y\n+Z\n" | patch -bs; stat -c "%n %h" f m f.orig; cat f m; gzip m; echo $?',
    'f 1 640\nh 1 640\nX\na\nf 1\nk 2\nf.bak 2\nY\nX\nX\nf 1\nm 2\nf.orig 2\nZ\nY\n2\n',
    0,
  ],
  ['echo a > f; ln f h; zip -q z.zip f; echo new > f; unzip -qo z.zip; stat -c "%n %h" f h; cat f h', 'f 1\nh 1\na\nnew\n', 0],
  [
    'umask 077; echo a > f; install -D f p/q/r; install -d s1/s2; cp --parents p/q/r s1; mkdir -p -m 755 m/n; mkdir -p u/v; stat -c %a p p/q p/q/r s1/s2 s1/p/q m m/n u u/v; mkdir -m g+s d; stat -c %a d; chmod 0 f; chmod +rw f; stat -c %a f; chmod 4777 f; cp f g; cp -p f h; stat -c %a g h; umask 027; cp f i; stat -c %a i; mkdir -p t/a/b; tar cf t.tar t/a/b; rm -r t; tar xf t.tar; stat -c %a t t/a; umask 0; cp f j; chmod 3777 t; cp -r t w; stat -c %a j w',
    '755\n755\n755\n755\n700\n700\n755\n700\n700\n2777\n600\n700\n4777\n750\n750\n750\n777\n1777\n',
    0,
  ],
  [
    'cp b.txt c.txt; gzip -nk b.txt c.txt; gzip -l b.txt.gz c.txt.gz; gzip -lq b.txt.gz; gzip -l b.txt.gz; gzip -nc empty.txt > e.gz; gzip -l e.gz',
    '         compressed        uncompressed  ratio uncompressed_name\n                 62                  44   0.0% b.txt\n                 62                  44   0.0% c.txt\n                124                  88 -20.5% (totals)\n                 62                  44   0.0% b.txt\n         compressed        uncompressed  ratio uncompressed_name\n                 62                  44   0.0% b.txt\n         compressed        uncompressed  ratio uncompressed_name\n                 20                   0   0.0% e\n',
    0,
  ],
  [
    "bc -Z | head -n 1 | cut -c-9; bc --bogus > o; echo $?; grep -c '^usage' o; bc -h | grep -c '^usage: bc'; echo 1 | bc - a.txt; echo $?; bc nope; echo $?; echo 1+1 | bc -qlsw",
    'usage: bc\n1\n1\n1\n1\n1\n2\n',
    0,
  ],
  [
    'ln -s a.txt l; stat -c %F a.txt/ src/; ls a.txt/; ls -l l/; du a.txt/; chmod 600 a.txt/; find a.txt/; grep -c apple a.txt/; readlink -f a.txt/; realpath a.txt/ a.txt/x; ln a.txt/ q; install a.txt/ q; ls q; stat -c %a a.txt',
    'directory\n644\n',
    0,
  ],
  [
    'ln -s a.txt l; sed -i.bak s/apple/kiwi/ l; head -1 l a.txt; readlink l l.bak; ln -sf a.txt l; sed -i --follow-symlinks s/apple/kiwi/ l; readlink l; head -1 a.txt',
    '==> l <==\nkiwi 3 red\n\n==> a.txt <==\napple 3 red\na.txt\na.txt\nkiwi 3 red\n',
    0,
  ],
  ['sed -i p src a.txt; echo $?; wc -l < a.txt', '4\n5\n', 0],
  [
    'find . src/ src// src/.. -maxdepth 0 -execdir echo {} \\;; find / -maxdepth 0 -execdir echo {} \\;',
    './.\n./src/\n./src/\n./..\n/\n',
    0,
  ],
  [
    'mkdir d; ln -s a.txt l; ln -sr l d/; readlink d/l; ln -sr -v src/x.ts d/m; ln -r a.txt n; echo $?',
    "../a.txt\n'd/m' -> '../src/x.ts'\n1\n",
    0,
  ],
  [
    'tar cf t.tar ./src; mkdir o; tar xvf t.tar -C o --strip-components=1 | sort; find o | sort; tar xf t.tar -C o --strip-components=3; ls o',
    './src/\n./src/deep/\n./src/deep/y.ts\n./src/deep/z.md\n./src/x.ts\no\no/src\no/src/deep\no/src/deep/y.ts\no/src/deep/z.md\no/src/x.ts\nsrc\ny.ts\nz.md\n',
    0,
  ],
  ['ln -s src s; diff src s; diff -r src s; echo $?', '0\n', 0],
  [
    'mkdir -p p/q/r; rmdir -p -v p//q/r/',
    "rmdir: removing directory, 'p//q/r/'\nrmdir: removing directory, 'p//q'\nrmdir: removing directory, 'p'\n",
    0,
  ],
  [
    "stat --printf='%n\\n' -c %s a.txt; stat -c %s --printf='%n,' a.txt; du -m -k a.txt; du -k -m a.txt; du -k -b a.txt",
    '67\na.txt,4\ta.txt\n1\ta.txt\n67\ta.txt\n',
    0,
  ],
  [
    "mkdir -p d/e; echo a > d/a.ts; echo b > d/e/b.md; zip -rqx '*.ts' @ x.zip d; unzip -Z1 x.zip | sort; zip -rq y.zip d --exclude='d/e/*'; unzip -Z1 y.zip | sort; zip -rq z.zip ./d -x'./d/*.ts'; unzip -Z1 z.zip | sort; echo '*.md' > l; zip -rq w.zip d -i@l; unzip -Z1 w.zip; zip -rq v.zip d -x; echo $?",
    "d/\nd/e/\nd/e/b.md\nd/\nd/a.ts\nd/\nd/e/\nd/e/b.md\nd/e/b.md\n\nzip error: Invalid command arguments (option 'x' (exclude files matching patterns) requires a value)\n16\n",
    0,
  ],
  [
    'mkdir -p d/e; echo a > d/a.ts; echo b > d/e/b.md; ln -s d dl; ln -s nope dang; zip x.zip -r . -x "*.txt" "src/*" "*.json" o > o; sort o; zip -qR y.zip \'*.ts\' \'*.md\' -x \'src/*\'; unzip -Z1 y.zip | sort',
    '\tzip warning: name not matched: dang\n  adding: .hidden (stored 0%)\n  adding: bin.dat (stored 0%)\n  adding: code.ts (deflated 9%)\n  adding: csv.csv (stored 0%)\n  adding: d/ (stored 0%)\n  adding: d/a.ts (stored 0%)\n  adding: d/e/ (stored 0%)\n  adding: d/e/b.md (stored 0%)\n  adding: dl/ (stored 0%)\n  adding: dl/a.ts (stored 0%)\n  adding: dl/e/ (stored 0%)\n  adding: dl/e/b.md (stored 0%)\n  adding: sp ace/ (stored 0%)\n  adding: tabs.tsv (stored 0%)\ncode.ts\nd/a.ts\nd/e/b.md\ndl/a.ts\ndl/e/b.md\n',
    0,
  ],
  [
    "env printf '%q\\n' 'a b' \"it's\" $'\\n' '' '$x' é; env printf 'a\\cb\\n' x y; env printf '%(%Y)T\\n' 0; echo $?; env printf; echo $?; env printf -v x; env printf '%5b|' a; echo $?; env printf '%s-%d\\n' a 1 b; echo \"a b\" | xargs printf '%q\\n' 'c d'",
    "'a b'\n\"it's\"\n''$'\\n'\n''\n'$x'\nÃ©\na1\n1\n-v1\na-1\nb-0\n'c d'\na\nb\n",
    0,
  ],
  ["env -0 echo hi; echo $?; env -u '' echo hi; echo $?; env =x env | grep -c '^=x'", '125\n125\n1\n', 0],
]
