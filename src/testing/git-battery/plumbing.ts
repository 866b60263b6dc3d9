// Command lines for scripts: `diff-tree` and similar, `update-index`, `format-patch`, `name-rev`, maintenance. `<<< 'text'` is
// the command's stdin.

/** On `history`; none changes anything. */
export const plumbing: readonly string[] = String.raw`
diff-tree HEAD
diff-tree -r HEAD
diff-tree -t HEAD
diff-tree -p HEAD
diff-tree --root -r HEAD~4
diff-tree --root v1.0~1
diff-tree v1.0~1
diff-tree HEAD~3 HEAD
diff-tree -r HEAD~3 HEAD
diff-tree -r --name-only HEAD~3 HEAD
diff-tree --no-commit-id --name-only -r HEAD
diff-tree --no-commit-id --name-status -r HEAD
diff-tree --name-only HEAD
diff-tree --stat HEAD
diff-tree --stat --summary HEAD~2 HEAD
diff-tree --pretty HEAD
diff-tree --pretty -p HEAD
diff-tree --pretty --stat HEAD
diff-tree --pretty --stat --summary --root v1.0~1
diff-tree --pretty --patch-with-stat HEAD
diff-tree --pretty=oneline -r HEAD
diff-tree --pretty=oneline --root --patch-with-stat v1.0~1
diff-tree --format=%s -r HEAD
diff-tree -v HEAD
diff-tree HEAD~1
diff-tree -m HEAD~1
diff-tree -m -r --name-only HEAD~1
diff-tree -c HEAD~1
diff-tree --cc HEAD~1
diff-tree -c --stat HEAD~1
diff-tree --cc --stat HEAD~1
diff-tree -p -m HEAD~1
diff-tree -r --abbrev HEAD
diff-tree -r --abbrev=10 HEAD
diff-tree -r -z HEAD
diff-tree -r --diff-filter=A HEAD~4 HEAD
diff-tree -r -M v1.0 feature
diff-tree -r -C --find-copies-harder v1.0 feature
diff-tree -r HEAD -- src
diff-tree HEAD~3 HEAD -- src/lib
diff-tree --stdin -r <<< 'HEAD\n'
diff-tree --stdin --no-commit-id -r --name-only <<< 'HEAD\nv1.0\n'
diff-tree --stdin --pretty -s <<< 'HEAD\n'
diff-tree -s --pretty HEAD
diff-tree --always HEAD~1
diff-tree --exit-code HEAD~1 HEAD
diff-tree --quiet HEAD~1 HEAD
diff-tree --merge-base main side
diff-tree nosuch
diff-tree -r v1.0..feature
diff-tree -p --binary HEAD~5 HEAD
diff-tree --numstat HEAD~3 HEAD
diff-tree --shortstat HEAD~3 HEAD
diff-tree
diff-index HEAD
diff-index --cached HEAD
diff-index --cached HEAD --name-only
diff-index HEAD --name-status
diff-index -p HEAD
diff-index --stat HEAD
diff-index --quiet HEAD
diff-index --quiet HEAD --
diff-index --quiet --cached HEAD -- nosuch
diff-index --exit-code HEAD
diff-index HEAD -- src
diff-index -m HEAD
diff-index -r HEAD
diff-index -M HEAD
diff-index --abbrev HEAD
diff-index --cached --merge-base feature
diff-index -z HEAD
diff-index nosuch
diff-index
diff-files
diff-files -p
diff-files --name-only
diff-files --name-status
diff-files --stat
diff-files --quiet
diff-files --exit-code
diff-files -q
diff-files -- src
diff-files --abbrev
diff-files -z
diff-files --diff-filter=D --name-only
update-index --refresh
update-index -q --refresh
ls-files -t
ls-files -v
ls-files -t -m -d -o --exclude-standard
ls-files --format='%(objectmode) %(objectname) %(stage) %(path)'
ls-files --format='%(path)%x41' src
ls-files -d -m --deduplicate
name-rev HEAD
name-rev HEAD~2 HEAD~3 HEAD^2
name-rev --name-only HEAD~1
name-rev --tags HEAD~1
name-rev --tags --name-only HEAD~1 v1.0 HEAD
name-rev --always --tags HEAD
name-rev --no-undefined --tags HEAD
name-rev --refs='refs/heads/f*' feature~1 HEAD
name-rev --exclude='refs/tags/*' HEAD~1
name-rev nosuch
name-rev
name-rev side feature old
name-rev --annotate-stdin <<< 'x 0000000000000000000000000000000000000000 y\n'
cherry main side
cherry -v main side
cherry -v feature main
cherry
cherry -v --abbrev main feature
format-patch --stdout HEAD~1
format-patch --stdout -1 HEAD
format-patch --stdout -1
format-patch --stdout v1.0..feature
format-patch --stdout -2 feature
format-patch --stdout --root v1.0
format-patch --stdout --numbered -1
format-patch --stdout -N -2 feature
format-patch --stdout --subject-prefix='XYZ' -1
format-patch --stdout --rfc -1
format-patch --stdout -v2 -2 feature
format-patch --stdout -k -1
format-patch --stdout --signoff -1
format-patch --stdout --no-stat -1
format-patch --stdout -p -1
format-patch --stdout --no-signature -1
format-patch --stdout --signature=me -1
format-patch --stdout --zero-commit -1
format-patch --stdout --from -1 feature~1
format-patch --stdout --from='A B <a@b.c>' -1
format-patch --stdout --to=x@y.z --cc=a@b.c -1
format-patch --stdout --add-header='X-Foo: bar' -1
format-patch --stdout --in-reply-to='<abc@x>' -1
format-patch --stdout --start-number=5 -2 feature
format-patch --stdout -U1 -1 feature
format-patch --stdout --stat -1
format-patch --stdout --full-index -1 feature
format-patch --stdout HEAD~5..HEAD~3
format-patch --stdout HEAD
check-ref-format refs/heads/x
check-ref-format x
check-ref-format --allow-onelevel x
check-ref-format --normalize refs//heads/x
check-ref-format --branch main
check-ref-format --branch a..b
check-ref-format refs/heads/a.lock
check-ref-format 'refs/heads/a b'
count-objects
ls-files -X .gitignore -o -i
`
  .trim()
  .split('\n')

