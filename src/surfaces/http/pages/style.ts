/**
 * The pages' one stylesheet, served as a file so that the content policy needs no exception for inline style. Its colours are those of
 * the panel (`panel/src/tokens.css`): people come from one to the other.
 */
/** Files that are the same for everyone; requests for them are not counted. */
export const assetsPath = '/assets/';
export const stylePath = `${assetsPath}helve.css`;

export const style = `
:root { color-scheme: light dark; --text: #211f18; --dim: #5f5a4b; --back: #f7f6f3; --card: #fff; --line: #dcd8cd;
  --accent: #8a3b12; --on-accent: #fff; --bad: #a8201c; --good: #22643a; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ece9de; --dim: #a9a491; --back: #16150f; --card: #1e1d17; --line: #36342a;
    --accent: #f0a070; --on-accent: #241003; --bad: #ff9a90; --good: #7fcf9a; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
header a { color: inherit; font-weight: 650; text-decoration: none; }
h1 { font-size: 1.5rem; margin: .5rem 0 1rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 0; } .card > :first-child { margin-top: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 3px; padding: 1rem; margin: 0 0 1rem; }
.dim { color: var(--dim); } .good { color: var(--good); } .bad { color: var(--bad); }
p { margin: .4rem 0; } a { color: var(--accent); }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { background: var(--back); border: 1px solid var(--line); border-radius: 3px; padding: .75rem; margin: .75rem 0;
  overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; }
label.wide { flex-basis: 100%; display: grid; gap: .35rem; }
textarea { font: .875rem/1.5 ui-monospace, monospace; padding: .5rem .75rem; border-radius: 3px; resize: vertical;
  border: 1px solid var(--dim); background: var(--back); color: var(--text); }
button { font: inherit; font-weight: 600; padding: .45rem 1.1rem; border-radius: 3px; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
a.button { display: inline-block; font-weight: 600; padding: .45rem 1.1rem; border-radius: 3px; text-decoration: none;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button.second { background: transparent; color: var(--bad); border-color: var(--bad); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: start; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; color: var(--dim); }
`;
