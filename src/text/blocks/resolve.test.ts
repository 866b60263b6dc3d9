import { describe, expect, it } from 'vitest'
import { documentOf, textOf } from '../../core/text.ts'
import { applyHunks } from '../hashline/apply.ts'
import { parseScript } from '../hashline/parse.ts'
import { loadBlockResolver, loadSyntaxCheck } from './resolve.ts'

// Each row is the last line of the block that the line opens, and the line itself; no number if no block begins there.
const tables: readonly (readonly [path: string, table: string])[] = [
  [
    'a.ts',
    `
 1|import x from 'x'
37|@Component({
 3|  a: 1,
  |})
37|export class A<T> extends B {
 6|  @Input() x: string = 'a'
  |
36|  @Deco()
  |  async m(
10|    a: number,
11|    b: number,
  |  ): Promise<void> {
19|    if (a) {
14|      b()
  |    } else if (c) {
16|      d()
  |    } else {
18|      e()
  |    }
28|    for (const x of y) {
27|      switch (x) {
22|        case 1:
23|          foo()
24|          break
25|        default:
26|          bar()
  |      }
  |    }
35|    try {
30|      f()
  |    } catch (e) {
32|      g()
  |    } finally {
34|      h()
  |    }
  |  }
  |}
46|const f = async (x: number) => {
45|  return {
40|    a: 1,
41|    ...rest,
44|    b() {
43|      return 1
  |    },
  |  }
  |}
49|type X =
49|  | 'a'
  |  | 'b'
53|interface I {
51|  a: string
52|  b(): void
  |}
60|promise
  |  .then(() => {
56|    x
  |  })
  |  .catch(e => {
59|    y
  |  })
63|foo({
62|  a: 1
  |}, 2);
68|foo(
  |  () => {
  |  }, y => {
  |  },
  |)
  |a(); b({
  |})
71|enum E { A }
73|export default function () {
  |}
75|label: while (true) {
  |}
78|it('does', async () => {
77|  x
  |})
`,
  ],
  [
    'b.py',
    `
 1|import a
31|@dec
 3|@dec2(1)
31|class A(B):
 6|    """doc
  |    more"""
 9|    x = {
 8|        'a': 1,
  |    }
  |
13|    def f(self):
12|        # comment
13|        return 1
14|        # trailing body comment
  |
16|    # loose comment
31|    async def g(self):
19|        with x as y:
19|            pass
25|        try:
21|            a
  |        except E:
23|            b
  |        else:
25|            c
31|        if a:
27|            b
  |        elif c:
29|            d
  |        else:
31|            e
32|# after
  |
37|def h(
35|    a,
  |):
37|    pass
`,
  ],
  [
    'c.rs',
    `
 1|use a::b;
 5|#[derive(Debug)]
 5|pub struct A {
 4|    a: u32,
  |}
17|impl<'a> A<'a> {
 7|    /// doc
16|    #[test]
16|    pub fn f(&self) -> u32 {
15|        match x {
13|            Some(y) => {
12|                z
  |            }
14|            None => 1,
  |        }
  |    }
  |}
20|macro_rules! m {
19|    () => {};
  |}
`,
  ],
  [
    'd.go',
    `
 1|package a
  |
 5|import (
 4|	"fmt"
  |)
  |
 7|// Doc
22|func (a *A) F(x int) error {
13|	if err := f(); err != nil {
10|		return err
  |	} else {
12|		x
  |	}
17|	switch x {
15|	case 1:
16|		a()
  |	}
20|	go func() {
19|		b()
  |	}()
21|	return nil
  |}
  |
26|type T struct {
25|	a int
  |}
`,
  ],
  [
    'E.java',
    `
 1|package a;
 3|/** doc
  | */
15|@Foo
  |public class E {
14|  @Override
  |  public void f() {
10|    for (int i = 0; i < 1; i++) {
 9|      a();
  |    }
13|    if (a) {
  |    } else {
  |    }
  |  }
  |}
`,
  ],
  [
    'f.cpp',
    `
 1|#include <a>
11|template <typename T>
11|class A : public B {
 4| public:
 9|  void f() {
 8|    if (x) {
 7|      y();
  |    }
  |  }
10|  int x;
  |};
16|namespace n {
15|int main() {
14|  return 0;
  |}
  |}
17|#define X 1
20|struct S {
19|  int a;
  |};
`,
  ],
  [
    'g.css',
    `
 4|a, b {
 2|  color: red;
 3|  margin: 0;
  |}
 9|@media x {
 8|  .d {
 7|    e: f
  |  }
  |}
10|@import "x";
`,
  ],
  [
    'h.html',
    `
 1|<!doctype html>
25|<html>
14|<head>
 8|  <script>
 7|    function f() {
 6|      x()
  |    }
  |  </script>
13|  <style>
12|    a {
11|      b: c;
  |    }
  |  </style>
  |</head>
24|<body>
21|  <ul>
17|    <li>a</li>
20|    <li>
  |      b
  |    </li>
  |  </ul>
22|  <img src="x">
  |  text
  |</body>
  |</html>
`,
  ],
  [
    'i.json',
    `
11|{
 9|  "a": {
 8|    "b": [
 4|      1,
 7|      {
 6|        "x": 1
  |      }
  |    ]
  |  },
10|  "c": 2
  |}
`,
  ],
  [
    'j.php',
    `
 1|<?php
 2|namespace A;
13|class B {
 4|  /** doc */
12|  public function f() {
 8|    foreach ($a as $b) {
 7|      echo $b;
  |    }
11|    return [
10|      'a' => 1,
  |    ];
  |  }
  |}
15|function g() {
  |}
`,
  ],
  [
    'k.yaml',
    `
 1|# c
 9|a:
 3|  b: 1
 9|  c:
 5|    - x
 7|    - y: 1
 7|      z: 2
 9|    -
 9|      q: 1
12|d: |
  |  text
  |  more
13|e: {a: 1}
  |---
15|f: 1
`,
  ],
  [
    'l.xml',
    `
 1|<?xml version="1.0"?>
 8|<a>
 6|  <b
 4|    x="1">
  |    c
  |  </b>
 7|  <d/>
  |</a>
`,
  ],
  [
    'm.md',
    `
 1|# A
  |
 4|text
  |more
  |
 7|- x
  |  y
10|- z
 9|  1. q
10|  2. r
  |
14|\`\`\`js
13|foo
  |\`\`\`
  |
17|> quote
  |> more
  |
20|| a | b |
  || - | - |
`,
  ],
  [
    'n.tsx',
    `
11|export function A() {
10|  return (
 9|    <div>
 8|      <B x={1}>
 7|        {a && (
 6|          <C />
  |        )}
  |      </B>
  |    </div>
  |  )
  |}
`,
  ],
  [
    'o.rb',
    `
14|module A
13|  class B
 9|    def f(x)
 8|      if x
  |        y
  |      else
  |        z
  |      end
  |    end
  |
  |    def g
  |    end
  |  end
  |end
`,
  ],
  [
    'p.cs',
    `
17|namespace A
17|{
16|    class B
16|    {
15|        void F()
15|        {
11|            if (x)
11|            {
  |                y();
  |            }
  |            else
14|            {
  |                z();
  |            }
  |        }
  |    }
  |}
`,
  ],
  [
    'q.sh',
    `
  |# it's
11|f() {
 5|  case $x in
  |    a) b ;;
  |  esac
10|  if x; then
  |    y
  |  elif z; then
  |    w
  |  fi
  |}
14|for a in b; do
  |  c
  |done
  |f
`,
  ],
  [
    'r.toml',
    `
  |[a]
 4|b = [
  |  1,
  |]
  |c = 1
`,
  ],
]

