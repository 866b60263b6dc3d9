// Typical shapes of web pages, and their Markdown. The time for a shape must be in proportion to its size.

import { describe, expect, it } from 'vitest'

import { pageText } from './engine.ts'

const sentence = 'This sentence is here to make the text long enough to be an article. '
const long = sentence.repeat(6).trim()
const image = 'https://e.org/a.png'

const shapes: readonly (readonly [name: string, html: string, markdown: string])[] = [
  ['nothing', '', ''],
  ['text without a tag', 'just text', 'just text'],
  ['a title alone', '<html><head><title> A  title </title></head><body></body></html>', 'A title'],
  ['a title and text', '<html><head><title>T</title></head><body><p>one</p><p>two</p></body></html>', '# T\n\none\n\ntwo'],
  ['a title that is the heading', '<title>T</title><h1>T</h1><p>x</p>', '# T\n\nx'],
  ['headings', '<h1>A</h1><h2>B</h2><h3>C</h3><h6>D</h6>', '# A\n\n## B\n\n### C\n\n###### D'],
  ['marks', '<p><b>b</b> <strong>s</strong> <i>i</i> <em>e</em> <u>u</u> <code>c</code></p>', '**b** **s** _i_ _e_ u `c`'],
  ['a mark in a mark', '<p><b><i>bi</i></b></p>', '**_bi_**'],
  ['blocks in a mark', '<b><p>a</p><p>b</p></b>', 'a\n\nb'],
  ['a link', '<p><a href="https://e.org/x?a=1&amp;b=2">text</a></p>', '[text](https://e.org/x?a=1&b=2)'],
  ['a link with a title', '<a href="https://e.org" title="say">t</a>', '[t](https://e.org "say")'],
  ['a link without an address', '<a name="x">t</a>', 't'],
  ['a link without text', '<p>a<a href="#a"></a></p>', 'a'],
  ['a link around blocks', '<a href="https://e.org"><h2>Head</h2><p>text</p></a>', '## Head\n\ntext\n\n<https://e.org>'],
  ['a link with brackets', '<a href="https://e.org/a_(b)">a [b]</a>', String.raw`[a \[b\]](https://e.org/a_\(b\))`],
  ['an image', `<p><img src="${image}" alt="an image"></p>`, `![an image](${image})`],
  ['an image without a text', `<img src="${image}">`, `![](${image})`],
  ['an image with its bytes', `<img src="data:image/png;base64,${'A'.repeat(5000)}" alt="x">`, '![x](data:…)'],
  ['an image in a link', `<a href="https://e.org"><img src="${image}" alt="x"></a>`, `[![x](${image})](https://e.org)`],
  ['a figure', `<figure><img src="${image}" alt="x"><figcaption>Caption</figcaption></figure>`, `![x](${image})\n\nCaption`],
  ['a list', '<ul><li>a</li><li>b</li></ul>', '-   a\n-   b'],
  ['a numbered list', '<ol start="5"><li>a</li><li>b</li></ol>', '5.  a\n6.  b'],
  ['a list in a list', '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul>', '-   a\n    -   b\n        1.  c'],
  ['paragraphs in a list', '<ul><li><p>a</p><p>b</p></li></ul>', '-   a\n    \n    b'],
  [
    'a list of tasks',
    '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
    '-   [x] a\n-   [ ] b',
  ],
  ['definitions', '<dl><dt>term</dt><dd>meaning</dd></dl>', 'term\n\nmeaning'],
  ['a quote', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n> \n> b'],
  ['a quote in a quote', '<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n> \n> > b'],
  ['a rule', '<p>a</p><hr><p>b</p>', 'a\n\n---\n\nb'],
  ['breaks', '<p>a<br>b<br/>c</p>', 'a  \nb  \nc'],
  ['text as it stands', '<pre>a\n  b\n\n\n\nc</pre>', '```\na\n  b\n\n\n\nc\n```'],
  [
    'code',
    '<pre><code class="language-ts">if (a &lt; b &amp;&amp; c) {}\n\n\n\nd()\n</code></pre>',
    '```ts\nif (a < b && c) {}\n\n\n\nd()\n```',
  ],
  ['code in colours', '<pre><code><span class="k">let</span> <span>x</span>\n<span>y</span></code></pre>', '```\nlet x\ny\n```'],
  ['code with fences', '<pre><code>```\nx\n```</code></pre>', '````\n```\nx\n```\n````'],
  ['text with fences', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['code with a backtick', '<p><code>a`b</code></p>', '``a`b``'],
  ['a table', '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  [
    'a table with parts',
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    '| a |\n| --- |\n| 1 |',
  ],
  ['a table with bars and breaks', '<table><tr><th>a|b</th></tr><tr><td>1<br>2</td></tr></table>', '| a\\|b |\n| --- |\n| 1 2 |'],
  ['an uneven table', '<table><tr><th>a</th></tr><tr><td>1</td><td>2</td></tr></table>', '| a |  |\n| --- | --- |\n| 1 | 2 |'],
  [
    'a table with marks',
    '<table><tr><td><a href="https://e.org">x</a></td><td><b>y</b></td></tr></table>',
    '| [x](https://e.org) | **y** |\n| --- | --- |',
  ],
  [
    'a table in a table',
    '<table><tr><td>a <table><tr><td>in</td></tr></table></td><td>b</td></tr></table>',
    '| a in | b |\n| --- | --- |',
  ],
  ['a table with a caption', '<table><caption>Cap</caption><tr><th>a</th></tr></table>', 'Cap\n\n| a |\n| --- |'],
  ['a table without rows', '<p>a</p><table></table><p>b</p>', 'a\n\nb'],
  ['entities', '<p>&copy; &#x1F600; &hellip; &amp;amp;</p>', '© 😀 … &amp;'],
  [
    'characters of Markdown',
    '<p>1. a * b _c_ [e] `g`</p><p># x</p><p>- y</p>',
    '1\\. a \\* b \\_c\\_ \\[e\\] \\`g\\`\n\n\\# x\n\n\\- y',
  ],
  ['scripts and styles', '<style>p{}</style><script>alert("<p>no</p>")</script><p>yes</p><noscript>no</noscript>', 'yes'],
  ['comments', '<!-- no --><p>a<!-- no -->b</p><!--[if IE]>no<![endif]-->', 'ab'],
  ['what is hidden', '<p hidden>no</p><p style="display:none">no</p><i aria-hidden="true">no</i><p>yes</p>', 'yes'],
  ['details', '<details><summary>More</summary><p>inside</p></details>', 'More\n\ninside'],
  ['pictures and frames', '<svg><text>no</text></svg><iframe src="x">no</iframe><p>a</p>', 'a'],
  ['tags without an end', '<p>a<p>b<ul><li>c<li>d</ul><b>e', 'a\n\nb\n\n-   c\n-   d\n\n**e**'],
  ['no tag of a body', '<!doctype html><html lang="en"><head><title>T</title></head><p>a</p></html>', '# T\n\na'],
  ['only a body', '<body class="x"><p>a</p></body>', 'a'],
  ['frames', '<html><frameset><frame src="a"><noframes>without frames</noframes></frameset></html>', 'without frames'],
  ['capital letters', '<HTML><BODY><H1>A</H1><P>b</P></BODY></HTML>', '# A\n\nb'],
  ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>a</p><br /></body></html>', 'a'],
  ['blanks', '<p>a\n   b\n\tc <b> d </b>e</p>', 'a b c **d** e'],
  ['other scripts', '<p dir="rtl">שלום</p><p>你好，世界</p>', 'שלום\n\n你好，世界'],
  ['empty elements', '<p></p><p> </p><div></div><ul></ul><h2></h2><b></b>', ''],
]

it.each(shapes)('%s', (_name, html, markdown) => {
  expect(pageText(html).markdown).toBe(markdown)
})

describe('an article', () => {
  it('is shown without what stands around it', () => {
    const page = pageText(
      `<html><head><title>T | Site</title></head><body><nav><a href="/">Home</a></nav><article><h1>T</h1><p>${long}</p><p>${long}</p></article><footer>Foot</footer></body></html>`,
    )
    expect(page).toEqual({ isArticle: true, alternate: undefined, markdown: `# T | Site\n\n${long}\n\n${long}` })
  })

  it('keeps its code and its tables', () => {
    const { markdown } = pageText(
      `<body><div id="sidebar"><a href="a">a</a></div><div class="content"><p>${long}</p><pre><code class="language-js">call(1)</code></pre><table><tr><th>arg</th></tr><tr><td>x</td></tr></table><p>${long}</p></div></body>`,
    )
    expect(markdown).toContain('```js\ncall(1)\n```')
    expect(markdown).toContain('| arg |\n| --- |\n| x |')
  })

  it('names the page as Markdown', () => {
    expect(pageText('<head><link rel="alternate" type="text/markdown" href="/p.md"></head><p>a</p>').alternate).toBe('/p.md')
    expect(pageText('<link rel="alternate" type="application/rss+xml" href="/feed"><p>a</p>').alternate).toBeUndefined()
  })
})

describe('a page that was made to be slow ends', () => {
  // A table inside another used to double the work; without limits none of these would end.
  it.each([
    ['tables in tables', '<table><tr><td>'.repeat(60), 'x'],
    ['elements in elements', '<div>'.repeat(20_000), 'x'],
    ['marks in marks', '<b><i>'.repeat(5_000), 'x'],
  ])('%s', (_name, before, text) => {
    expect(pageText(before + text).markdown).toContain(text)
  })
})
