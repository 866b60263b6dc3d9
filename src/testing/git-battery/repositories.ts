// The scripted repositories of the battery.

/** Shell commands that make the repository in the current directory. `at N` sets the clock to N seconds after the first commit. */
export const history: string = String.raw`
git init -q -b main .
git config user.name Coder && git config user.email coder@example.com
mkdir -p src/lib docs
seq 1 40 > src/numbers.txt
printf 'function one() {\n  return 1\n}\n\nfunction two() {\n  return 2\n}\n' > src/code.js
printf '# Title\n\nText.\n' > README.md
printf 'x\0y' > data.bin
printf 'lib\nsome\nmore\nlines\nhere\n' > src/lib/first.txt
printf '*.log\nbuild/\n!keep.log\n' > .gitignore
at 0; git add . && git commit -qm "First commit" -m "With a body
of two lines."
sed -i 's/^20$/twenty/' src/numbers.txt; echo more >> README.md
at 100; git commit -qam "Change numbers and the page"; git tag v1.0
git checkout -q -b feature
sed -i 's/return 2/return 22/' src/code.js; echo new > docs/new.txt; git add .
at 200; GIT_AUTHOR_NAME=Other GIT_AUTHOR_EMAIL=other@example.com git commit -qm "feat: add docs" -m "Closes a gap."
git mv src/lib/first.txt src/lib/renamed.txt; chmod +x src/code.js; git add .
at 300; git commit -qm "Rename the first file and make the code executable"
git checkout -q main
sed -i 's/^5$/five/' src/numbers.txt
at 400; git commit -qam "fix: write five"
git rm -q data.bin
at 500; git commit -qm "Drop the data"
at 600; git merge -q --no-ff -m "Merge branch 'feature'" feature
at 700; git tag -a v2.0 -m "Version two
with more lines"
git checkout -q -b side HEAD~1; echo side > side.txt; git add side.txt; at 800; git commit -qm "Side work"; git checkout -q main
git branch old v1.0
printf 'no end' > "with space.txt"; mkdir sub; echo inner > sub/inner.txt; ln -s README.md link; git add .
at 900; git commit -qm "Add a link and odd names"
git update-ref refs/remotes/origin/main HEAD~1; git config remote.origin.url https://example.com/x.git; git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config branch.main.remote origin; git config branch.main.merge refs/heads/main
echo staged >> README.md; git add README.md; echo unstaged >> README.md
sed -i 's/^33$/thirty-three/' src/numbers.txt
git rm -q --cached docs/new.txt; rm sub/inner.txt
echo untracked > notes.txt; mkdir -p tmp/deep; echo x > tmp/deep/f.txt; echo y > a.log; mkdir build; echo z > build/out
printf 'brand new\nfile\n' > src/added.txt; git add src/added.txt
at 1000`

/** A merge that stopped at a conflict. */
export const conflict: string = String.raw`
git init -q -b main .
git config user.name Coder && git config user.email coder@example.com
seq 1 12 > a.txt; echo base > b.txt; echo gone > c.txt; git add .; at 0; git commit -qm base
git checkout -q -b theirs; sed -i 's/^6$/six of theirs/' a.txt; echo theirs > b.txt; git rm -q c.txt; echo t > d.txt; git add .; at 100; git commit -qm "Their work"
git checkout -q main; sed -i 's/^6$/six of ours/' a.txt; echo changed >> c.txt; echo o > d.txt; git add .; at 200; git commit -qm "Our work"
at 300; git merge -q theirs >/dev/null 2>&1 || true`

/** Two branches: `other` adds files of many kinds, and main continues. Nothing is edited. */
export const apart: string = String.raw`
git init -q -b main .
git config user.name Coder && git config user.email coder@example.com
seq 1 20 > kept.txt; echo gone > gone.txt; printf '*.skip\n' > .gitignore; mkdir sub; echo s > sub/s.txt; at 0; git add .; git commit -qm base
git checkout -q -b other; echo theirs > new.txt; echo theirs > "a b.txt"; mkdir -p deep/er; echo theirs > deep/er/file.txt; echo theirs > out.skip; git rm -q gone.txt; sed -i s/^3$/three/ kept.txt; at 100; git add -f .; git commit -qm other
git checkout -q main; sed -i s/^18$/eighteen/ kept.txt; at 200; git commit -qam "main goes on"`
