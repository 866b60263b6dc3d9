// Runs programs typical of agents, and small random programs, and compares the results with those of the installed gawk.
import { expect, it } from 'vitest'
import { runReal, whyNotAsked } from '../../../../testing/gnu/real-program.ts'
import { runFilter } from '../../../../testing/gnu/run-filter.ts'
import { createRandom, forSeeds, type Random } from '../../../../testing/random.ts'
import { awk } from './awk.ts'
import { describeUnless } from '../../../../testing/suites.ts'
import { sample, seeds } from '../../../../testing/depth.ts'

const whyNot = whyNotAsked('gawk', ['--version'], /^GNU Awk 5\./)

const input = 'apple 3 red\nbanana 1 yellow\n\n  cherry  2.50 red\n10 1e1 0x1A\nlast 007 -0\n'
const files = { one: 'a b\nc\n', two: 'k:v:w\nk2::w2\n\nx', para: '\n\na b\nc\n\n\nd:e\nf\n' }

const programs: readonly string[] = [
  '{print $1, $NF, NF, NR}',
  '{print > "out"} END{close("out"); while ((getline l < "out") > 0) print "o:" l}',
  'BEGIN{printf "%d %i %o %x %X %u|%5d|%-5d|%05d|%+d|% d\\n", 3.9, -3.9, 8, 255, 255, 7, 42, 42, 42, 42, 42}',
  'BEGIN{printf "%e %E %f %F %g %G|%.3e|%10.2f|%-10.1f|%g %g %g\\n", 12345.678, 0.00012, 3.14159, 2.5, 1e10, 1e-5, 1234.5, 3.14159, 2.25, 100000, 1000000, 0.0001}',
  'BEGIN{printf "%c%c%c|%s|%5s|%-5s|%.2s|%*d|%-*d|%.*f|%%\\n", 65, "hello", "", "str", "ab", "ab", "abcdef", 5, 42, 5, 42, 2, 3.14159}',
  'BEGIN{printf "%.0f %.0f %.0f %.0f %g %g\\n", 0.5, 1.5, 2.5, 3.5, 100000.5, 0.1+0.2}',
  'BEGIN{print 1/3, 1e6, 1e7, 100000, 1234567.891, 0.000001, 1e300*10, 2^53, 2^53+1, 2^63, -2^63, 1e18, 123456789012345678}',
  'BEGIN{OFMT="%.2f"; CONVFMT="%.3f"; x = 3.14159; print x, x ""; y = 17; print y, y ""}',
  'BEGIN{print length("héllo"), toupper("héllo"), substr("héllo", 2, 3), index("héllo", "l"), tolower("ÀB")}',
  'BEGIN{print substr("hello", 0), substr("hello", -1, 3), substr("hello", 2, 0), substr("hello", 2, -1), substr("hello", 1.5, 2.5), substr("hello", 10)}',
  'BEGIN{print "a" < "b", "10" < "9", 10 < 9, "abc" < 1, 2 < 10, "2" < 10}',
  '{print ($2 < 10), ($2 == 1), ($1 < $3), ($2 == "1")}',
  'BEGIN{print 1 " " 2, 1+1 "" 2*3, -1 " " -1, 2^3^2, -2^2, !0, !"a", !"", 7%3, -7%3, 1 - 1, "3x"+1, +"0x1A"}',
  'BEGIN{x["a"]=1; x["b"]; if ("b" in x) print "yes"; if (!("c" in x)) print "no"; delete x["a"]; print length(x); delete x; print length(x)}',
  'BEGIN{n = split("a:b:c", p, ":"); print n, p[1], p[3]; n = split("", q); print n, length(q); n = split("abc", r, ""); print n, r[2]; print split("  a b  ", s), s[1]; print split("a1b22c", t, /[0-9]+/, u), t[3], u[2]}',
  'BEGIN{s = "hello world"; print gsub(/o/, "[&]", s), s; print sub(/l+/, "L", s), s; t = "aaa"; print gsub(/x*/, "-", t), t; v = "a.b.c"; gsub(".", "x", v); print v; w = "a.b"; gsub("\\\\.", "-", w); print w}',
  'BEGIN{s = "a&b"; gsub(/&/, "\\\\&", s); print s; t = "path/to"; gsub("/", "\\\\/", t); print t; u = "x"; gsub(/x/, "\\\\\\\\&", u); print u; q = "a\\"b"; gsub(/"/, "\\\\\\"", q); print q}',
  'BEGIN{print gensub(/(a)(b)/, "\\\\2\\\\1", "g", "abab"), gensub(/a/, "X", 2, "aaa"), gensub(/b*/, "-", "g", "abc")}',
  'BEGIN{print match("foobar", /o+/), RSTART, RLENGTH; print match("x", /y/), RSTART, RLENGTH; match("key=val", /([a-z]+)=([a-z]+)/, m); print m[0], m[1], m[2], m[1, "start"], m[2, "length"]}',
  '{$2 = ""; print; print NF}',
  '{$5 = "five"; print; print NF}',
  '{NF = 2; print; $0 = "x y z"; print $2, NF}',
  '{$3 = $3; print $0 "|"}',
  'BEGIN{FS=":"} {print $2, NF}',
  '/red/{n++} END{print n+0, NR}',
  '/apple/,/cherry/{print NR": "$0}',
  'NR==2,NR==4',
  'NR==1{next} {print} NR==3{exit 3} END{print "end"}',
  'BEGIN{while ((getline line < "one") > 0) print "got " line; close("one"); getline < "one"; print $1, NF; print (getline x < "missing")}',
  'BEGIN{getline; print "first: " $0; getline x; print "second: " x, NR} {print NR ": " $0}',
  'function f(n) { return n <= 1 ? 1 : n * f(n - 1) } BEGIN{print f(10), f(20)}',
  'function fill(a, n,   i) { for (i = 1; i <= n; i++) a[i] = i * i } BEGIN{fill(x, 3); for (i = 1; i in x; i++) print i, x[i]}',
  'function g(a) { a["k"] = 1 } BEGIN{g(z); print length(z); for (k in z) print k}',
  'function h(s) { s = s "x"; return s } BEGIN{a = "b"; print h(a), a}',
  'BEGIN{for (i = 0; i < 5; i++) { if (i == 1) continue; if (i == 3) break; print i } while (j < 2) print j++; do print "d" k++; while (k < 2)}',
  'BEGIN { if (1) print "one"; else print "two"\n if (0)\n print "x"\n else if (1)\n print "y" }',
  'BEGIN{a[1,2]=3; for (k in a) { split(k, p, SUBSEP); print p[1], p[2] } if ((1,2) in a) print "in"}',
  'BEGIN{x = "A"; y = x++; print x, y; print x--, x; $3 = "c"; print NF; print $3 $1 "|"}',
  'BEGIN{print length()} {print length, length($1)} END{print length}',
  'BEGIN{print index("abc", ""), index("", "a"); print 1==1.0, "a" ~ /a/, "b" !~ "a", "a.c" ~ "a\\\\.c"}',
  '$1 ~ /^[a-c]/ && $2 > 1 || NR == 5',
  '!seen[$3]++',
  '{a[NR] = $0} END{for (i = NR; i > 0; i--) print a[i]}',
  '{s += $2; if ($2 > m) m = $2} END{print s, m, s / NR}',
  '{c[$3]++} END{n = asorti(c, k); for (i = 1; i <= n; i++) print k[i], c[k[i]]}',
  'BEGIN{a["x"] = 3; a["y"] = 1; a["z"] = 2; PROCINFO["sorted_in"] = "@val_num_asc"; for (k in a) print k, a[k]; PROCINFO["sorted_in"] = "@ind_str_desc"; for (k in a) print k; n = asort(a); print a[1], a[n]}',
  'BEGIN{a["x"]["y"] = 1; a["x"]["z"] = 2; a["w"] = 3; print length(a), length(a["x"]), isarray(a["x"]), isarray(a["w"]), typeof(a["x"]), a["x"]["y"] + a["x"]["z"]; if ("y" in a["x"]) print "in"; if (!("q" in a["x"])) print "not in"}',
  'BEGIN{PROCINFO["sorted_in"] = "@ind_str_asc"} NF{h[$3][$1] += $2} END{for (c in h) for (k in h[c]) print c, k, h[c][k]; delete h["red"]["apple"]; for (k in h["red"]) print k; delete h["red"]; print length(h)}',
  'function put(t, k, v) {t[k] = v; t[k "2"]++} function all(t,   k, s) {for (k in t) s += isarray(t[k]) ? all(t[k]) : t[k]; return s} BEGIN{put(a[1], "k", 5); put(a[1][7][8], "z", 3); print all(a), a[1]["k"], a[1][7][8]["z"], length(a[1][7])}',
  'BEGIN{n = split("a b c", p["s"]); print n, p["s"][2]; match("k=v", /(.)=(.)/, m["m"]); print m["m"][1] m["m"][2]; u[1][2]++; u[1][2] += 4; print u[1][2]--, u[1][2]; z[1,2][3] = "d"; for (k in z) {gsub(SUBSEP, ",", k); print k}}',
  'BEGIN{i = 1; a[i++][i++] = i; print i, a[1][2]; sub(/3/, "three", a[1][2]); print a[1][2]; b = a[1][2] a[9][9] "|"; print b, length(a[9])}',
  'BEGIN{a[1] = 1; a[1][2] = 3}',
  'BEGIN{a[1][2] = 3; print "x" a[1]}',
  'BEGIN{a[1][2] = 3; a[1] = 4}',
  'function byLength(i1, v1, i2, v2) {d = length(v1) - length(v2); return d ? d : i1 - i2} {w[NR] = $1} END{n = asort(w, s, "byLength"); for (i = 1; i <= n; i++) print i, s[i]; PROCINFO["sorted_in"] = "byLength"; for (k in w) print k, w[k]}',
  'function down(i1, v1, i2, v2) {d = v2["n"] - v1["n"]; return d ? d : i1 < i2 ? -1 : 1} NF{t[$1]["n"] = $2} END{PROCINFO["sorted_in"] = "down"; for (k in t) print k, t[k]["n"]; n = asorti(t, s, "@ind_str_desc"); print n, s[1]}',
  'BEGIN{a["x"] = 1; PROCINFO["sorted_in"] = "none"; for (k in a) print k}',
  'BEGIN{a["b"]; a["c"][1]; a["a"] = 2; PROCINFO["sorted_in"] = "@val_num_asc"; for (k in a) print k}',
  'BEGIN{ORS = "|"; OFS = "-"} {$1 = $1; print $1, $2; print}',
  'BEGIN{RS = ""} {print NR ": " $1 "," $NF ";" NF}',
  'BEGIN{RS = "[0-9]+"} {print NR ":" $0 "<" RT ">"}',
  'BEGIN{RS = "a"; ORS = "!"} 1',
  'BEGIN{printf "%s %s %s\\n", substr("x", 1, 1), 1e3, "a" "b" > "/dev/stdout"}',
  'BEGIN{print 1, 2 > "out"; print 3 >> "out"; close("out"); while ((getline l < "out") > 0) print l}',
  'BEGIN{print -3 % 2, int(-3.7), int("4abc"), sqrt(16), exp(0), log(1), atan2(0, -1), sin(0), cos(0)}',
  'BEGIN{print and(12, 10), or(12, 10), xor(12, 10), lshift(1, 4), rshift(16, 2), strtonum("0x1F"), strtonum("017"), strtonum("12.5")}',
  'BEGIN{print strftime("%Y-%m-%d %H:%M:%S", 0), strftime("%a %b %e %j %U %p", 86400 * 45), mktime("2024 02 29 12 30 00")}',
  'BEGIN{switch ("b") { case "a": print 1; break; case /b/: print 2; case "c": print 3; break; default: print 4 }}',
  'BEGIN{print toupper(substr("word", 1, 1)) substr("word", 2); print length(12345), 1 + "1e2", 1 + ".5."; print 011, 0x11}',
  'BEGIN{print "a\\tb\\\\n\\/\\"\\101\\x41"; print "\\q"}',
  'BEGIN { print length(x), x + 0, x "" ; if (!x) print "unset"; if (x == 0 && x == "") print "both" }',
  'BEGIN{s = sprintf("%d items", 3); print s; print (1, 2) in a; print 1 > 2 ? "x" : "y"}',
  'END{print $0, NF, NR}',
  '{print NR, FNR, FILENAME}',
  'BEGIN{$0 = "a b c"; print $2; $2 = "X"; print; print NF; NF = 5; print $0 "|"}',
  'BEGIN { "x" ~ "x" ; print 1==1 ? "t" : "f"; print !1 + 1; print 1 in a; print 2 " " 3 * 4; print 10 % 4 * 2; x = y = 3; print x y; x += x *= 2; print x }',
  '{ for (i = NF; i > 0; i--) printf "%s%s", $i, (i > 1 ? OFS : ORS) }',
  '# comment\nBEGIN { # another\n  x = 1 ; # semicolon\n  print x \\\n    + 1\n}\n\nEND { print "e" }',
  'BEGIN{exit 1} END{print "end runs"}',
  '{exit} END{exit 4}',
  'BEGIN{printf "%s\\n"}',
  'BEGIN{x = 0; print 1/x}',
  'BEGIN{print substr("hello", 2}',
  'function f(x){x[1]=1} BEGIN{y=1; f(y)}',
  'BEGIN{nonexistent(1)}',
  'nextfile {print} END{print NR}',
  'FNR==2{nextfile} {print FILENAME, FNR}',
  'BEGIN{FPAT="([^,]+)|(\\"[^\\"]+\\")"; $0="a,\\"b,c\\",d"; print $2, NF}',
  'BEGIN{FIELDWIDTHS="2 3"; $0="abcde"; print $1 "-" $2}',
  'BEGIN{FIELDWIDTHS="2 1:3 *"; $0="abXcdéREST"; print $1, $2, $3, NF; FIELDWIDTHS="1:2 9 3"; $0="abc"; print $1, NF}',
  'BEGIN{FIELDWIDTHS="2 x"; $0="abc"; print $1}',
  'BEGIN{FIELDWIDTHS="* 2"; $0="abc"; print $1}',
  'BEGIN{IGNORECASE=1} /APPLE/{print "i", $0}',
  'BEGIN{print typeof(1), typeof("a"), typeof(x), isarray(y), typeof($1)} {print typeof($2)}',
  '{sub(/[ \\t]+$/, ""); gsub(/^[ \\t]+/, ""); print "[" $0 "]"}',
  'BEGIN { while (i++ < 3) { if (i == 2) continue; print i } ; for (;;) { if (++n > 3) break } print n }',
  '{ print $NF-1, $(NF-1), $NF"x" }',
  '{ $1 = ""; sub(/^ /, ""); print }',
  'BEGIN { a = "10"; b = 9; print (a > b), (a "" > b ""), ("10" > 9) } $1 == 10 { print "ten" } $2 == 10 { print "1e1" }',
  'BEGIN{getline l < "two"; n = split(l, f, ":"); for (i = 1; i <= n; i++) print i, f[i]; print -"3", - -3, 1 - -1; print 1,2,3 ; print(1)(2) }',
]

