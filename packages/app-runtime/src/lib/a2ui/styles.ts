import { ICON_TAG, PLACEHOLDER_TAG } from './catalog.ts';

/*
 * The look of what is around and between the renderer's components. Values come from the host's
 * style variables where it sends them (MCP Apps `hostContext.styles.variables`) and fall back to a
 * quiet default that follows the colour scheme. Every rule is `:where`, so an embedder's own wins.
 */

/** On the mount: the renderer's variables, derived ones included, since it computes those on `:root`. */
export const VIEW_CSS = `
:where(.mcp-apps-a2ui) {
  --a2ui-color-background: var(--color-background-primary, light-dark(#fff, #1a1a1c));
  --a2ui-color-on-background: var(--color-text-primary, light-dark(#1d1d1f, #ececee));
  --a2ui-color-surface: var(--color-background-secondary, light-dark(#f7f7f8, #242427));
  --a2ui-color-on-surface: var(--color-text-primary, light-dark(#1d1d1f, #ececee));
  --a2ui-color-secondary: var(--color-background-tertiary, light-dark(#e9e9ec, #34343a));
  --a2ui-color-on-secondary: var(--color-text-primary, light-dark(#1d1d1f, #ececee));
  --a2ui-color-border: var(--color-border-primary, light-dark(#dcdce0, #3c3c42));
  --a2ui-border: 1px solid var(--a2ui-color-border);
  --a2ui-color-input: var(--color-background-primary, light-dark(#fff, #1f1f22));
  --a2ui-color-on-input: var(--color-text-primary, light-dark(#1d1d1f, #ececee));
  --a2ui-text-caption-color: var(--color-text-secondary, light-dark(#5c5c63, #a5a5ad));
  --a2ui-border-radius: var(--border-radius-md, 0.5rem);
  color: var(--a2ui-color-on-background);
  font-family: var(--font-sans, system-ui, sans-serif);
  display: flex;
  flex-direction: column;
  gap: 0.75rem;
}
:where(.mcp-apps-a2ui) :where(a2ui-surface) { display: block; }
:where(.mcp-apps-a2ui-skeleton) {
  min-height: 6rem;
  border-radius: var(--a2ui-border-radius);
  background: var(--a2ui-color-secondary);
  opacity: 0.5;
}
:where(.mcp-apps-a2ui-skeleton[hidden]) { display: none; }
:where(.mcp-apps-a2ui-text) { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
:where(.mcp-apps-a2ui-notice, .mcp-apps-a2ui-error) {
  margin: 0;
  padding: 0.5rem 0.75rem;
  border-radius: var(--a2ui-border-radius);
  background: var(--color-background-warning, light-dark(#fff4d6, #3d3115));
  color: var(--color-text-warning, light-dark(#6b4e00, #f5d98a));
  font-size: 0.875rem;
}
:where(.mcp-apps-a2ui-error) {
  background: var(--color-background-danger, light-dark(#fde8e8, #40191b));
  color: var(--color-text-danger, light-dark(#8f1d21, #ffb4b4));
}
:where(.mcp-apps-a2ui[data-incomplete]) :where(a2ui-surface) { opacity: 0.6; }
`;

/** Inside each surface's shadow root, where the components are. */
export const SURFACE_CSS: string = `
${ICON_TAG} { display: inline-flex; flex: none; vertical-align: middle; }
${ICON_TAG} svg {
  width: var(--a2ui-icon-size, 24px);
  height: var(--a2ui-icon-size, 24px);
  fill: var(--a2ui-icon-color, var(--a2ui-text-color-text, currentColor));
}
${PLACEHOLDER_TAG} { display: flex; flex-direction: column; gap: var(--a2ui-spacing-m, 0.5rem); }
${PLACEHOLDER_TAG}[data-empty] { display: none; }
:host([data-busy]) ${PLACEHOLDER_TAG}[data-empty] {
  display: block;
  min-width: 4rem;
  min-height: 1.25em;
  flex: 1;
  border-radius: var(--a2ui-border-radius, 0.5rem);
  background: var(--a2ui-color-secondary);
  opacity: 0.5;
}
/* Text whose data is not there yet: as high as it will be, so that nothing jumps when it comes. */
:host([data-busy]) .a2ui-text:empty, :host([data-busy]) .a2ui-text > :empty {
  display: inline-block;
  width: 5em;
  max-width: 100%;
  border-radius: var(--a2ui-border-radius, 0.5rem);
  background: var(--a2ui-color-secondary);
  opacity: 0.5;
}
:host([data-busy]) .a2ui-text.body:empty, :host([data-busy]) .a2ui-text.body > :empty { line-height: var(--a2ui-line-height-body, 1.5); }
:host([data-busy]) .a2ui-text:empty::before, :host([data-busy]) .a2ui-text > :empty::before { content: '\\200b'; }
@media (prefers-reduced-motion: no-preference) {
  :host([data-busy]) .a2ui-text:empty, :host([data-busy]) .a2ui-text > :empty,
  :host([data-busy]) ${PLACEHOLDER_TAG}[data-empty] { animation: mcp-apps-pulse 1.6s ease-in-out infinite; }
}
@keyframes mcp-apps-pulse { 50% { opacity: 0.25; } }
`;

const sheets = new Map<string, CSSStyleSheet>();

/** Adds a style sheet to a document or shadow root, once. Constructed sheets need no CSP exception. */
export function adoptStyles(root: DocumentOrShadowRoot, css: string): void {
  let sheet = sheets.get(css);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.set(css, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