describe('a line opens the block that a reader would say', () => {
  it.each(tables)('%s', async (path, table) => {
    const rows = table.slice(1, -1).split('\n')
    const document = documentOf(`${rows.map(row => row.slice(3)).join('\n')}\n`)
    const resolve = await loadBlockResolver(path)
    const answers = rows.map((row, index) => {
      const span = resolve(document, index + 1)
      if (span !== undefined) expect(span.start).toBe(index + 1)
      return `${(span === undefined ? '' : String(span.end)).padStart(2)}|${row.slice(3)}`
    })
    expect(answers.join('\n')).toBe(rows.join('\n'))
  })
})

describe('errors in the text', () => {
  // path, text, line, last line of the block
  it.each<[string, string, number, number | undefined]>([
    ['a.ts', 'function f() {\n  const x = ;\n  g()\n}\nh()\n', 1, 4],
    ['a.ts', 'f(\n}\nfunction g() {\n  h()\n}\n', 3, 5],
    ['a.ts', 'function f() {\n  if (x) {\n}\nlast()\n', 1, undefined],
    ['a.ts', 'function f() {\n  g(]\n}\n', 1, undefined],
    ['a.json', '{\n  "a": {\n    "b": 1\n', 2, undefined],
    ['a.py', 'def f(:\n    x\ny\n', 1, undefined],
    ['a.kt', 'fun f() {\n  g(]\n}\n', 1, undefined],
    ['a.kt', 'fun f() {\n  g()\n', 1, undefined],
  ])('%s %j line %i', async (path, text, lineNumber, end) => {
    const resolve = await loadBlockResolver(path)
    expect(resolve(documentOf(text), lineNumber)?.end).toBe(end)
  })
})

