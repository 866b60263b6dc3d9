// What agents write around files, archives and reports: see gnu-cases.ts.

import type { GnuCase } from './gnu-cases.ts'

export const agentCases: readonly GnuCase[] = [
  ['echo x | tee -a f f; cat f; echo y | tee g ./g; cat g', 'x\nx\nx\ny\ny\n', 0],
  [
    'f() { local -n list=$1; list+=(z); echo "${#list[@]} ${list[0]}"; }; list=(p q); f list 2> /dev/null; echo "${list[@]}"',
    '3 p\np q z\n',
    0,
  ],
  ["date -u -d @5 '+%5Es|%_5Es|%-Es|%5Eu|%5Eq|%5Os|%5Od|%5Ed'", '00005|    5|5|00004|00001|00005|   01| %5Ed\n', 0],
  [
    "head -2 a.txt > o; sed 's/banana/kiwi/' o > n; diff -u --label o --label n o n > p; cp n t; patch -t t < p; echo $?; cmp t o; cmp t.orig n; patch -t t < p; echo $?",
    'patching file t\nReversed (or previously applied) patch detected!  Assuming -R.\n0\npatching file t\n0\n',
    0,
  ],
  [
    "head -2 a.txt > o; sed 's/banana/kiwi/' o > n; diff -u --label o --label n o n > p; cp n t; patch -f t < p; echo $?; cat t; patch -t -R t < p; echo $?; patch -t -R t < p; echo $?; patch -t -N t < p",
    'patching file t\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED -- saving rejects to file t.rej\n1\napple 3 red\nkiwi 1 yellow\npatching file t\n0\npatching file t\nUnreversed patch detected!  Ignoring -R.\n0\npatching file t\nReversed (or previously applied) patch detected!  Skipping patch.\n1 out of 1 hunk ignored -- saving rejects to file t.rej\n',
    1,
  ],
  [
    "printf -- '--- /dev/null\\n+++ new.txt\\n@@ -0,0 +1 @@\\n+one\\n' > p; patch < p; patch -N < p; echo $?; patch -f < p; echo $?; cat new.txt; patch -t < p; echo $?; ls new.txt",
    'patching file new.txt\nThe next patch would create the file new.txt,\nwhich already exists!  Skipping patch.\n1 out of 1 hunk ignored\n1\nThe next patch would create the file new.txt,\nwhich already exists!  Applying it anyway.\npatching file new.txt\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED -- saving rejects to file new.txt.rej\n1\none\nThe next patch would create the file new.txt,\nwhich already exists!  Assuming -R.\npatching file new.txt\n0\n',
    2,
  ],
  ['tail -f nope; echo $?; tail --follow=other a.txt; echo $?', '1\n1\n', 0],
  [
    'gzip -r src; find src | sort; gzip -r src; echo $?; gzip -rd src; find src | sort; gzip -r a.txt src/deep; ls a.txt.gz; gunzip -r src; cat src/deep/y.ts',
    'src\nsrc/deep\nsrc/deep/y.ts.gz\nsrc/deep/z.md.gz\nsrc/x.ts.gz\n0\nsrc\nsrc/deep\nsrc/deep/y.ts\nsrc/deep/z.md\nsrc/x.ts\na.txt.gz\nexport const y = 2 // TODO\n',
    0,
  ],
  [
    'ln -s ../a.txt src/l; gzip -r src 2>&1; echo $?; find src | sort; gzip -rt src; echo $?',
    'gzip: src/l: Too many levels of symbolic links\n1\nsrc\nsrc/deep\nsrc/deep/y.ts.gz\nsrc/deep/z.md.gz\nsrc/l\nsrc/x.ts.gz\n0\n',
    0,
  ],
  [
    'gzip -c a.txt > p.taz; gunzip p.taz; ls p*; cp a.txt q; gzip q; mv q.gz q-gz; gunzip q-gz; ls q*; gunzip src; echo $?',
    'p.tar\nq\n2\n',
    0,
  ],
  ['while sleep 0.05; do echo ready >> a.txt; done & tail -n0 -f a.txt | grep -m1 ready; kill $!', 'ready\n', 0],
  [
    "printf 'a b\\nc d e\\n' | column -t -l 2; printf 'a b\\nc d e\\n' | column -t --table-columns-limit 1; printf 'a::b\\n\\nc:d:e\\n' | column --table -s: -J -N p,q,r; printf 'a b c\\n' | column -t -O 2; printf 'a b c\\n' | column -t -N x,y,z --table-order z",
    'a  b\nc  d e\na b\nc d e\n{\n   "table": [\n      {\n         "p": "a",\n         "q": null,\n         "r": "b"\n      },{\n         "p": "c",\n         "q": "d",\n         "r": "e"\n      }\n   ]\n}\nb  a  c\nz  x  y\nc  a  b\n',
    0,
  ],
  [
    "printf '1 2 3 4\\n5 6\\n' | column -t -l 3; printf '1 2 3 4\\n5 6\\n' | column -t -l 3 -N a,b,c -o '|'; printf 'a b\\n' | column -t -d -N x,y; printf 'a,,b,c\\n' | column -t -s, -l2; printf '1 2\\n' | column -t --table-right 1,2 -N long,x",
    '1  2  3 4\n5  6  \na|b|c\n1|2|3 4\n5|6|\na  b\na  ,b,c\nlong  x\n   1  2\n',
    0,
  ],
  [
    'column -J -N x,y < /dev/null; echo $?; column -l x -t < /dev/null; echo $?; ls -d src | column -J -N name -n files',
    '0\n1\n{\n   "files": [\n      {\n         "name": "src"\n      }\n   ]\n}\n',
    0,
  ],
  [
    "[ -x /bin/sh ] && [ -f /bin/bash ] && [ -x /usr/bin/printf ] && [ -x /bin/true ] && echo there; which bash sh test echo; /bin/sh -c 'echo hi'; [ -x /bin/nosuch ]; echo $?; find -L /bin/sh -type f; ls /bin/sh",
    'there\n/usr/bin/bash\n/usr/bin/sh\n/usr/bin/test\n/usr/bin/echo\nhi\n1\n/bin/sh\n/bin/sh\n',
    0,
  ],
  [
    "printf 'a b\\nc d e\\n\"q\" \\\\\\n' > t; column -J -N x,y t; column -J t; column -t -J -N x t; column -J -N x,y,z -H y t; column -J -N x,y,z -O y,x t; column -J -N 'A b,C-d,E' -n 'My T' -l 2 t",
    '{\n   "table": [\n      {\n         "x": "a",\n         "z": null\n      },{\n         "x": "c",\n         "z": "e"\n      },{\n         "x": "\\"q\\"",\n         "z": null\n      }\n   ]\n}\n{\n   "table": [\n      {\n         "y": "b",\n         "x": "a",\n         "z": null\n      },{\n         "y": "d",\n         "x": "c",\n         "z": "e"\n      },{\n         "y": "\\\\",\n         "x": "\\"q\\"",\n         "z": null\n      }\n   ]\n}\n{\n   "my t": [\n      {\n         "a b": "a",\n         "c-d": "b",\n         "e": null\n      },{\n         "a b": "c",\n         "c-d": "d e",\n         "e": null\n      },{\n         "a b": "\\"q\\"",\n         "c-d": "\\\\",\n         "e": null\n      }\n   ]\n}\n',
    0,
  ],
  [
    'dd if=a.txt of=o bs=8 count=1 oflag=append conv=notrunc status=none; dd if=b.txt of=o bs=4 oflag=append conv=notrunc status=none; cat o; dd if=b.txt of=o oflag=append status=none; cmp o b.txt',
    'apple 3 banana 1 yellow\ncherry 22 red\nelder 5 black\n',
    0,
  ],
  [
    'dd if=a.txt count=5 iflag=count_bytes status=none; echo; dd if=a.txt skip=2 iflag=skip_bytes bs=1 count=3 status=none; echo; dd if=a.txt skip=6B bs=4 count=1 status=none; echo; dd if=a.txt of=o seek=3 oflag=seek_bytes bs=2 status=none; od -c o | head -2',
    'apple\nple\n3 re\n0000000  \\0  \\0  \\0   a   p   p   l   e       3       r   e   d  \\n   b\n0000020   a   n   a   n   a       1       y   e   l   l   o   w  \\n   c\n',
    0,
  ],
  [
    'dd if=a.txt obs=3 ibs=5 2>&1 | head -7; dd if=a.txt bs=16 status=noxfer of=o 2>&1',
    'apple 3 red\nbanana 1 yellow\ncherry 2 red\napple 3 red\ndate 10 brown\n13+1 records in\n22+1 records out\n4+1 records in\n4+1 records out\n',
    0,
  ],
  [
    "printf 'ab\\nabcdef\\n' | dd cbs=4 conv=block status=none; echo; printf 'ab  abcd' | dd cbs=4 conv=unblock,ucase status=none",
    'ab  abcd\nAB\nABCD\n',
    0,
  ],
  [
    'od --endian=big -tx4 a.txt | head -2; od --endian=big -tx2 -N 5 a.txt; od -tx4 --endian=little -N 6 a.txt; od -w -tx1 -N 40 a.txt; od --width=8 -c -N 9 a.txt; od --endian=big -td8 -N 8 a.txt; od --endian=big -tfD -N 8 a.txt',
    '0000000 6170706c 65203320 7265640a 62616e61\n0000020 6e612031 2079656c 6c6f770a 63686572\n0000000 6170 706c 6500\n0000005\n0000000 6c707061 00002065\n0000006\n0000000 61 70 70 6c 65 20 33 20 72 65 64 0a 62 61 6e 61 6e 61 20 31 20 79 65 6c 6c 6f 77 0a 63 68 65 72\n0000040 72 79 20 32 20 72 65 64\n0000050\n0000000   a   p   p   l   e       3    \n0000010   r\n0000011\n0000000  7021235429925991200\n0000010\n0000000  2.3111980186492956e+161\n0000010\n',
    0,
  ],
  [
    "numfmt --from-unit=1024 4; numfmt --to-unit=1Ki 4096; numfmt --to-unit=1K --to=si 2000000; numfmt --from-unit=512 --to=iec 8; numfmt --to=iec -- -2048; numfmt --to=iec -2048; echo $?; printf '1024\\0002048\\000' | numfmt -z --to=iec | od -c; numfmt --from-unit=x 1; echo $?",
    '4096\n4\n2.0K\n4.0K\n-2.0K\n1\n0000000   1   .   0   K  \\0   2   .   0   K  \\0\n0000012\n1\n',
    0,
  ],
  [
    'mkdir -p t/a/b t/c t/e/.h; echo 1 > t/a/b/f; echo 22 > t/g; ln -s a t/la; ln -s g t/lg; ln -s no t/dg; : > "t/q\\"u\'\\\\o"; chmod +x t/g; tree -J t; tree -X t; tree -Q t; tree -F t; tree --charset=ascii t',
    '[\n  {"type":"directory","name":"t","contents":[\n    {"type":"directory","name":"a","contents":[\n      {"type":"directory","name":"b","contents":[\n        {"type":"file","name":"f"}\n      ]}\n    ]},\n    {"type":"directory","name":"c"},\n    {"type":"link","name":"dg","target":"no"},\n    {"type":"directory","name":"e"},\n    {"type":"file","name":"g"},\n    {"type":"link","name":"la","target":"a"},\n    {"type":"link","name":"lg","target":"g"},\n    {"type":"file","name":"q\\"u\'\\\\o"}\n  ]}\n,\n  {"type":"report","directories":6,"files":5}\n]\n<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n  <directory name="t">\n    <directory name="a">\n      <directory name="b">\n        <file name="f"></file>\n      </directory>\n    </directory>\n    <directory name="c"></directory>\n    <link name="dg" target="no"></link>\n    <directory name="e"></directory>\n    <file name="g"></file>\n    <link name="la" target="a"></link>\n    <link name="lg" target="g"></link>\n    <file name="q&quot;u\'\\o"></file>\n  </directory>\n  <report>\n    <directories>6</directories>\n    <files>5</files>\n  </report>\n</tree>\n"t"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "a"\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "b"\n\xe2\x94\x82\xc2\xa0\xc2\xa0     \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "f"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "c"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "dg" -> "no"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "e"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "g"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "la" -> "a"\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "lg" -> "g"\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "q"u\'\\o"\n\n6 directories, 5 files\nt/\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a/\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 b/\n\xe2\x94\x82\xc2\xa0\xc2\xa0     \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 c/\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 dg -> no\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 e/\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 g*\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 la -> a/\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 lg -> g*\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 q"u\'\\o\n\n6 directories, 5 files\nt\n|-- a\n|   `-- b\n|       `-- f\n|-- c\n|-- dg -> no\n|-- e\n|-- g\n|-- la -> a\n|-- lg -> g\n`-- q"u\'\\o\n\n6 directories, 5 files\n',
    0,
  ],
  [
    "mkdir -p t/a/b t/c; echo 1 > t/a/b/f; echo 22 > t/g; tree -P 'f*' --prune t; tree --prune t; tree -P zz --prune t; tree -d --prune t; tree -P F --ignore-case t; tree -I 'A|g' --ignore-case t; tree --prune -L 1 t; tree -J --prune -P 'f*' t",
    't\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 a\n    \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 b\n        \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f\n\n3 directories, 1 file\nt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x82\xc2\xa0\xc2\xa0     \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 g\n\n3 directories, 2 files\nt\n\n0 directories, 0 files\nt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 c\n\n4 directories\nt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x82\xc2\xa0\xc2\xa0     \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 c\n\n4 directories, 1 file\nt\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 c\n\n2 directories, 0 files\nt\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 g\n\n1 directory, 1 file\n[\n  {"type":"directory","name":"t","contents":[\n    {"type":"directory","name":"a","contents":[\n      {"type":"directory","name":"b","contents":[\n        {"type":"file","name":"f"}\n      ]}\n    ]}\n  ]}\n,\n  {"type":"report","directories":3,"files":1}\n]\n',
    0,
  ],
  [
    'mkdir -p t/b t/a; : > t/0; : > t/z; ln -s a t/l; tree --filesfirst t; tree --dirsfirst t; tree -o out t; cat out; tree -a -o t/o2 t; cat t/o2; tree --si -s t | tail -4; tree nope; echo $?',
    't\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 0\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 z\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 l -> a\n\n4 directories, 2 files\nt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 l -> a\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 0\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 z\n\n4 directories, 2 files\nt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 0\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 l -> a\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 z\n\n4 directories, 2 files\nt\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 0\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 a\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 b\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 l -> a\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 o2\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 z\n\n4 directories, 3 files\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [ 104]  o2\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [   0]  z\n\n4 directories, 3 files\nnope  [error opening dir]\n\n0 directories, 0 files\n2\n',
    0,
  ],
  [
    'cd src; tree -J; tree -X; tree -Q; tree -J -f deep; tree -dJ; tree -J --noreport deep',
    '[\n  {"type":"directory","name":".","contents":[\n    {"type":"directory","name":"deep","contents":[\n      {"type":"file","name":"y.ts"},\n      {"type":"file","name":"z.md"}\n    ]},\n    {"type":"file","name":"x.ts"}\n  ]}\n,\n  {"type":"report","directories":2,"files":3}\n]\n<?xml version="1.0" encoding="UTF-8"?>\n<tree>\n  <directory name=".">\n    <directory name="deep">\n      <file name="y.ts"></file>\n      <file name="z.md"></file>\n    </directory>\n    <file name="x.ts"></file>\n  </directory>\n  <report>\n    <directories>2</directories>\n    <files>3</files>\n  </report>\n</tree>\n"."\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "deep"\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 "y.ts"\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "z.md"\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 "x.ts"\n\n2 directories, 3 files\n[\n  {"type":"directory","name":"deep","contents":[\n    {"type":"file","name":"deep/y.ts"},\n    {"type":"file","name":"deep/z.md"}\n  ]}\n,\n  {"type":"report","directories":1,"files":2}\n]\n[\n  {"type":"directory","name":".","contents":[\n    {"type":"directory","name":"deep"}\n  ]}\n,\n  {"type":"report","directories":2}\n]\n[\n  {"type":"directory","name":"deep","contents":[\n    {"type":"file","name":"y.ts"},\n    {"type":"file","name":"z.md"}\n  ]}\n\n]\n',
    0,
  ],
  [
    'mkdir t; cd t; seq 100 > f10; seq 10 > f9; seq 1000 > f1; tree --sort=size; tree --sort size -r; tree -v; tree --sort=version; tree -U | wc -l; tree --filelimit 2; tree --filelimit 3; tree -s f1; tree --du -h . | tail -1 | cut -c1-4 | wc -l',
    '.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f1\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f10\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f9\n\n1 directory, 3 files\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f9\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f10\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f1\n\n1 directory, 3 files\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f1\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f9\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f10\n\n1 directory, 3 files\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f1\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f9\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f10\n\n1 directory, 3 files\n6\n.  [3 entries exceeds filelimit, not opening dir]\n\n1 directory, 0 files\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f1\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 f10\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 f9\n\n1 directory, 3 files\n[       3893]  f1  [error opening dir]\n\n0 directories, 1 file\n1\n',
    0,
  ],
  [
    "touch -d '2023-01-05 10:00' a.txt; touch -d '2024-01-05 10:00' b.txt; tree -D -P '[ab].txt' --noreport src/deep a.txt | tail -1; cd src; touch -d '2023-01-05 10:00' x.ts; touch -d '2024-01-05 10:00' deep/* deep .; tree -D; tree -pD; tree -pD --timefmt '%F %H'; tree -JD --timefmt=%Y; tree -t; tree -c -L 1 | tail -1; tree -tr",
    '[Jan  5  2023]  a.txt  [error opening dir]\n[Jan  5  2024]  .\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [Jan  5  2024]  deep\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [Jan  5  2024]  y.ts\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [Jan  5  2024]  z.md\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [Jan  5  2023]  x.ts\n\n2 directories, 3 files\n[drwxr-xr-x Jan  5  2024]  .\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [drwxr-xr-x Jan  5  2024]  deep\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [-rw-r--r-- Jan  5  2024]  y.ts\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [-rw-r--r-- Jan  5  2024]  z.md\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [-rw-r--r-- Jan  5  2023]  x.ts\n\n2 directories, 3 files\n[drwxr-xr-x 2024-01-05 10]  .\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [drwxr-xr-x 2024-01-05 10]  deep\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 [-rw-r--r-- 2024-01-05 10]  y.ts\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [-rw-r--r-- 2024-01-05 10]  z.md\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 [-rw-r--r-- 2023-01-05 10]  x.ts\n\n2 directories, 3 files\n[\n  {"type":"directory","name":".","time":"2024","contents":[\n    {"type":"directory","name":"deep","time":"2024","contents":[\n      {"type":"file","name":"y.ts","time":"2024"},\n      {"type":"file","name":"z.md","time":"2024"}\n    ]},\n    {"type":"file","name":"x.ts","time":"2023"}\n  ]}\n,\n  {"type":"report","directories":2,"files":3}\n]\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 x.ts\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 deep\n    \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 y.ts\n    \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 z.md\n\n2 directories, 3 files\n2 directories, 1 file\n.\n\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 deep\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80 z.md\n\xe2\x94\x82\xc2\xa0\xc2\xa0 \xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 y.ts\n\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80 x.ts\n\n2 directories, 3 files\n',
    0,
  ],
  [
    'zip -q q.zip a.txt b.txt; zip -T q.zip; echo $?; zip -qT q.zip; echo $?; zip -T n.zip b.txt; zip -Tv q.zip; zip -T nope.zip; echo $?',
    'test of q.zip OK\n0\n0\n  adding: b.txt (stored 0%)\ntest of n.zip OK\nArchive:  q.zip\n    testing: a.txt                    OK\n    testing: b.txt                    OK\nNo errors detected in compressed data of q.zip.\ntest of q.zip OK\n\nzip error: Nothing to do! (nope.zip)\n12\n',
    0,
  ],
  [
    "printf 'ab' > x; : > e; zip -v r.zip x e; mkdir d; zip -rv r.zip d; zip -v r.zip x",
    '  adding: x\t(in=2) (out=2) (stored 0%)\n  adding: e\t(in=0) (out=0) (stored 0%)\ntotal bytes=2, compressed=2 -> 0% savings\n  adding: d/\t(in=0) (out=0) (stored 0%)\ntotal bytes=2, compressed=2 -> 0% savings\nupdating: x\t(in=2) (out=2) (stored 0%)\ntotal bytes=2, compressed=2 -> 0% savings\n',
    0,
  ],
  [
    "printf 'ab' > x; chmod 755 x; mkdir d; ln -s x l; touch -d '2024-01-05 10:00:00' x d; zip -qXy q.zip x d l; unzip -Z q.zip | awk 'NR > 2 {print $1, $3, $4, $6, $NF}'; unzip -Z q.zip x | cut -c45-; unzip -Z q.zip nope; echo $?; unzip -Z1 q.zip",
    '-rwxr-xr-x unx 2 stor x\ndrwxr-xr-x unx 0 stor d/\nlrwxrwxrwx unx 1 stor l\n3 3 bytes 3 0.0%\n05 10:00 x\n11\nx\nd/\nl\n',
    0,
  ],
  [
    "df -T . | awk 'NR == 1 {print $1, $2, $NF}'; df -i . | head -1 | wc -w; df -P . | awk 'NR == 1 {print $2, $5}'; df -iT . | head -1 | wc -w",
    'Filesystem Type on\n7\n1024-blocks Capacity\n8\n',
    0,
  ],
  [
    'df --output=target,fstype,file . | head -1; df --output=nope; echo $?; df -i --output .; echo $?; df -m . | wc -l; df -k --output=source . nope | wc -l',
    'Mounted on Type File\n1\n1\n2\n2\n',
    0,
  ],
  [
    'declare -n r; ((r=5)); echo $?; ((r=0)); echo $?; let r=5; echo $?; echo $((r=7)) $((r+=3)); ((r++)); echo $?; declare -p r',
    '0\n1\n0\n7 3\n1\ndeclare -n r\n',
    0,
  ],
  [
    'declare -n a=b; declare -n b=a; echo "[$a] ${a-unset} ${#a}"; [[ -v a ]]; echo $?; ((a=3)); echo "$? $((a=4))"; export a; declare -i a; declare a=3; declare -p a b; a[0]=3; declare -p a b',
    '[] unset 0\n1\n0 4\ndeclare -n a="b"\ndeclare -n b="a"\ndeclare -a a=([0]="3")\ndeclare -n b="a"\n',
    0,
  ],
  [
    'declare -n a=b b=c c=a; for x in "$a"; do echo "<$x>"; done; read a <<< q; echo $?; unset a; echo $?; declare -p b; a=5; echo never',
    '<>\n1\n0\ndeclare -n b="c"\nnever\n',
    0,
  ],
  [
    'declare -ni r=x; echo $?; r=2+3; declare -p r; f() { local -ni l=x; echo $?; l=4+4; echo "$l"; declare -n v=x; }; f; declare -i q=4; declare -n q=x; declare -p q; declare -n e=x; declare -ni e=y; echo $?; declare -p e; declare -n s=s; echo $?; declare -p s',
    '1\ndeclare -- r="2+3"\n1\n8\ndeclare -n q="x"\n1\ndeclare -in e="x"\n1\n',
    1,
  ],
  [
    "printf 'a\\n\\fb\\f' > f; for o in -t -T '-t -T' '-T -t' '-T -l5' '-t -d' '-t -d -m'; do pr $o f | od -An -c | tr -s ' ' | tr -d '\\n'; echo; done; printf 'a\\tbX\\tc\\n' | pr -t -eX4 | od -c",
    ' a \\n \\f b \\n \\f\n a \\n b \\n\n a \\n b \\n\n a \\n \\f b \\n \\f\n a \\n \\f b \\n \\f\n a \\n \\n \\f b \\n \\f\n a \\n \\n \\f b \\n \\f\n0000000   a                               b                            \n0000020   c  \\n\n0000022\n',
    0,
  ],
  [
    "printf 'a\\tb\\001\\177é\\b\\033[0m z\\\\\\n' > f; for o in -c -v '-c -v' '-c -e' '-v -2 -w40' '-c -W14'; do pr -t $o f; done; pr -h x -D d -c f | head -6",
    'a\tb^A^?\\303\\251^H^[[0m z\\\na\tb\\001\\177\\303\\251\\010\\033[0m z\\\na\tb\\001\\177\\303\\251\\010\\033[0m z\\\na       b^A^?\\303\\251^H^[[0m z\\\na\tb\\001\\177\na\tb^A^?\n\n\nd                                x                                Page 1\n\n\na\tb^A^?\\303\\251^H^[[0m z\\\n',
    0,
  ],
  [
    "shopt -s expand_aliases\nalias sudo='sudo ' begin='{' end='}' e=echo loop='for i in 1 2; do' twice='echo a; echo' cmt='echo x #' none= nl='echo one\necho two'\nsudo() { echo \"sudo: $*\"; }\nbegin\ne in\nend\nloop e $i; done\ntwice b; cmt y; sudo e z; e e; none; e a | e b; ! e z; (e sub); echo \"$(e inside)\"; 'e' || \\e || X=1 e assigned; > o e redirected; cat o\nf() { e in function; }; alias e='echo new'; e same line\nf; e x; eval 'e y'; nl three; echo $LINENO; unalias e; f; alias p=q q=p; p; echo $?",
    'in\n1\n2\na\nb\nx\nsame line\nin function\nnew x\nnew y\none\ntwo three\n11\nin function\n127\n',
    0,
  ],
  [
    'cat > l.sh <<\'E\'\ninner() { echo "${BASH_SOURCE[0]} ${FUNCNAME[0]} $LINENO"; caller; caller 0; nosuch; }\nouter() { inner; }\ndef() { late() { echo "${BASH_SOURCE[@]} $LINENO"; }; }\nE\n. ./l.sh; outer 2>&1; def; late; f() { caller; caller 0; inner 2>&1; }; f; echo \'. ./l.sh; outer; (exit 3)\' > m.sh; bash m.sh 2>&1',
    './l.sh inner 1\n2 ./l.sh\n2 outer ./l.sh\n./l.sh: line 1: nosuch: command not found\n./l.sh 3\n6 NULL\n./l.sh inner 1\n6 environment\n6 f environment\n./l.sh: line 1: nosuch: command not found\n./l.sh inner 1\n2 ./l.sh\n2 outer ./l.sh\n./l.sh: line 1: nosuch: command not found\n',
    3,
  ],
  [
    'readonly R=1; f() { local R; echo $?; local -r L=2; local L=3; echo $?; g; }; g() { local L=4; echo "$L $?"; }; f 2>&1',
    'environment: line 1: local: R: readonly variable\n1\nenvironment: line 1: local: L: readonly variable\n1\n4 0\n',
    0,
  ],
  [
    "for e in '1 ? : 3' 'x =' '5 = 3' '1.5' 'a[' '1 ? 2 :' '1 / 0' 'y %= 0' '0x' '1 + '; do let \"$e\" 2>&1; echo $?; (( $e )) 2>&1; done; read -t bad v 2>&1 <<< x; echo $?; read -n -1 v 2>&1 <<< x; echo $?; wait abc 2>&1; echo $?; jobs %9 2>&1; echo $?; umask abc 2>&1; umask u+q 2>&1; umask 9 2>&1; getopts a 1x 2>&1; echo $?; printf 2>&1; kill 2>&1; echo $?",
    'bash: line 1: let: 1 ? : 3: expression expected (error token is ": 3")\n1\nbash: line 1: ((: 1 ? : 3 : expression expected (error token is ": 3 ")\nbash: line 1: let: x =: syntax error: operand expected (error token is "=")\n1\nbash: line 1: ((: x = : syntax error: operand expected (error token is "= ")\nbash: line 1: let: 5 = 3: attempted assignment to non-variable (error token is "= 3")\n1\nbash: line 1: ((: 5 = 3 : attempted assignment to non-variable (error token is "= 3 ")\nbash: line 1: let: 1.5: syntax error: invalid arithmetic operator (error token is ".5")\n1\nbash: line 1: ((: 1.5 : syntax error: invalid arithmetic operator (error token is ".5 ")\nbash: line 1: let: a[: bad array subscript (error token is "a[")\n1\nbash: line 1: ((: a[ : bad array subscript (error token is "a[ ")\nbash: line 1: let: 1 ? 2 :: expression expected (error token is ":")\n1\nbash: line 1: ((: 1 ? 2 : : expression expected (error token is ": ")\nbash: line 1: let: 1 / 0: division by 0 (error token is "0")\n1\nbash: line 1: ((: 1 / 0 : division by 0 (error token is "0 ")\nbash: line 1: let: y %= 0: division by 0 (error token is "0")\n1\nbash: line 1: ((: y %= 0 : division by 0 (error token is "0 ")\n1\nbash: line 1: let: 1 + : syntax error: operand expected (error token is "+ ")\n1\nbash: line 1: ((: 1 +  : syntax error: operand expected (error token is "+  ")\nbash: line 1: read: bad: invalid timeout specification\n1\nbash: line 1: read: -1: invalid number\n1\nbash: line 1: wait: `abc\': not a pid or valid job spec\n1\nbash: line 1: jobs: %9: no such job\n1\nbash: line 1: umask: `b\': invalid symbolic mode operator\nbash: line 1: umask: `q\': invalid symbolic mode character\nbash: line 1: umask: 9: octal number out of range\nbash: line 1: getopts: `1x\': not a valid identifier\n1\nprintf: usage: printf [-v var] format [arguments]\nkill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n2\n',
    0,
  ],
  [
    'awk \'{print FILENAME, $1} END{print "e", NR}\' a.txt nope b.txt; echo $?; awk \'END{print "e", NR}\' a.txt src a.txt; echo $?; awk \'NR==2{exit} END{print "e", NR}\' a.txt nope; echo $?; id nosuchuser; echo $?; which; echo $?; yes --bad; echo $?; yes -- -a | head -1',
    'a.txt apple\na.txt banana\na.txt cherry\na.txt apple\na.txt date\n2\ne 10\n0\ne 2\n0\n1\n1\n1\n-a\n',
    0,
  ],
  [
    'f() { trap \'echo "R:$?"\' RETURN; false; return 3; }; f; echo $?; trap - RETURN; set -u; (echo "$1") 2>&1; (echo "${2}") 2>&1; exec 7> tr.log; BASH_XTRACEFD=7; set -x; echo traced; set +x; exec 7>&-; cat tr.log',
    'R:1\n3\nbash: line 1: $1: unbound variable\nbash: line 1: 2: unbound variable\ntraced\n+ echo traced\n+ set +x\n',
    0,
  ],
  [
    "mkdir n; echo x > n/y; diff -ruN src/deep nope | grep '^[-+][^-+]'; diff -rN nope n; echo $?; diff -r n nope; echo $?; diff -r --unidirectional-new-file nope n; echo $?",
    '-export const y = 2 // TODO\n-# z\ndiff -rN nope/y n/y\n0a1\n> x\n1\n2\ndiff -r --unidirectional-new-file nope/y n/y\n0a1\n> x\n1\n',
    0,
  ],
  [
    'base64 -d <<< /Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQADYWJjCgCHaS2POTPp2wABHARvLJzBH7bzfQEAAAAABFla > q.xz; base64 -d <<< QlpoOTFBWSZTWa1nVdYAAADBAAAQOAAgACGaaDNNEzxdyRThQkK1nVdY > q.bz2; base64 -d <<< KLUv/SQEIQAAYWJjCi1uTII= > q.zst; xz -dc q.xz; bzcat q.bz2; zstdcat q.zst; xzcat < q.xz; cp q.xz r.xz; unxz q.xz; ls q*; bunzip2 q.bz2; echo $?; rm q; bunzip2 -k q.bz2; ls q*; unzstd -q q.zst; echo $?; unzstd -qf q.zst; cat q; ls q*; xz -t r.xz; echo $?; unxz nope.xz; echo $?; head -c 30 r.xz > c.xz; unxz c.xz; echo $?; ls c*; cp a.txt a.xz; xzcat a.xz; echo $?',
    'abc\nabc\nabc\nabc\nq\nq.bz2\nq.zst\n1\nq\nq.bz2\nq.zst\n1\nabc\nq\nq.bz2\nq.zst\n0\n1\n1\nc.xz\ncode.ts\ncrlf.txt\ncsv.csv\n1\n',
    0,
  ],
  [
    'base64 -d <<< /Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AHBdADILvBunjDRE4cIHdej848CShJS4cJcIh3a+G0skFa9/soHU/39ZxogcyAWVi3SB/EzKEwh3XGXen+L3ZWwiJBKEOtENLO9mPuhcuXnaMl2sLPWzUdMBXdks8HMkluaa5RV/CdZiJox4+RnFBv6OZgAAzzm4QOcUnbEAAYwBgFAAAEWxohaxxGf7AgAAAAAEWVo= > t.txz; base64 -d <<< QlpoOTFBWSZTWbUpRHoAAI37hMmQAEJAAO+AAANlYJ4AAACACCAAdQlERkADRtTQAkpD1NGgaADRpInzdHBhkgIPQkjFovgF8XDDwiOEgoAo5HnY4oPugIiTaCBiLUEoM1uj4qsVCQ303SzD0PSwkTKgmTGEg/F3JFOFCQtSlEeg > t.tbz; tar tf t.txz; tar xJf t.txz; cat d/f; tar tjf t.tbz; tar tJf t.tbz; echo $?; cat t.tbz | tar tj; cp t.tbz u.tbz; bunzip2 u.tbz; ls u*; tar tf u.tar',
    'd/\nd/f\nhi\nd/\nd/f\n2\nd/\nd/f\nu.tar\nutf8.txt\nd/\nd/f\n',
    0,
  ],
  [
    "bash -c $'cat <<\\'$&$$\\'\\nx' 2>&1",
    "bash: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `$&$$')\nx\n",
    0,
  ],
  ['cat << I$((1))\nlit\nI$((1))\ncat <<$x\na\n$x\ncat <<E"O"F\n$x\nEOF', 'lit\na\n$x\n', 0],
  [
    "for s in 'if' 'echo a; fi' 'echo \"a' 'echo $(ls' 'for' 'echo (a)' 'f( {' 'f() echo' 'echo >' 'function' '{ echo a' 'echo a )' 'a b=(1)' '! ' $'echo a\\nif true\\nthen echo b' $'cat <<E\\nx'; do bash -c \"$s\" 2>&1; echo $?; done; eval 'echo $(' 2>&1; printf 'echo one\\nfi\\n' > s.sh; bash s.sh 2>&1; . ./s.sh 2>&1; printf 'echo one\\necho \"two\\nthree\\n' > s.sh; bash s.sh 2>&1; echo $?",
    "bash: -c: line 2: syntax error: unexpected end of file\n2\nbash: -c: line 1: syntax error near unexpected token `fi'\nbash: -c: line 1: `echo a; fi'\n2\nbash: -c: line 1: unexpected EOF while looking for matching `\"'\n2\nbash: -c: line 2: unexpected EOF while looking for matching `)'\n2\nbash: -c: line 1: syntax error near unexpected token `newline'\nbash: -c: line 1: `for'\n2\nbash: -c: line 1: syntax error near unexpected token `a'\nbash: -c: line 1: `echo (a)'\n2\nbash: -c: line 1: syntax error near unexpected token `{'\nbash: -c: line 1: `f( {'\n2\nbash: -c: line 1: syntax error near unexpected token `echo'\nbash: -c: line 1: `f() echo'\n2\nbash: -c: line 1: syntax error near unexpected token `newline'\nbash: -c: line 1: `echo >'\n2\nbash: -c: line 1: syntax error near unexpected token `newline'\nbash: -c: line 1: `function'\n2\nbash: -c: line 2: syntax error: unexpected end of file\n2\nbash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo a )'\n2\nbash: -c: line 1: syntax error near unexpected token `('\nbash: -c: line 1: `a b=(1)'\n2\n1\na\nbash: -c: line 4: syntax error: unexpected end of file\n2\nbash: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `E')\nx\n0\nbash: eval: line 2: unexpected EOF while looking for matching `)'\none\ns.sh: line 2: syntax error near unexpected token `fi'\ns.sh: line 2: `fi'\none\n./s.sh: line 2: syntax error near unexpected token `fi'\n./s.sh: line 2: `fi'\none\ns.sh: line 2: unexpected EOF while looking for matching `\"'\n2\n",
    0,
  ],
  [
    'x=Àé1; echo ${#x} "${x:1:1}" "${x: -2}"; LC_ALL=C; echo ${#x} "${x:0:2}" "${x: -3}" "${x:2:-1}"; printf \'%d %X\\n\' "\'é" "\'${x:0:1}"; unset LC_ALL; echo ${#x}; u() { local LC_ALL=C s=$1 i c; for ((i = 0; i < ${#s}; i++)); do c=${s:i:1}; case $c in [a-zA-Z0-9.~_-]) printf %s "$c" ;; *) printf \'%%%02X\' "\'$c" ;; esac; done; echo; }; u \'a é/ñ\'; a=(é bb); LC_ALL=POSIX; echo "${#a[0]} ${a[0]:1} ${a[@]:1}" | od -An -c; echo "${#a[@]}"',
    '3 \xc3\xa9 \xc3\xa91\n5 \xc3\x80 \xc3\xa91 \xc3\xa9\n195 C3\n3\na%20%C3%A9%2F%C3%B1\n   2     251       b   b  \\n\n2\n',
    0,
  ],
  [
    'cp a.txt f; cp f g; chmod -x -w f; stat -c %a f; chmod -Rz f; echo $?; chmod --nope f; echo $?; chmod --reference=no f; echo $?; chmod --reference g f; stat -c %a f; chmod -f 600 nofile; echo $?; chmod -- -x f; echo $?; chmod u+q f; echo $?; chmod -w; echo $?; chmod --reference=g -x f; echo $?',
    '444\n1\n1\n1\n644\n1\n0\n1\n1\n1\n',
    0,
  ],
  [
    "split -t ab a.txt p_; echo $?; split -t '' a.txt; echo $?; rev -x a.txt; echo $?; unlink -f a.txt; echo $?; ls a.txt; md5sum --quiet a.txt; echo $?; sha1sum -w a.txt; echo $?; cksum --strict a.txt; echo $?; echo a > f; echo b > g; cp -n -b f g; echo $?; mv -nb --backup=none f g; echo $?; install -u f i; echo $?; ln -u f j; echo $?",
    '1\n1\n1\n1\na.txt\n1\n1\n1\n1\n1\n1\n1\n',
    0,
  ],
  [
    "truncate -s 18 r; truncate -r r -s 5 f; echo $?; for size in +2 -2 '<3' '>30' '/5' '%5'; do truncate -r r -s $size f; stat -c %s f; done; truncate -r no f; echo $?; truncate -s '/0' f; echo $?; truncate -s %0 f; echo $?; stat -c %s f; dd if=num.txt conv=block,sync bs=8 status=none | od -c | tail -2; dd if=num.txt conv=block,unblock status=none | cksum",
    '1\n20\n16\n3\n30\n15\n20\n1\n1\n1\n20\n0000020   .   5  \\n   1   e   3  \\n  \\n   0   0   7  \\n  \\0  \\0  \\0  \\0\n0000040\n28251674 28\n',
    0,
  ],
  [
    "printf '1\\n2\\n' | numfmt --padding=0; echo $?; numfmt --padding=x 1; echo $?; numfmt --padding=+5 1; numfmt --invalid=z 1; echo $?; printf 'a\\303\\251b\\n' | cut -d é -f1; echo $?; printf 'a\\303\\251b\\n' > j; join -t é j j; echo $?; join -a3 j j; echo $?; join -v 0 j j; echo $?; sort -t é j; echo $?",
    '1\n1\n    1\n1\n1\n1\n1\n1\n2\n',
    0,
  ],
]
