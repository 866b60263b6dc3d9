// Runs programs typical of agents and compares the results with those of the installed jq.
import { expect, it } from 'vitest'
import { sample, seeds } from '../../../../testing/depth.ts'
import { runReal, whyNotAsked } from '../../../../testing/gnu/real-program.ts'
import { runFilter } from '../../../../testing/gnu/run-filter.ts'
import { createRandom, forSeeds, type Random } from '../../../../testing/random.ts'
import { jq } from './jq.ts'
import { describeUnless } from '../../../../testing/suites.ts'

const whyNot = whyNotAsked('jq', ['--version'], /^jq-1\.6/)

const input =
  '{"name":"pkg","version":"1.2.3","scripts":{"test":"vitest","build":"tsc"},"deps":{"b":"~2","a":"^1"},"list":[3,1,2,{"x":null}],"f":1.0,"s":"\xc3\xa9\\n\\"q","n":-0.5,"t":true,"10":"ten","2":"two"}\n[{"id":2,"tags":["x","y"]},{"id":1,"tags":[]},{"id":2,"tags":["z"],"k":{"v":1}}]\n'
const files = { one: '{"a":1}\n{"a":2}\n', two: '[1,[2,{"b":3}]]', text: 'line 1\nline 2\nlast', bad: '{"a":1} {' }