/** On `conflict`; none changes anything. */
export const plumbingConflict: readonly string[] = String.raw`
diff-files
diff-files --name-status
diff-files --name-only
diff-files -p
diff-files --base
diff-files -2
diff-index HEAD
diff-index --cached HEAD
diff --raw
ls-files -t
ls-files --deduplicate
ls-files -s --abbrev
`
  .trim()
  .split('\n')

/** On a copy of `history`. */
export const writingPlumbing: readonly string[] = String.raw`
update-index --refresh
update-index notes.txt
update-index --add notes.txt
update-index README.md
update-index --remove sub/inner.txt
update-index sub/inner.txt
update-index --force-remove README.md
update-index --chmod=+x README.md
update-index --add --chmod=+x notes.txt
update-index --chmod=-x src/code.js
update-index --assume-unchanged src/numbers.txt ; status -s ; ls-files -v
update-index --assume-unchanged src/numbers.txt ; update-index --no-assume-unchanged src/numbers.txt ; status -s
update-index --skip-worktree src/numbers.txt ; status -s ; ls-files -t
update-index --skip-worktree nosuch
update-index --add --cacheinfo 100644,3e757656cf36eca53338e520d134963a44f793f8,new.txt
update-index --add --cacheinfo 100755 3e757656cf36eca53338e520d134963a44f793f8 new.txt
update-index --cacheinfo 100644,3e757656cf36eca53338e520d134963a44f793f8,new.txt
update-index --cacheinfo 100644,3e757656cf36eca53338e520d134963a44f793f8,README.md
update-index --stdin <<< 'README.md\nsrc/numbers.txt\n'
update-index --add --stdin -z <<< 'notes.txt\0'
update-index --index-info <<< '100644 3e757656cf36eca53338e520d134963a44f793f8\tx/y.txt\n0 0000000000000000000000000000000000000000\tREADME.md\n'
update-index --index-info <<< '100644 3e757656cf36eca53338e520d134963a44f793f8 1\tc\n100644 3e757656cf36eca53338e520d134963a44f793f8 2\tc\n'
update-index --verbose --add notes.txt README.md
update-index src
update-index nosuch
update-index --add nosuch
update-index --remove nosuch
update-index --nosuch
update-index --again
-C src update-index numbers.txt
update-index --really-refresh
update-index --refresh --ignore-missing
update-index --add --replace src/lib
format-patch -1
format-patch -2 feature
format-patch -o out v1.0..feature
format-patch -o out/ -1 -q
format-patch --numbered-files -2 feature
format-patch --suffix=.txt -1
format-patch -v3 -1
format-patch --start-number=7 -1
format-patch nosuch
-C src format-patch -1
commit-tree HEAD^{tree} -m x
commit-tree HEAD^{tree} -p HEAD -m x -m y
commit-tree HEAD^{tree} -p HEAD <<< 'from stdin\n'
commit-tree nosuch
commit-tree
mktree <<< '100644 blob 3e757656cf36eca53338e520d134963a44f793f8\ta\n100644 blob 3e757656cf36eca53338e520d134963a44f793f8\tB\n'
mktree <<< '100644 blob 0000000000000000000000000000000000000001\ta\n'
read-tree HEAD
read-tree --empty
read-tree -m HEAD
read-tree --reset HEAD
read-tree --reset -u HEAD
read-tree --prefix=x/ v1.0
read-tree -m -u HEAD~1
read-tree nosuch
pack-refs --all
pack-refs
gc --auto
fsck
fsck --strict
fsck --root
fsck --tags
prune
prune -n
prune -v
`
  .trim()
  .split('\n')

/** On `history`: merges compared with all of their parents, and what asks for it. */
export const comparingMerges: readonly string[] = String.raw`
diff HEAD~1 HEAD~2 feature
diff feature HEAD~1 HEAD~2
diff --cc HEAD~1 HEAD~2 feature
diff -c HEAD~1 HEAD~2 feature
diff --stat HEAD~1 HEAD~2 feature
diff --raw HEAD~1 HEAD~2 feature
diff --name-only HEAD~1 HEAD~2 feature
diff --name-status HEAD~1 HEAD~2 feature
diff --exit-code HEAD~1 HEAD~2 feature
diff --quiet HEAD~1 HEAD~2 feature
diff HEAD~1^!
diff HEAD~1^@ HEAD~1
diff v1.0 HEAD feature old
diff v1.0 HEAD feature -- src
diff v1.0 HEAD feature
diff --raw v1.0 HEAD feature
diff HEAD v1.0 nosuch
log --diff-merges=first-parent --format=%s
log --diff-merges=cc --format=%s
log --diff-merges=c --format=%s -3
log --diff-merges=on --format=%s -3
log --diff-merges=1 --stat --format=%s
log --diff-merges=off -p --format=%s -3
log --diff-merges=dense
show --diff-merges=1 HEAD~1
diff-tree --diff-merges=cc HEAD~1
diff-tree --diff-merges=1 HEAD~1
diff-tree --diff-merges=off HEAD~1
diff-tree -c -p --raw HEAD~1
`
  .split('\n')
  .filter(line => line !== '')
