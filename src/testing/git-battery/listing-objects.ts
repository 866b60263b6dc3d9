// `rev-list --objects`: which objects, in which order, under which names.

/** On `history`. */
export const listingObjects: readonly string[] = String.raw`
rev-list --objects HEAD
rev-list --objects -2 HEAD
rev-list --objects --all
rev-list --objects --all --not v1.0
rev-list --objects --tags
rev-list --objects v2.0
rev-list --objects v2.0 ^v2.0~3
rev-list --objects HEAD ^v2.0
rev-list --objects v1.0..HEAD
rev-list --objects main..side
rev-list --objects main...side
rev-list --objects --left-right main...side
rev-list --objects --left-right --count main...side
rev-list --objects --count HEAD
rev-list --objects --count v1.0..HEAD
rev-list --objects --quiet HEAD
rev-list --objects --no-object-names HEAD
rev-list --objects --object-names -1 HEAD
rev-list --objects --in-commit-order HEAD
rev-list --objects --in-commit-order v1.0..v2.0
rev-list --objects --reverse HEAD
rev-list --objects --reverse -2 v1.0..HEAD
rev-list --objects --topo-order HEAD
rev-list --objects --boundary v1.0..feature
rev-list --objects --parents -3 HEAD
rev-list --objects --children -3 HEAD
rev-list --objects --timestamp -1 HEAD
rev-list --objects --oneline -2 HEAD
rev-list --objects --pretty=%s -2 HEAD
rev-list --objects --format=%an --no-commit-header -2 HEAD
rev-list --objects --abbrev-commit -1 HEAD
rev-list --objects --first-parent HEAD
rev-list --objects --no-merges v1.0..HEAD
rev-list --objects --merges v1.0..HEAD
rev-list --objects --skip=2 v1.0..HEAD
rev-list --objects --author=Other v1.0..HEAD
rev-list --objects --no-walk HEAD v1.0
rev-list --objects --since=2020-09-13T12:35:00 HEAD
rev-list --objects --since=2020-09-13T12:35:00 v1.0..HEAD
rev-list --objects --until=2020-09-13T12:35:00 HEAD
rev-list --objects --ancestry-path v1.0..HEAD
rev-list --objects --cherry-pick main...side
rev-list --objects --simplify-by-decoration HEAD
rev-list --objects HEAD -- src
rev-list --objects HEAD -- src/lib README.md
rev-list --objects HEAD -- src/code.js
rev-list --objects v1.0..HEAD -- src
rev-list --objects v1.0..HEAD -- docs
rev-list --objects --full-history HEAD -- src/code.js
rev-list --objects HEAD:src
rev-list --objects HEAD:src/lib
rev-list --objects HEAD:src/code.js
rev-list --objects -1 HEAD HEAD:src v1.0:src
rev-list --objects HEAD^{tree}
rev-list --objects HEAD:src ^HEAD~3:src
rev-list --objects HEAD:src/code.js ^v1.0:src/code.js
rev-list --objects -1 HEAD ^HEAD:src
rev-list --objects HEAD ^v1.0^{tree}
rev-list --objects v2.0 v2.0
rev-list --objects ^v2.0 v2.0
rev-list --objects nosuch
rev-list --objects
rev-list --objects --stdin <<< 'HEAD\n^v1.0\n'
rev-list --object-names -1 HEAD
rev-list --in-commit-order -2 HEAD
`
  .trim()
  .split('\n')
