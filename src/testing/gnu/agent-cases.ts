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
]
