// Draws a line diff. The sign in the first column and <ins> and <del> distinguish added from removed lines; colour only repeats it.

import { css, html, type CSSResult, type TemplateResult } from 'lit'
import { formatCount } from '../format.ts'
import type { DiffRow } from '../line-diff.ts'

export const diffStyles: CSSResult = css`
  .diff {
    font-family: var(--mono);
    font-size: 12.5px;
    line-height: 1.55;
    font-variant-ligatures: none;
    tab-size: 2;
    width: max-content;
    min-width: 100%;
  }
  .diff-row {
    display: grid;
    grid-template-columns: 3.2em 3.2em 1.6em 1fr;
    white-space: pre;
    text-decoration: none;
  }
  .diff-row > [data-number]::before {
    content: attr(data-number);
  }
  .diff-row > [data-number] {
    padding-inline-end: 0.6em;
    text-align: end;
    color: var(--muted);
    user-select: none;
  }
  .diff-row > .sign {
    text-align: center;
    font-weight: 700;
  }
  .diff-row > .text {
    padding-inline-end: 0.7rem;
  }
  ins.diff-row {
    background: var(--added-ground);
  }
  ins.diff-row > .sign,
  ins.diff-row > [data-number] {
    color: var(--added);
  }
  del.diff-row {
    background: var(--removed-ground);
  }
  del.diff-row > .sign,
  del.diff-row > [data-number] {
    color: var(--removed);
  }
  .diff-gap {
    padding: 0.15rem 0.7rem 0.15rem 6.9em;
    color: var(--muted);
    background: var(--raised);
  }
`

export function diffRow(row: DiffRow): TemplateResult {
  switch (row.kind) {
    case 'added':
      return html`<ins class="diff-row"
        ><span data-number=""></span><span data-number=${row.newNumber}></span><span class="sign">+</span
        ><span class="text">${row.text}</span></ins
      >`
    case 'removed':
      return html`<del class="diff-row"
        ><span data-number=${row.oldNumber}></span><span data-number=""></span><span class="sign">−</span
        ><span class="text">${row.text}</span></del
      >`
    case 'same':
      return html`<div class="diff-row">
        <span data-number=${row.oldNumber}></span><span data-number=${row.newNumber}></span><span class="sign"> </span
        ><span class="text">${row.text}</span>
      </div>`
    case 'gap':
      return html`<div class="diff-gap">${formatCount(row.lineCount, 'unchanged line', 'unchanged lines')}</div>`
  }
}
