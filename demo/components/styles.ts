// Styles that the components share: buttons, fields, focus, notes, and text for assistive technology only.

import { css, type CSSResult } from 'lit'

export const shared: CSSResult = css`
  :host,
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  h1,
  h2,
  h3,
  p,
  pre {
    margin: 0;
  }
  button,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    min-height: 2rem;
    padding: 0.2rem 0.75rem;
    border: 1px solid var(--line-strong);
    border-radius: 6px;
    background: var(--panel);
    cursor: pointer;
  }
  button:hover:not([aria-disabled='true']) {
    background: var(--accent-ground);
    border-color: var(--accent);
  }
  /* Never :disabled, which would take the focus from the pressed button. */
  button[aria-disabled='true'] {
    color: var(--muted);
    border-color: var(--line);
    cursor: default;
  }
  button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  button.primary:hover:not([aria-disabled='true']) {
    background: color-mix(in oklab, var(--accent) 88%, var(--text));
  }
  button.primary[aria-disabled='true'] {
    background: var(--raised);
    border-color: var(--line);
    color: var(--muted);
  }
  button.quiet {
    min-height: 1.6rem;
    padding: 0 0.4rem;
    border-color: transparent;
    background: none;
    color: var(--accent);
  }
  button.quiet:hover {
    background: var(--accent-ground);
  }
  .mono,
  pre,
  code {
    font-family: var(--mono);
    font-size: 12.5px;
    line-height: 1.55;
    font-variant-ligatures: none;
    tab-size: 2;
  }
  .note {
    padding: 1.2rem 0.9rem;
    color: var(--muted);
  }
  .hidden-text {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`

/** A panel that stacks its parts and fills the height that it is given. */
export const column: CSSResult = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
`
