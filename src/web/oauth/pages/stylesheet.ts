import { html } from './html.js';

/** The one stylesheet of all pages; the policy lets through exactly this text. */
export const stylesheet = html`
:root {
  color-scheme: light dark;
  --paper: #f6f6f3; --card: #fff; --ink: #1b1f24; --soft: #535b66; --line: #d5d8dc; --field: #767e89;
  --accent: #1a4fa3; --on-accent: #fff; --warn: #fff3d6; --warn-line: #a86400; --stop: #fde9e7; --stop-line: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --card: #1d2127; --ink: #e9ebee; --soft: #aab2bd; --line: #3a414b; --field: #8b94a1;
    --accent: #9cc0ff; --on-accent: #0d1b33; --warn: #33290f; --warn-line: #e0a83c; --stop: #3a1d1b; --stop-line: #ff8a80;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 40rem; margin: 0 auto; padding: 1.25rem; }
main > * + *, form > * + *, fieldset > * + * { margin-top: 1rem; }
.product { margin: 0; color: var(--soft); font-size: .875rem; }
h1 { margin: .25rem 0 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin-bottom: 0; font-size: 1.0625rem; }
h2 + * { margin-top: .5rem; }
p, ul, dl { margin-bottom: 0; }
dl, fieldset, .scopes { padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
dl { display: grid; gap: .75rem; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; font-weight: 600; overflow: clip; }
.scopes { list-style: none; padding-block: .25rem; }
.scopes li { padding-block: .5rem; overflow: clip; }
.scopes li + li { border-top: 1px solid var(--line); }
code { font: .9375em/1.5 ui-monospace, monospace; }
bdi { unicode-bidi: isolate; }
fieldset { margin-inline: 0; margin-bottom: 0; min-width: 0; }
legend { float: left; width: 100%; padding: 0; font-weight: 600; font-size: 1.0625rem; line-height: 1.35; }
legend + * { clear: both; padding-top: .5rem; }
.choice { display: grid; grid-template-columns: 1.5rem 1fr; align-items: start; }
.choice input { width: 1.125rem; height: 1.125rem; margin: .1875rem 0 0; accent-color: var(--accent); }
.under { margin-top: .5rem; margin-inline-start: 1.5rem; }
.under label { display: block; font-weight: 600; font-size: .875rem; }
.under input { width: 100%; margin: .25rem 0; padding: .5rem .625rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--field); border-radius: .375rem; }
.hint { margin: 0; color: var(--soft); font-size: .875rem; }
.warning, .stop { padding: .75rem 1rem; border-inline-start: .25rem solid var(--warn-line); border-radius: .25rem; background: var(--warn); }
.stop { border-color: var(--stop-line); background: var(--stop); }
button { width: 100%; min-height: 2.75rem; padding: .625rem 1.25rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem; cursor: pointer; }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .1875rem; }
@media (min-width: 40rem) {
  main { padding: 2.5rem 1.25rem; }
  .fact { display: grid; grid-template-columns: 11rem 1fr; gap: 1rem; }
  dl { gap: .5rem; }
  dt { font-size: 1rem; }
  button { width: auto; }
}
`;