describeUnless(whyNot, 'awk answers as gawk', () => {
  // Each starts a program of the machine three times.
  it.each(sample(programs, 8))('%s', async program => {
    for (const args of [[program], [program, 'one', 'two'], ['-F:', '-v', 'x=1', program, 'para', 'y=2', 'two']]) {
      const real = runReal('gawk', args, input, files)
      const ours = await runFilter(awk, args, input, files)
      const shown = ({ output, exitCode, files: after }: typeof ours): unknown => ({ args, output, exitCode, after })
      expect(shown(ours)).toEqual(shown(real))
    }
  })

  it('for random expressions', async () => {
    await forSeeds(seeds({ quick: 10, deep: 40 }), async (_random, seed) => {
      const random = createRandom(seed * 977)
      const lines = Array.from({ length: 25 }, () => `print (${randomExpression(random, 0)})`)
      const program = `{ ${lines.join('\n')} }`
      const text = Array.from({ length: 2 }, () => `${randomField(random)} ${randomField(random)} ${randomField(random)}\n`).join(
        '',
      )
      const [real, ours] = [runReal('gawk', [program], text, {}), await runFilter(awk, [program], text, {})]
      const ourLines = ours.output.split('\n')
      const different = real.output
        .split('\n')
        .flatMap((line, index) =>
          line === ourLines[index] ? [] : [{ text, source: lines[index % 25], line, ours: ourLines[index] }],
        )
      expect(different).toEqual([])
      expect([ours.exitCode, ours.output]).toEqual([real.exitCode, real.output])
    })
  })
})