const programs: readonly string[] = [
  '.',
  'keys?',
  'length',
  'type',
  '.name?, .list?',
  '.scripts.lint? = "x"',
  '(.scripts? // {}) | .lint = "eslint"',
  '.a?.b? |= 1',
  'try (.a.b.c = 1) catch .',
  'try (.a[2] = 1) catch .',
  'try (.list += [4]) catch .',
  'try (.missing += 1) catch .',
  'try (.missing //= "d") catch .',
  'try (.list |= sort) catch .',
  'try (.list[] |= tostring) catch .',
  'try (.list[1:3] = ["s"]) catch .',
  'try del(.list[0], .list[2], .name) catch .',
  'try del(.[] | select(. == true)) catch .',
  'try del(.list[1:]) catch .',
  'try del(.. | select(. == null)) catch .',
  'try (.. |= .) catch .',
  '{a: {b: 1}} | (.a.b, .a, .c) |= [., .]',
  '[[[1]]] | (.[0][0][0], .[0], .[1], .[0][0][0][0]) |= [., .]',
  '[[1], [2]] | (.[0][0], .[1][0]) += 1 | .[2] = .[0] | .[0][0] = 9',
  'try ((.. | numbers) |= . + 1) catch .',
  'try to_entries catch .',
  '"a\\u00e9b\\ud83d\\ude00c\\ud83d\\ude00" | [match("(?<x>[^a])(q)?"; "g") | .offset, .length, (.captures[] | .offset, .string)]',
  '"\\ud83d\\ude00" * 20000 | [match("."; "g") | .offset] | length, .[-1]',
  '("x" * 40000) + "yz" | [match("y(z)") | .offset, .captures[0].offset], test("q")',
  '"a\\ud83d\\ude00b" | .[1:2], .[2:]',
  '[[1, [2]], 3, [[[4]]]] | flatten, flatten(1), (try flatten(-1) catch .)',
  '{"a": [1], "b": 2} | try flatten catch .',
  '("ab" * 40000) | split("b") | length, .[0], .[-1]',
  '("a\\u00e9 /?" * 300) | @uri | length, .[-12:]',
  '("a\\u00e9" * 300) | @base64 | length, .[-8:], (@base64d | length)',
  'try ("a*b=" | @base64d) catch .',
  '"aBc\\u00c9\\u00e9Z" | ascii_downcase, ascii_upcase',
  'try ([1] | ascii_downcase) catch "no"',
  '"a", "ab", "abc", "abcde" | @base64',
  '[65, 233, 128512] | implode, (implode | explode)',
  '[{"a": 1, "b": 2}, {"b": 3}, {"c": 4}] | add',
  'try with_entries(.value |= tostring) catch .',
  'try (map_values(type)) catch .',
  '[paths]',
  '[paths(type == "number")]',
  '[leaf_paths]',
  '[.. | scalars]',
  '[tostream]',
  'fromstream(tostream)',
  '[.[]? | select(.id? == 2)]',
  'try (group_by(.id)) catch .',
  'try (sort_by(.id) | map(.id)) catch .',
  'try (unique_by(.id) | length) catch .',
  'try (min_by(.id), max_by(.id)) catch .',
  'try (map(.tags | join(","))) catch .',
  'try (map({id, n: (.tags | length)})) catch .',
  'try (INDEX(.id)) catch .',
  'try (.[0].tags as [$a, $b] | {$a, $b}) catch .',
  'try (.[] as {id: $i, tags: [$t]} | "\\($i):\\($t)") catch .',
  'reduce .[]? as $x (0; . + 1)',
  '[foreach .[]? as $x (0; . + 1; [., ($x | type)])]',
  'if type == "array" then "arr" elif type == "object" then "obj" else "?" end',
  'walk(if type == "number" then . + 1 else . end)',
  '[limit(3; .[]?)] | length',
  'first(.[]?), [.[]?] | last',
  '[range(5)], [range(2; 5)], [range(0; 10; 3)], [range(5; 0; -2)]',
  '"a,b, c" | split(", ") , split(",") , ascii_upcase, length, explode, (explode | implode)',
  '"test 123 abc 45" | [match("[0-9]+"; "g").string], test("ABC"; "i"), [scan("[a-z]+")], sub("[0-9]+"; "N"), gsub("(?<d>[0-9])"; "<\\(.d)>")',
  '"2015-03-05T23:51:47Z" | fromdate, (fromdate | todate), strptime("%Y-%m-%dT%H:%M:%SZ"), (strptime("%Y-%m-%dT%H:%M:%SZ") | mktime)',
  '1425599621 | gmtime, todate, strftime("%A, %B %d, %Y %j %H")',
  '"foo" | capture("(?<a>[a-z])(?<n>o+)"), [splits("o")], split("o+"; null)',
  '@text, @json',
  '[1, "a\\"b", null, true, "it\'s"] | @csv, @tsv, @sh, @html, (map(tostring) | join("/"))',
  '"a b&c<d>\\u00e9" | @uri, @html, @base64, (@base64 | @base64d), @sh, @json "x\\(.)", @uri "q=\\(.)"',
  '[1, 2] + [3], [1, 2, 1] - [1], {"a": 1} + {"b": 2}, {"a": {"b": 1}} * {"a": {"c": 2}}, 7 / 2, 7 % 3, -7 % 3, "ab" * 2, "a,b" / ","',
  '[null, true, 1, "a", [1], {"a": 1}] | sort, reverse, .[2:4], .[-2:], .[:1], index(1), (map(type) | unique)',
  '{"a": [1, {"b": 2}]} | getpath(["a", 1, "b"]), (path(..) | tojson), has("a"), (.a | contains([1])), ([paths] | length)',
  '[1, [2, [3]]] | flatten, flatten(1), add?, (.. | numbers), any, all',
  '[3, 1, 2] | sort, min, max, add, length, (sort_by(-.)), index(2), (map(. > 1) | all, any), contains([1]), inside([1, 2, 3, 4]), (to_entries | from_entries?)',
  'try error("x") catch ., try error({a: 1}) catch .a, (try (1, error("y"), 3) catch .), [.[]?, (1 | .a?)] | length',
  'label $out | (1, 2, 3) | if . == 2 then ., break $out else . end',
  'def f(x): x * 2; def g($a; $b): $a + $b; f(3), g(1; 2), (def h: def i: 4; i; h), [recurse(if . < 3 then . + 1 else empty end; true)?] | tojson',
  '[.[]? | numbers, strings] | tojson | fromjson',
  '[recurse | scalars], [1, label $f | 2, break $f, 3], [1, def f: 2; f, 3], [1, 2 as $x | $x + 1]',
  '1 as $x | 2 as $y | [$x, $y, $__loc__.line], ([1, 2] | . as [$p] | $p), ({"k": 5} | . as {k: $v} | $v), ({"k": 6} | . as {$k} | $k)',
  '[10, 1e3, 1.5, 0.1, 1e17, 1e-5, 123456789012, 3.0, -0, 1e1000, 0.00001234, 1.7e-10, 100000000000000000000]',
  '[1 == 1.0, "a" < "b", [] < {}, null < false, {"a": 2} < {"b": 1}, (1, null | not), (null // 1), (false // empty // 3), ([false, 1] | .[] // 2)]',
  '[infinite, -infinite, nan] | map(isnan), sort, tojson',
  '"x" as $x | "a\\($x)b\\("c" + "\\(1 + 1)")", ("\\u00e9\\n\\t" | length, utf8bytelength, tojson)',
  'ascii_downcase? // "none", ltrimstr("x"), tojson, ("abc" | ltrimstr("a"), rtrimstr("c"), startswith("a"), endswith("x"), .[1:2], index("c"), indices("b"))',
  '[splits("a")?], ([[1, 2], [3, 4]] | transpose, (.[] | add), combinations), ([1, 2] | combinations(2)?), ({} | .a.b.c), ([] | first?, last), ([1] | .[5], .[-1])',
  'input_line_number, ($ENV | type), (env | type), ([1, 2, 3] | IN(2)), (2 | IN(1, 2)), ([1, 2, 3] | bsearch(2), bsearch(9)), ([1, 2] | until(length > 3; . + [0])), [1 | while(. < 20; . * 2)], [2 | repeat(. * 2; . > 10)?]',
  '.[0]?, .["name"]?, ."version"?, .["list"]?[0]?, .list?[1:]?, (.list? | .[-1]?)',
  'tojson | ., (. / "," | length)',
  '{(.name? // "k" | tostring): 1, "b c": 2, @base64 "x": 3, "i\\(1)": 4, a: (1, 2)}',
  '[.[]?] | map(select(type == "string" and (length > 3 or . == "x")))',
  'isvalid(.a)?',
  '.a.b.c.d',
  '.[].x',
  '1 +',
  '{a: 1',
  'foo(1)',
  '$x',
  '.a | error',
  '"abc" | .[0]',
  '[.[] | floor?]',
  '[1.7, -1.7 | floor, ceil, round, fabs, sqrt?] | map(tostring)',
  'splits',
  'getpath(["a", "b"])?, (try getpath(["name", "x"]) catch "e"), ([[0, 1], ["a"]] | map(tojson)), delpaths([["name"]])?, (to_entries? | length)',
  '[limit(1; 1, 2)], isempty(empty), isempty(1), ([] | add), (null | length), ("abc" | test("a.c"; "x")), ("aXbX" | ascii_downcase), ([1, 2] | tostream | tojson)',
]

