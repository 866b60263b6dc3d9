// A button that cycles through the themes and names the current one.

import {
  css,
  html,
  LitElement,
  svg,
  type CSSResultGroup,
  type PropertyDeclarations,
  type SVGTemplateResult,
  type TemplateResult,
} from 'lit'
import { applyTheme, loadTheme, themes, type Theme } from '../theme.ts'
import { own } from './element.ts'
import { shared } from './styles.ts'

const icons: Record<Theme, SVGTemplateResult> = {
  system: svg`<rect x="2" y="3" width="12" height="8" rx="1" /><path d="M6 14h4M8 11v3" />`,
  light: svg`<circle cx="8" cy="8" r="3" /><path d="M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.5 1.500M11.5 11.500L13 13M13 3l-1.5 1.500M4.5 11.500L3 13" />`,
  dark: svg`<path d="M13 10A6 6 0 0 1 6 3a5.5 5.5 0 1 0 7 7z" />`,
}

export class ThemeSwitch extends LitElement {
  static override properties: PropertyDeclarations = own('theme')
  static override styles: CSSResultGroup = [
    shared,
    css`
      button {
        display: flex;
        align-items: center;
        gap: 0.4rem;
        color: var(--muted);
        border-color: var(--line);
        text-transform: capitalize;
      }
      svg {
        width: 1rem;
        height: 1rem;
        fill: none;
        stroke: currentColor;
        stroke-width: 1.5;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
      span {
        min-width: 3.4em;
        text-align: start;
      }
      @media (width < 30rem) {
        span {
          display: none;
        }
      }
    `,
  ]

  declare theme: Theme

  constructor() {
    super()
    this.theme = loadTheme()
  }

  protected override render(): TemplateResult {
    return html`<button data-testid="theme" aria-label="Theme: ${this.theme}" @click=${this.#next}>
      <svg viewBox="0 0 16 16" aria-hidden="true">${icons[this.theme]}</svg><span aria-hidden="true">${this.theme}</span>
    </button>`
  }

  #next(): void {
    this.theme = themes[(themes.indexOf(this.theme) + 1) % themes.length] ?? 'system'
    applyTheme(this.theme)
  }
}