function randomField(random: Random): string {
  return random.pick(['1', '2', '10', '-3', '1.50', '0x1', 'abc', 'b', '1e2', '+4', '.5', '3x', '\xc3\xa9', 'a.b', '0', '007'])
}

function randomExpression(random: Random, depth: number): string {
  if (depth > 2 || random.chance(0.3))
    return random.pick([
      '$1',
      '$2',
      '$3',
      '1',
      '2',
      '"a"',
      '"10"',
      '0.1',
      'NF',
      'u',
      '""',
      '3.0',
      '"b c"',
      '1e6',
      '-1',
      'NR',
      '$NF',
    ])
  const part = (): string => randomExpression(random, depth + 1)
  return random.pick([
    () =>
      `${part()} ${random.pick(['+', '-', '*', '<', '<=', '==', '!=', '>=', '&&', '||', '~', '!~'])} ${part()}`
        .replace(/^/, '(')
        .concat(')'),
    () => `(${part()} " " ${part()})`,
    () => `(${part()} ${part()})`.replace(' -', ' " " -'),
    () => `(${part()} ? ${part()} : ${part()})`,
    () => `!${part()}`,
    () => `(- ${part()})`,
    () => `length(${part()})`,
    () => `substr(${part()}, ${part()}, ${part()})`,
    () => `index(${part()}, ${part()})`,
    () => `sprintf("${random.pick(['%d', '%s', '%5.2f', '%x', '%g', '%.3e', '%c', '%-4d|', '%05d'])}", ${part()})`,
    () => `int(${part()})`,
    () => `toupper(${part()})`,
    () => `(${part()} % 7)`,
    () => `gensub(/[0-9]+/, "<&>", "g", ${part()})`,
    () => `($${random.pick(['1', '2', 'NF'])} ~ /${random.pick(['a', '^[0-9]', 'b|c', '[.]', 'x*$'])}/)`,
  ])()
}
