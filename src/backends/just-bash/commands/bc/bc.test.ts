// Programs and the results of GNU bc 1.07, which are compared with the installed bc too if there is one.
import { describe, expect, it } from 'vitest'
import { runFilter } from '../../../../testing/gnu/run-filter.ts'
import { runReal, whyNotAsked } from '../../../../testing/gnu/real-program.ts'
import { bc } from './bc.ts'

const whyNot = whyNotAsked('bc', ['--version'], /^bc 1\.07/)

const rows: readonly (readonly [hasLibrary: boolean, program: string, output: string])[] = [
  [false, '1/3\n', '0\n'],
  [false, 'scale=5;1/3\n', '.33333\n'],
  [false, '2^100\n', '1267650600228229401496703205376\n'],
  [false, '2^300\n', '20370359763344860862684456884093781610514683936659362506361404493543\\\n81299763336706183397376\n'],
  [false, 'obase=16;255;255.5\n', 'FF\nFF.8\n'],
  [false, 'ibase=16;FF;F\n', '255\n15\n'],
  [false, 'obase=20;399\n', ' 19 19\n'],
  [false, '10%3;scale=2;10%3\n', '1\n.01\n'],
  [false, '1.50*2\n', '3.00\n'],
  [false, '"hi";3\n', 'hi3\n'],
  [false, 'print 1,"a\\n"\n', '1a\n'],
  [false, 'if(1) 5 else 6\n', '5\n'],
  [false, 'for(i=0;i<3;i++) i\n', '0\n1\n2\n'],
  [false, 'length(123.45);scale(1.234);sqrt(2)\n', '5\n3\n1\n'],
  [false, '1>2;1<2\n', '0\n1\n'],
  [false, '5;last+1\n', '5\n6\n'],
  [false, 'a=1;a++;++a;a\n', '1\n3\n3\n'],
  [false, '!0;1&&0;1||0\n', '1\n0\n1\n'],
  [false, 'scale=3;2^-1\n', '.500\n'],
  [false, 'x\n', '0\n'],
  [false, '1.0;100.000\n', '1.0\n100.000\n'],
  [false, '-3/2;-3%2\n', '-1\n-1\n'],
  [false, 'obase=2;10;.5\n', '1010\n.1000\n'],
  [false, '-2^2\n', '4\n'],
  [false, '2*-3\n', '-6\n'],
  [false, '1==1.0\n', '1\n'],
  [false, 'scale=2;1.239*1.1\n', '1.362\n'],
  [false, '1.23^2\n', '1.51\n'],
  [false, '7%-3\n', '1\n'],
  [false, '(x=5)\n', '5\n'],
  [false, 'a[1]=2;a[1]\n', '2\n'],
  [false, '0.5;-0.5\n', '.5\n-.5\n'],
  [false, '1e5\n', ''],
  [false, '5;7+\n', ''],
  [false, '1/0;2\n', ''],
  [false, 'scale=10;sqrt(2);sqrt(16)\n', '1.4142135623\n4.0000000000\n'],
  [false, 'while(i<3){i+=1;i};i\n', '1\n2\n3\n3\n'],
  [false, 'define f(n){if(n<2)return 1;return n*f(n-1)};f(20)\n', '2432902008176640000\n'],
  [false, 'scale=2;100*1.05^3\n', '115.00\n'],
  [false, 'scale=4;22/7\n', '3.1428\n'],
  [false, '(2+3)*4;2+3*4;2^3^2\n', '20\n14\n512\n'],
  [false, '5 > 3 && 2 > 1\n', '1\n'],
  [false, '.1+.2;1.10+2.205\n', '.3\n3.305\n'],
  [false, 'scale=0;10/3;10.5/3\n', '3\n3\n'],
  [false, 'obase=8;64;ibase=2;1010\n', '100\n12\n'],
  [false, '/* c */ 1 # x\n', '1\n'],
  [true, '4*a(1)\n', '3.14159265358979323844\n'],
  [true, 'e(1)\n', '2.71828182845904523536\n'],
  [true, 'l(2)\n', '.69314718055994530941\n'],
  [true, 's(1)\n', '.84147098480789650665\n'],
  [true, 'c(0)\n', '1.00000000000000000000\n'],
  [true, 'e(10)\n', '22026.46579480671651695790\n'],
  [true, 'l(10)/l(2)\n', '3.32192809488736234789\n'],
  [true, 'e(-1)\n', '.36787944117144232159\n'],
  [true, 's(100)\n', '-.50636564110975879365\n'],
  [true, 'j(0,1)\n', '.76519768655796655144\n'],
  [true, 'a(.5)\n', '.46364760900080611621\n'],
  [true, 'scale=50;4*a(1)\n', '3.14159265358979323846264338327950288419716939937508\n'],
  [true, '1/3\n', '.33333333333333333333\n'],
  [true, 'l(0)\n', '-99999999999999999999.00000000000000000000\n'],
  [true, 'l(-1)\n', '-99999999999999999999.00000000000000000000\n'],
  [true, 'e(0)\n', '1.00000000000000000000\n'],
  [true, 's(0)\n', '0\n'],
  [true, 'c(3.14159)\n', '-.99999999999647923060\n'],
  [true, 'l(1)\n', '0\n'],
  [true, 'scale=3;e(1)\n', '2.718\n'],
  [true, 'sqrt(2)\n', '1.41421356237309504880\n'],
  [true, 'c(1)\n', '.54030230586813971740\n'],
  [true, 'e(.5)\n', '1.64872127070012814684\n'],
  [true, 'l(100)\n', '4.60517018598809136803\n'],
  [true, 'a(-2)\n', '-1.10714871779409050301\n'],
  [true, 's(-1)\n', '-.84147098480789650665\n'],
  [true, 'e(2.5)\n', '12.18249396070347343807\n'],
  [true, 'a(100)\n', '1.56079666010823138102\n'],
  [true, 'l(.001)\n', '-6.90775527898213705205\n'],
  [true, 'scale=10;s(.5)\n', '.4794255386\n'],
  [true, 'scale=5;e(l(2)*3)\n', '7.99982\n'],
  [false, 'define sq(x) {\n  auto t\n  t = x * x\n  return (t)\n}\nsq(5)\nsq(1.5)\n', '25\n2.2\n'],
  [false, '1\nquit\n2\n', '1\n'],
  [false, '3 +\n4\n5\n', '4\n5\n'],
  [false, 'define s(a[],n){auto i,t;for(i=0;i<n;i++)t+=a[i];return t}\nb[0]=1;b[1]=2;s(b[],2)\n', '3\n'],
  [false, 'for (i=1;i<=3;i++) { if (i==2) continue; print i, " "; }; print "\\n"\n', '1 3 \n'],
  [false, '10^50/3\n', '33333333333333333333333333333333333333333333333333\n'],
  [false, 'x = 10; while (x > 7) { x -= 1; x }\n', '9\n8\n7\n'],
]

describe('bc', () => {
  it.each(rows)('with a library: %j, %j', async (hasLibrary, program, output) => {
    const args = hasLibrary ? ['-l'] : []
    const ours = await runFilter({ name: 'bc', run: bc }, args, program, {})
    expect([ours.output, ours.exitCode]).toEqual([output, 0])
    if (whyNot === '') expect(runReal('bc', args, program, {}).output).toBe(output)
  })

  it('says what is wrong, and goes on', async () => {
    const ours = await runFilter({ name: 'bc', run: bc }, [], '1/0\n2 2\n3\n', {})
    expect(ours.output).toBe('3\n')
    expect(ours.errors).toMatch(/Divide by zero\n.*2: syntax error\n/)
  })
})