const optionCases: readonly (readonly string[])[] = [
  ['-n', '[inputs]', 'one'],
  ['-n', 'input, input', 'one'],
  ['-c', '.a', 'one'],
  ['-s', '.', 'one', 'two'],
  ['-cs', 'map(.a?)', 'one'],
  ['-r', '.name?, .s?'],
  ['-j', '.name?, .[0]?.id'],
  ['-a', '.s?'],
  ['-S', '.', 'two'],
  ['-S', '-c', '.'],
  ['--tab', '.'],
  ['--indent', '1', '.'],
  ['--indent', '0', '.'],
  ['-R', '.', 'text'],
  ['-Rs', '.', 'text'],
  ['-Rn', '[inputs | length]', 'text'],
  ['-e', '.missing?', 'one'],
  ['-e', '.a', 'one'],
  ['-e', 'empty', 'one'],
  ['--arg', 'v', '9', '.a = $v', 'one'],
  ['--argjson', 'v', '{"x":1}', '.a = $v.x', 'one'],
  ['--slurpfile', 'v', 'one', '-n', '$v'],
  ['--rawfile', 'v', 'text', '-n', '$v'],
  ['-n', '$ARGS', '--args', 'a', 'b'],
  ['-n', '-c', '$ARGS', '--jsonargs', '1', '{"a":2}'],
  ['-n', '--arg', 'x', '1', '-c', '$ARGS.named'],
  ['--stream', '-c', '.', 'two'],
  ['.', 'missing'],
  ['.a', 'one', 'two'],
  ['-c', 'input_filename', 'one'],
  ['-n', 'input', 'empty'],
  ['-c', '.', 'bad'],
  ['--argjson', 'v', '{', '.'],
  ['--nonsense', '.'],
  ['-n', '"a" | halt_error'],
  ['-n', '{} | halt_error(3)'],
  ['-rn', '[1,2] | @tsv, "\\(.)"'],
]

