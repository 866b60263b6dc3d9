// Command lines about patches in emails, and about the first line of a message that has several.

/** On `history`. */
export const readingMail: readonly string[] = String.raw`
format-patch --stdout v1.0..feature
format-patch --stdout --no-binary --root v1.0~1
format-patch --stdout --from -1 feature~1
format-patch --stdout --from=me -1 feature~1
format-patch --stdout -o x -1
format-patch --stdout --no-encode-email-headers -1 feature
format-patch --stdout --attach v1.0..feature
format-patch --stdout --inline=between --to=a@b --numbered-files -2 feature
format-patch --stdout --attach -p -1 feature
format-patch --stdout --inline --raw --signature=me -1 feature~1
format-patch --stdout --attach --no-attach -1 feature
format-patch --stdout --numstat -1 feature~1
format-patch --stdout --shortstat --summary -1 feature~1
-c format.signoff=true format-patch --stdout -1 feature
-c format.signature= format-patch --stdout -1 feature
-c format.signature=me format-patch --stdout -1 feature
-c format.numbered=true format-patch --stdout -1 feature
-c format.numbered=false format-patch --stdout -2 feature
-c format.headers="X-A: b" format-patch --stdout -1 feature
-c format.to=a@b -c format.cc=c@d format-patch --stdout -1 feature
-c format.from=true format-patch --stdout -1 feature~1
-c format.from=true -c format.forceinbodyfrom=true format-patch --stdout -1 feature
-c core.whitespace=-trailing-space diff --check
-c core.whitespace=tab-in-indent diff --check HEAD~5
-c core.excludesFile=/dev/null status -s
-c core.attributesFile=/dev/null diff --stat
`
  .trim()
  .split('\n')

const topic = 'reset -q --hard ; checkout -q -b topic v1.0'
const clash = String.raw`${topic} ; !sed -i s/return.2/return-2/ src/code.js ; commit -qam clash ; format-patch -q -o p v1.0..feature`
const lines = `commit -q --allow-empty -F - <<< 'one line\\ntwo lines\\n\\nbody\\n'`

/** On a copy of `history`. */
export const writingMail: readonly string[] = [
  ...String.raw`
-c format.outputdirectory=od format-patch -1 feature
-c format.filenamemaxlength=20 format-patch -1 feature
commit --allow-empty -m empty ; format-patch -2
commit --allow-empty -m empty ; format-patch --stdout --always -1
commit --allow-empty -m "sübject" -m "bödy" ; format-patch --stdout --attach --always -1
commit --allow-empty -m empty ; format-patch --stdout --attach --always -1
notes add -m "a note" HEAD ; diff-tree --root --format=%s%n%N HEAD
diff -I "[a" HEAD~1
commit --allow-empty -m "sübject" ; format-patch --stdout --always -1
`
    .trim()
    .split('\n'),
  `${topic} ; format-patch -q -o p v1.0..feature ; am p/0001-feat-add-docs.patch p/0002-Rename-the-first-file-and-make-the-code-executable.patch`,
  `${topic} ; format-patch -q -o p v1.0..feature ; am -b p/0001-feat-add-docs.patch`,
  `${topic} ; format-patch -q -o p v1.0..feature ; am --no-verify p/0001-feat-add-docs.patch`,
  `${topic} ; !printf 'diff --git a/README.md b/README.md\n' > raw ; am raw`,
  `${topic} ; !printf 'From: A <a@b>\nDate: Thu, 1 Jan 2015 10:00:00 +0100\nSubject: one\n\nx\n\n-- >8 --\nSubject: two\n\ntext\n---\n\ndiff --git a/z b/z\nnew file mode 100644\n--- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+x \n' > mail ; am -c mail`,
  `${topic} ; !printf 'From: A <a@b>\nDate: Thu, 1 Jan 2015 10:00:00 +0100\nSubject: one\nContent-Type: text/plain; charset=ISO-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nB=F6dy\n---\n\ndiff --git a/z b/z\nnew file mode 100644\n--- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+x\n' > mail ; am mail ; log -1`,
  `${topic} ; !printf 'a\r\nb\r\n' > z ; add z ; commit -qm z ; !printf 'a\r\nc\r\n' > z ; commit -qam crlf ; format-patch -q -o p -1 ; reset -q --hard HEAD~1 ; am p/0001-crlf.patch`,
  `${topic} ; !printf 'a\r\nb\r\n' > z ; add z ; commit -qm z ; !printf 'a\r\nc\r\n' > z ; commit -qam crlf ; format-patch -q -o p -1 ; reset -q --hard HEAD~1 ; am --keep-cr p/0001-crlf.patch`,
  `${topic} ; !printf 'a\r\nb\r\n' > z ; add z ; commit -qm z ; !printf 'a\r\nc\r\n' > z ; commit -qam crlf ; format-patch -q -o p -1 ; reset -q --hard HEAD~1 ; apply p/0001-crlf.patch`,
  `${clash} ; am p/0001-feat-add-docs.patch ; status`,
  `${clash} ; am -3 p/0001-feat-add-docs.patch ; status`,
  `${clash} ; am --reject p/0001-feat-add-docs.patch ; status`,
  `${clash} ; -c am.threeWay=true am p/0001-feat-add-docs.patch ; am --abort ; status`,
  `${topic} ; mv src/code.js moved.js ; commit -qm mv ; format-patch -q -o p v1.0..feature ; am -3 p/0001-feat-add-docs.patch ; log --stat -1`,
  `${topic} ; format-patch -q -o p v1.0..feature ; am -3 p/0001-feat-add-docs.patch p/0001-feat-add-docs.patch ; log --oneline -3`,
  `${topic} ; format-patch -q -o p v1.0..feature ; !echo x >> README.md ; add README.md ; am p/0001-feat-add-docs.patch ; am --abort ; status -s`,
  `${topic} ; format-patch -q -o p v1.0..feature ; am -p2 p/0001-feat-add-docs.patch ; am --skip ; status -s`,
  `${topic} ; !printf 'From: A <a@b>\nSubject: none\n\nx\n' > mail ; am mail ; status`,
  `reset -q --hard ; ${lines} ; reflog -1`,
  `reset -q --hard ; ${lines} ; commit --amend --no-edit -q ; reflog -1`,
  `reset -q --hard ; !sed -i s/Text/Tex/ README.md ; add . ; ${lines} ; revert --no-edit HEAD ; log -1`,
  `reset -q --hard ; !sed -i s/Text/Tex/ README.md ; add . ; ${lines} ; blame --porcelain README.md`,
  `reset -q --hard ; checkout -q -b x ; !sed -i s/Text/Tex/ README.md ; add . ; ${lines} ; checkout -q main ; !sed -i s/Text/Te/ README.md ; commit -qam y ; cherry-pick x ; diff`,
  `reset -q --hard ; checkout -q -b x ; !sed -i s/Text/Tex/ README.md ; add . ; ${lines} ; checkout -q main ; !sed -i s/Text/Te/ README.md ; commit -qam y ; checkout -q x ; rebase main ; status`,
]
