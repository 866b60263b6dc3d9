// Lines that open blocks, in each language, and where their blocks end.

// Each row is the last line of the block that the line opens, and the line itself; no number if no block begins there.
export const blockTables: readonly (readonly [path: string, table: string])[] = [
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