describe('lines that also hold something else', () => {
  it.each<[string, string, number, number | undefined]>([
    ['a.js', 'foo(\n  () => {\n  }, y => {\n  },\n)\n', 2, undefined],
    ['a.js', 'foo(\n  a, b,\n)\n', 2, 2],
    ['a.js', 'foo(a,\n  b)\n', 2, undefined],
    ['a.js', 'x = [{\n  a: 1 }, {\n  b: 2 }]\n', 2, undefined],
    ['a.js', 'f({\n}) // done\n', 1, 2],
    ['a.js', 'a(); b()\n', 1, 1],
    ['a.js', 'a(); b(\n)\n', 1, undefined],
  ])('%s %j line %i', async (path, text, lineNumber, end) => {
    const resolve = await loadBlockResolver(path)
    expect(resolve(documentOf(text), lineNumber)?.end).toBe(end)
  })
})

describe('documents of any kind', () => {
  it.each<[string, string, number, number | undefined]>([
    ['a.ts', '', 1, undefined],
    ['a.ts', '\n\n', 1, undefined],
    ['a.ts', 'f({\n})', 1, 2],
    ['a.ts', '\uFEFFf({\r\n})\r\n', 1, 2],
    ['a.ts', 'f({\r})\rg()\r', 1, 2],
    ['a.ts', 'f()\n', 9, undefined],
    ['a.ts', 'f()\n', 0, undefined],
    ['Makefile', 'all:\n\tcc x\n\tcc y\nclean:\n\trm x\n', 1, 3],
    ['dir.ts/file', 'a {\n}\n', 1, 2],
    ['.ts', 'a\n  b\nc\n', 1, 2],
    ['A.TS', 'function f() {\n}\n', 1, 2],
  ])('%s %j line %i', async (path, text, lineNumber, end) => {
    const resolve = await loadBlockResolver(path)
    expect(resolve(documentOf(text), lineNumber)?.end).toBe(end)
  })

  it('too large to parse: brackets decide', async () => {
    const text = `function f() {\n  g()\n}\n${`const filler = '${'x'.repeat(100)}'\n`.repeat(30_000)}`
    const resolve = await loadBlockResolver('a.ts')
    expect(resolve(documentOf(text), 1)).toEqual({ start: 1, end: 3 })
  })

  it("a host's own resolver comes first, path by path", async () => {
    const custom = (path: string) => (path.endsWith('.own') ? () => ({ start: 1, end: 1 }) : undefined)
    expect((await loadBlockResolver('a.own', custom))(documentOf('x\n  y\n'), 1)).toEqual({ start: 1, end: 1 })
    expect((await loadBlockResolver('a.txt', custom))(documentOf('x\n  y\n'), 1)).toEqual({ start: 1, end: 2 })
  })
})

describe('scripts', () => {
  it.each<[string, string, string, string]>([
    ['deco.py', '@dec\ndef one():\n    return 1\nprint(one())\n', 'delete block 2', '@dec\nprint(one())\n'],
    ['svc.rb', 'def f\n  puts 1\nend\nafter\n', 'delete block 1', 'after\n'],
    [
      'a.ts',
      'function f() {\n  return 1;\n}\nafter();\n',
      'insert after block 1:\n+  extra();',
      'function f() {\n  return 1;\n  extra();\n}\nafter();\n',
    ],
    ['a.ts', 'function f() {\n  a();\n}\n', 'insert after block 1:\n+g();', 'function f() {\n  a();\n}\ng();\n'],
    ['a.ts', 'function f() {\n}\nx();\n', 'insert after block 2:\n+y();', 'function f() {\n}\ny();\nx();\n'],
    ['a.json', '{\n  "a": {\n    "b": 1\n  },\n  "c": 2\n}\n', 'delete block 2', '{\n  "c": 2\n}\n'],
    ['a.py', 'def f():\n    return 1\n\n\ndef g():\n    return 2\n', 'delete block 1', '\n\ndef g():\n    return 2\n'],
    ['a.ts', 'a({\n})\nb({\n})\n', 'delete block 1\nreplace block 3:\n+b()', 'b()\n'],
  ])('%s %j %j', async (path, text, script, after) => {
    const [section] = parseScript(`[${path}#0000]\n${script}`).sections
    const resolveBlock = await loadBlockResolver(path)
    expect(textOf(applyHunks(documentOf(text), section?.hunks ?? [], { resolveBlock }).document)).toBe(after)
  })

  it('overlaps are found after blocks are expanded', async () => {
    const [section] = parseScript('[a.ts#0000]\nreplace block 1:\n+x\ndelete 2').sections
    const resolveBlock = await loadBlockResolver('a.ts')
    expect(() => applyHunks(documentOf('f({\n  a: 1\n})\n'), section?.hunks ?? [], { resolveBlock })).toThrow(
      expect.objectContaining({ code: 'edit-overlap' }),
    )
  })
})

it('tells whole texts from broken ones, where there is a grammar', async () => {
  const typescript = await loadSyntaxCheck('a.ts')
  expect(typescript(documentOf('f({ a: 1 })\n'))).toBe(true)
  expect(typescript(documentOf('f({ a: 1 )\n'))).toBe(false)
  expect((await loadSyntaxCheck('a.rb'))(documentOf('f({ a: 1 )\n'))).toBeUndefined()
})