describeUnless(whyNot, 'jq answers as the installed one', () => {
  const compare = async (args: readonly string[], given: string): Promise<void> => {
    const real = runReal('jq', args, given, files)
    const ours = await runFilter(jq, args, given, files)
    const shown = ({ output, exitCode }: typeof ours): unknown => ({ args, output, exitCode })
    expect(shown(ours)).toEqual(shown(real))
  }

  // Each starts a program of the machine.
  it.each(sample(programs, 8))('%s', async program => {
    await compare(['-c', program], input)
  })

  it.each(sample(optionCases, 8))('jq %s %s %s %s %s', async (...args) => {
    await compare(args, input)
  })

  it('for random paths and changes', async () => {
    await forSeeds(seeds({ quick: 4, deep: 3_000 }), async (_random, seed) => {
      const random = createRandom(seed * 613)
      const value = randomJson(random, 0)
      const steps = Array.from({ length: 12 }, () => `[try (${randomProgram(random, 0)}) catch "error"]`)
      await compare(['-c', steps.join(', ')], value)
    })
  })
})

function randomJson(random: Random, depth: number): string {
  const choice = depth > 2 ? random.below(5) : random.below(8)
  if (choice < 5) return random.pick(['null', 'true', 'false', '1', '-2.5', '"a"', '"b c"', '""', '0'])
  const items = Array.from({ length: random.below(4) }, () => randomJson(random, depth + 1))
  if (choice < 6) return `[${items.join(',')}]`
  return `{${['a', 'b', 'c']
    .slice(0, items.length)
    .map((key, index) => `"${key}":${items[index] ?? 'null'}`)
    .join(',')}}`
}

function randomPath(random: Random): string {
  return random.pick([
    '.a',
    '.b',
    '.a.b',
    '.[0]',
    '.[1]',
    '.[-1]',
    '.[]',
    '.a[0]',
    '.a[]',
    '.[1:]',
    '..',
    '.a?',
    '.[]?',
    '.c.a',
    '.[:1]',
    '(.a, .b)',
    '(.[]? | select(. != null))',
    '.a[1:]?',
    'first(.[]?)',
    '(.a // .b)',
  ])
}

function randomProgram(random: Random, depth: number): string {
  const path = randomPath(random)
  const inner = depth > 1 ? '.' : randomProgram(random, depth + 1)
  return random.pick([
    path,
    `${path} = 1`,
    `${path} |= ${random.pick(['1', 'length', '.', 'tojson', 'empty', 'not'])}`.replace('empty', '.'),
    `${path} += ${random.pick(['1', '"x"', '[1]', 'null'])}`,
    `del(${path})`,
    `[path(${path})]`,
    `${path} | ${inner}`,
    `[${inner}]`,
    `map(${inner})`,
    `[${path}] | sort`,
    `(${path}) // "d"`,
    `if ${path} then 1 else 2 end`,
    `to_entries`,
    `with_entries(.value = 1)`,
    `[paths]`,
    `tostream`,
    `[.[]? | ${inner}] | add`,
    `${path} as $x | [$x, ${inner}]`,
    `reduce ${path} as $x (0; . + 1)`,
    `group_by(${path})`,
    `unique`,
    `flatten`,
    `tojson`,
    `keys`,
    `length`,
    `any, all`,
    `has("a"), has(0)`,
    `walk(if type == "number" then . + 1 else . end)`,
  ])
}
