// What GNU's patch 2.7.6 answers, taken from it and asked of it again as the rows of gnu-cases.ts are.

import type { GnuCase } from './gnu-cases.ts'

export const patchCases: readonly GnuCase[] = [
  [
    "sed '15s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '14s/$/ x/' lines.txt; patch lines.txt p; echo $?; sed -n 15p lines.txt; tail -n +3 lines.txt.rej",
    'patching file lines.txt\nHunk #1 FAILED at 12.\n1 out of 1 hunk FAILED -- saving rejects to file lines.txt.rej\n1\nline 15\n@@ -12,7 +12,7 @@\n line 12\n line 13\n line 14\n-line 15\n+LINE 15\n line 16\n line 17\n line 18\n',
    0,
  ],
  [
    "printf -- 'diff --git a/b.txt b/b.txt\\nold mode 100644\\nnew mode 100755\\n' | patch -p1; stat -c %a b.txt",
    'patching file b.txt\n755\n',
    0,
  ],
  [
    'diff -u a.txt b.txt | patch -o out a.txt; cmp out b.txt; echo $?; head -1 a.txt',
    'patching file out (read from a.txt)\n0\napple 3 red\n',
    0,
  ],
  [
    "printf -- '--- a/b.txt\\n+++ /dev/null\\n@@ -1,2 +0,0 @@\\n-banana 1 yellow\\n-cherry 22 red\\n' | patch -p1; echo $?; cat b.txt",
    'patching file b.txt\nNot deleting file b.txt as content differs from patch\n1\nelder 5 black\n',
    0,
  ],
  [
    "printf -- '--- a.txt\\n+++ a.txt\\n@@ -1,3 +1,3 @@\\n apple 3 red\\n-banana 1 yellow\\n+BANANA\\n cherry 2 red\\n' | patch; cat a.txt",
    'patching file a.txt\napple 3 red\nBANANA\ncherry 2 red\napple 3 red\ndate 10 brown\n',
    0,
  ],
  [
    "printf -- '--- a/a.txt\\n+++ b/a.txt\\n@@ -1,3 +1,3 @@\\n apple 3 red\\n-banana 1 yellow\\n+BANANA\\n cherry 2 red\\n' | patch -p1; cat a.txt; ls",
    'patching file a.txt\napple 3 red\nBANANA\ncherry 2 red\napple 3 red\ndate 10 brown\na.txt\nb.txt\nbin.dat\nblank.txt\nbom.txt\ncode.ts\ncrlf.txt\ncsv.csv\ndata.json\nempty.txt\nlines.txt\nlong.txt\nnonl.txt\nnul.txt\nnum.txt\nsp ace\nsrc\ntabs.tsv\nutf8.txt\n',
    0,
  ],
  [
    "printf -- 'diff --git a/a.txt b/a.txt\\nindex 1..2 100644\\n--- a/a.txt\\n+++ b/a.txt\\n@@ -2 +2 @@\\n-banana 1 yellow\\n+BANANA\\n' > p; patch -p1 < p; patch -p1 -i p -R; cat a.txt",
    'patching file a.txt\npatching file a.txt\napple 3 red\nbanana 1 yellow\ncherry 2 red\napple 3 red\ndate 10 brown\n',
    0,
  ],
  [
    "sed 's/cherry/CHERRY/' a.txt > c.txt; diff -u a.txt c.txt > p; patch --dry-run a.txt p; patch a.txt < p; cmp a.txt c.txt; echo $?; patch -R a.txt p; head -3 a.txt",
    'checking file a.txt\npatching file a.txt\n0\npatching file a.txt\napple 3 red\nbanana 1 yellow\ncherry 2 red\n',
    0,
  ],
  [
    "sed '15s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '1i zero' lines.txt; patch lines.txt p; sed -n 16p lines.txt; ls lines*",
    'patching file lines.txt\nHunk #1 succeeded at 13 (offset 1 line).\nLINE 15\nlines.txt\nlines.txt.orig\n',
    0,
  ],
  [
    "sed '15s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '1i zero\\n00' lines.txt; patch lines.txt p; sed -n 17p lines.txt",
    'patching file lines.txt\nHunk #1 succeeded at 14 (offset 2 lines).\nLINE 15\n',
    0,
  ],
  [
    "sed '15s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '12s/$/ x/' lines.txt; patch lines.txt p; sed -n 15p lines.txt; cmp lines.txt.orig lines.txt; echo $?",
    'patching file lines.txt\nHunk #1 succeeded at 12 with fuzz 1.\nLINE 15\nlines.txt.orig lines.txt differ: byte 106, line 15\n1\n',
    0,
  ],
  [
    "sed '15s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '15s/$/ x/' lines.txt; patch --dry-run lines.txt p; echo $?; ls lines*",
    'checking file lines.txt\nHunk #1 FAILED at 12.\n1 out of 1 hunk FAILED\n1\nlines.txt\n',
    0,
  ],
  [
    "sed '15s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '15s/$/ x/' lines.txt; patch lines.txt p; echo $?; tail -n +3 lines.txt.rej",
    'patching file lines.txt\nHunk #1 FAILED at 12.\n1 out of 1 hunk FAILED -- saving rejects to file lines.txt.rej\n1\n@@ -12,7 +12,7 @@\n line 12\n line 13\n line 14\n-line 15\n+LINE 15\n line 16\n line 17\n line 18\n',
    0,
  ],
  [
    "sed '15s/line/LINE/;3s/line/LINE/' lines.txt > n; diff -u lines.txt n > p; sed -i '1i zero' lines.txt; patch lines.txt p; sed -n '4p;16p' lines.txt",
    'patching file lines.txt\nHunk #1 succeeded at 2 with fuzz 1 (offset 1 line).\nHunk #2 succeeded at 13 (offset 1 line).\nLINE 3\nLINE 15\n',
    0,
  ],
  [
    "sed '15s/line/LINE/;3d' lines.txt > n; diff -u lines.txt n > p; sed -i '9i zero' lines.txt; patch lines.txt p; sed -n '3p;15p' lines.txt",
    'patching file lines.txt\nHunk #2 succeeded at 12 (offset 1 line).\nline 4\nLINE 15\n',
    0,
  ],
  [
    'diff -u a.txt b.txt > p; patch a.txt p; cmp a.txt b.txt; echo $?; patch -N a.txt p; echo $?; cat a.txt.rej | tail -n +3 | head -3',
    'patching file a.txt\n0\npatching file a.txt\nReversed (or previously applied) patch detected!  Skipping patch.\n1 out of 1 hunk ignored -- saving rejects to file a.txt.rej\n1\n@@ -1,5 +1,3 @@\n-apple 3 red\n banana 1 yellow\n',
    0,
  ],
  [
    'diff -u a.txt b.txt > p; patch -s a.txt p; patch -N --dry-run a.txt p; echo $?; ls *.rej',
    'checking file a.txt\nReversed (or previously applied) patch detected!  Skipping patch.\n1 out of 1 hunk ignored\n1\n',
    2,
  ],
  [
    "printf -- '--- /dev/null\\n+++ b/new/dir/f.txt\\n@@ -0,0 +1,2 @@\\n+one\\n+two\\n' | patch -p1; cat new/dir/f.txt",
    'patching file new/dir/f.txt\none\ntwo\n',
    0,
  ],
  [
    "printf -- 'diff --git a/n.sh b/n.sh\\nnew file mode 100755\\nindex 000..111\\n--- /dev/null\\n+++ b/n.sh\\n@@ -0,0 +1 @@\\n+echo hi\\n' | patch -p1; ./n.sh; stat -c %a n.sh",
    'patching file n.sh\nhi\n755\n',
    0,
  ],
  [
    "printf -- '--- a/b.txt\\n+++ /dev/null\\n@@ -1,3 +0,0 @@\\n-banana 1 yellow\\n-cherry 22 red\\n-elder 5 black\\n' | patch -p1; ls b.txt; echo $?",
    'patching file b.txt\n2\n',
    0,
  ],
  [
    "printf -- 'diff --git a/b.txt b/c/d.txt\\nsimilarity index 90%%\\nrename from b.txt\\nrename to c/d.txt\\n--- a/b.txt\\n+++ b/c/d.txt\\n@@ -1 +1 @@\\n-banana 1 yellow\\n+B\\n' | patch -p1; cat c/d.txt; ls b.txt 2>/dev/null; echo $?",
    'patching file c/d.txt (renamed from b.txt)\nB\ncherry 22 red\nelder 5 black\n2\n',
    0,
  ],
  [
    "printf -- 'diff --git a/b.txt b/d.txt\\nsimilarity index 100%%\\nrename from b.txt\\nrename to d.txt\\n' | patch -p1; ls d.txt b.txt 2>/dev/null",
    'patching file d.txt (renamed from b.txt)\nd.txt\n',
    2,
  ],
  [
    "printf -- 'diff --git a/b.txt b/d.txt\\nsimilarity index 100%%\\ncopy from b.txt\\ncopy to d.txt\\n' | patch -p1; cmp d.txt b.txt; echo $?",
    'patching file d.txt (copied from b.txt)\n0\n',
    0,
  ],
  [
    "printf -- '--- a/nonl.txt\\n+++ b/nonl.txt\\n@@ -2,2 +2,2 @@\\n second\\n-last without newline\\n\\\\ No newline at end of file\\n+last with\\n' | patch -p1; cat nonl.txt",
    'patching file nonl.txt\nfirst\nsecond\nlast with\n',
    0,
  ],
  [
    "printf -- '--- a/nonl.txt\\n+++ b/nonl.txt\\n@@ -2,2 +2,2 @@\\n second\\n-last without newline\\n\\\\ No newline at end of file\\n+still\\n\\\\ No newline at end of file\\n' | patch -p1; cat nonl.txt",
    'patching file nonl.txt\nfirst\nsecond\nstill',
    0,
  ],
  [
    "printf -- '--- a/nonl.txt\\n+++ b/nonl.txt\\n@@ -2,2 +2,2 @@\\n second\\n-last without newline\\n+last with\\n' | patch -p1 >/dev/null; echo $?; cat nonl.txt",
    '1\nfirst\nsecond\nlast without newline',
    0,
  ],
  [
    "printf -- '--- a/b.txt\\n+++ b/b.txt\\n@@ -3 +3 @@\\n-elder 5 black\\n+e\\n\\\\ No newline at end of file\\n' | patch -p1; cat b.txt",
    'patching file b.txt\nbanana 1 yellow\ncherry 22 red\ne',
    0,
  ],
  ["printf 'garbage\\nhello\\n' | patch -p1; echo $?", '2\n', 0],
  ["printf '' | patch -p1; echo $?", '0\n', 0],
  ["printf -- '--- a/zzz.txt\\n+++ b/zzz.txt\\n@@ -1 +1 @@\\n-x\\n+y\\n' | patch -p1 >/dev/null; echo $?", '1\n', 0],
  ["printf -- '--- a/../../etc/x\\n+++ b/../../etc/x\\n@@ -0,0 +1 @@\\n+x\\n' | patch -p1 >/dev/null; echo $?", '1\n', 0],
  [
    "printf -- '--- a/a.txt\\r\\n+++ b/a.txt\\r\\n@@ -1,2 +1,2 @@\\r\\n apple 3 red\\r\\n-banana 1 yellow\\r\\n+B\\r\\n' | patch -p1; head -2 a.txt | xxd | head -2",
    '(Stripping trailing CRs from patch; use --binary to disable.)\npatching file a.txt\nHunk #1 succeeded at 1 with fuzz 1.\n00000000: 6170 706c 6520 3320 7265 640a 420a       apple 3 red.B.\n',
    0,
  ],
  [
    "printf -- '--- a/crlf.txt\\n+++ b/crlf.txt\\n@@ -1,2 +1,2 @@\\n one 1\\r\\n-two 2\\r\\n+TWO\\r\\n' | patch -p1; cat -A crlf.txt",
    'patching file crlf.txt\nHunk #1 succeeded at 1 with fuzz 1.\none 1^M$\nTWO^M$\nthree 3^M$\n',
    0,
  ],
  [
    "printf -- '--- a/crlf.txt\\n+++ b/crlf.txt\\n@@ -1,2 +1,2 @@\\n one 1\\n-two 2\\n+TWO\\n' | patch -p1 >/dev/null; echo $?; cat -A crlf.txt",
    '1\none 1^M$\ntwo 2^M$\nthree 3^M$\n',
    0,
  ],
  [
    "printf -- '--- src/x.ts\\n+++ src/x.ts\\n@@ -1 +1 @@\\n-export const x = 1\\n+export const x = 2\\n--- src/deep/y.ts\\n+++ src/deep/y.ts\\n@@ -1 +1 @@\\n-export const y = 2 // TODO\\n+export const y = 3\\n' | patch -p0; cat src/x.ts src/deep/y.ts",
    'patching file src/x.ts\npatching file src/deep/y.ts\nexport const x = 2\nexport const y = 3\n',
    0,
  ],
  [
    "printf -- '--- src/x.ts\\n+++ src/x.ts\\n@@ -1 +1 @@\\n-export const x = 1\\n+export const x = 2\\n' | (cd src && patch); cat src/x.ts",
    'patching file x.ts\nexport const x = 2\n',
    0,
  ],
  [
    "printf -- '--- x.ts\\n+++ x.ts\\n@@ -1 +1 @@\\n-export const x = 1\\n+export const x = 2\\n' | patch -d src; cat src/x.ts",
    'patching file x.ts\nexport const x = 2\n',
    0,
  ],
  ['diff -u a.txt b.txt | patch -b a.txt; cmp a.txt b.txt; head -1 a.txt.orig', 'patching file a.txt\napple 3 red\n', 0],
  [
    "printf -- '--- a.txt\\n+++ a.txt\\n@@ -1,2 +1,3 @@\\n apple 3 red\\n+new\\n banana 1 yellow\\n@@ -4,2 +5,3 @@\\n apple 3 red\\n+another\\n date 10 brown\\n' | patch; cat a.txt",
    'patching file a.txt\napple 3 red\nnew\nbanana 1 yellow\ncherry 2 red\napple 3 red\nanother\ndate 10 brown\n',
    0,
  ],
  [
    "printf -- '--- a.txt\\n+++ a.txt\\n@@ -2,0 +3 @@\\n+inserted\\n' | patch; cat a.txt",
    'patching file a.txt\napple 3 red\nbanana 1 yellow\ninserted\ncherry 2 red\napple 3 red\ndate 10 brown\n',
    0,
  ],
  [
    "printf -- '--- a.txt\\n+++ a.txt\\n@@ -1,2 +1,2 @@\\n apple  3   red\\n-banana 1  yellow\\n+B\\n' | patch -l; cat a.txt",
    'patching file a.txt\nHunk #1 succeeded at 1 with fuzz 1.\napple 3 red\nB\ncherry 2 red\napple 3 red\ndate 10 brown\n',
    0,
  ],
  [
    "printf -- '--- blank.txt\\n+++ blank.txt\\n@@ -1,4 +1,4 @@\\n a\\n\\n\\n-b\\n+B\\n' | patch; cat blank.txt",
    'patching file blank.txt\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED -- saving rejects to file blank.txt.rej\na\n\n\nb\n  \n\tindented\n\n',
    0,
  ],
  ["printf -- '--- empty.txt\\n+++ empty.txt\\n@@ -0,0 +1 @@\\n+x\\n' | patch; cat empty.txt", 'patching file empty.txt\nx\n', 0],
  [
    "printf -- '--- /dev/null\\n+++ b/b.txt\\n@@ -0,0 +1 @@\\n+x\\n' | patch -p1 -N >/dev/null; echo $?; cat b.txt",
    '1\nbanana 1 yellow\ncherry 22 red\nelder 5 black\n',
    0,
  ],
  [
    "printf -- '--- a.txt\\n+++ a.txt\\n@@ -3,3 +3,2 @@\\n cherry 2 red\\n-apple 3 red\\n date 10 brown\\n' | patch --verbose >/dev/null; cat a.txt",
    'apple 3 red\nbanana 1 yellow\ncherry 2 red\ndate 10 brown\n',
    0,
  ],
  [
    "printf -- '--- a.txt\\n+++ a.txt\\n@@ -10,3 +10,2 @@\\n cherry 2 red\\n-apple 3 red\\n date 10 brown\\n' | patch; cat a.txt",
    'patching file a.txt\nHunk #1 succeeded at 3 (offset -7 lines).\napple 3 red\nbanana 1 yellow\ncherry 2 red\ndate 10 brown\n',
    0,
  ],
  ['diff -u lines.txt a.txt | patch -F0 -s lines.txt; cmp lines.txt a.txt; echo $?', '0\n', 0],
]
