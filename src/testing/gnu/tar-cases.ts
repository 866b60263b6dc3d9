// What GNU tar 1.34 answers: see gnu-cases.ts. Listings are sorted, because tar lists a directory in the order of the file system.

import type { GnuCase } from './gnu-cases.ts'

export const tarCases: readonly GnuCase[] = [
  ["tar cf t.tar src a.txt; tar tf t.tar --wildcards '*.ts' | sort", 'src/deep/y.ts\nsrc/x.ts\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar --wildcards 'src/*.ts' 'a.*' | sort", 'a.txt\nsrc/deep/y.ts\nsrc/x.ts\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar --wildcards '*/deep' | sort", 'src/deep/\nsrc/deep/y.ts\nsrc/deep/z.md\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar --wildcards '?rc/[d]*' | sort", 'src/deep/\nsrc/deep/y.ts\nsrc/deep/z.md\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar --wildcards 'deep*'; echo $?", '2\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar --wildcards nope '*.md'; echo $?", 'src/deep/z.md\n2\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar '*.ts'; echo $?", '2\n', 0],
  ["tar cf t.tar src a.txt; tar tf t.tar '*.ts' --wildcards; echo $?", '2\n', 0],
  ["printf '*.md\\n' > n; tar cf t.tar src; tar tf t.tar --wildcards -T n", 'src/deep/z.md\n', 0],
  ["printf '*.md\\n' > n; tar cf t.tar src; tar tf t.tar -T n; echo $?", '2\n', 0],
  [
    "tar cf t.tar src a.txt; rm -r src; tar xf t.tar --wildcards '*.ts'; find src | sort",
    'src\nsrc/deep\nsrc/deep/y.ts\nsrc/x.ts\n',
    0,
  ],
  [
    "echo x > '[a].txt'; tar cf t.tar '[a].txt' a.txt; tar tf t.tar '[a].txt'; tar tf t.tar --wildcards '[a].txt'",
    '[a].txt\na.txt\n',
    0,
  ],
  ["tar cf t.tar --exclude='src/*.ts' src; tar tf t.tar | sort", 'src/\nsrc/deep/\nsrc/deep/z.md\n', 0],
  ["tar cf t.tar --exclude='de*p' src; tar tf t.tar | sort", 'src/\nsrc/x.ts\n', 0],
  ["tar cf t.tar src; tar tf t.tar --exclude='s*/z*' | sort", 'src/\nsrc/deep/\nsrc/deep/y.ts\nsrc/x.ts\n', 0],
  ["printf '*.ts\\n\\n# z\\n' > ex; tar cf t.tar -X ex src; tar tf t.tar | sort", 'src/\nsrc/deep/\nsrc/deep/z.md\n', 0],
  [
    "printf '*.ts\\n' > ex; printf 'z.md\\n' > ey; tar cf t.tar -X ex --exclude-from=ey src; tar tf t.tar | sort",
    'src/\nsrc/deep/\n',
    0,
  ],
  ["printf '*.ts\\n' > ex; tar cf t.tar src; tar tf t.tar -X ex | sort", 'src/\nsrc/deep/\nsrc/deep/z.md\n', 0],
  ["printf 'deep\\n' > ex; tar cf t.tar src; rm -r src; tar xf t.tar -X ex; find src | sort", 'src\nsrc/x.ts\n', 0],
  ["printf '*.ts\\n' | tar cf t.tar -X - src; tar tf t.tar | sort", 'src/\nsrc/deep/\nsrc/deep/z.md\n', 0],
  ['tar cXf nope t.tar src; echo $?', '2\n', 0],
  ["printf 'x.ts\\n' > ex; tar cfX t.tar ex src; tar tf t.tar | sort", 'src/\nsrc/deep/\nsrc/deep/y.ts\nsrc/deep/z.md\n', 0],
]
