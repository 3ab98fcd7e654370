/** Style of the sign-in pages. Plum, not the product's blue, so that no one confuses the two companies. */
export const AUTHORIZE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: oklch(97.5% 0.008 85); --card: oklch(99.4% 0.004 85); --line: oklch(87% 0.012 85);
  --ink: oklch(25% 0.02 300); --soft: oklch(47% 0.02 300);
  --accent: oklch(44% 0.13 330); --on-accent: oklch(99% 0.01 330);
  --amber: oklch(42% 0.09 70); --amber-ground: oklch(94% 0.05 85);
  --red: oklch(47% 0.17 25); --red-ground: oklch(95% 0.03 25);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: oklch(18.5% 0.018 300); --card: oklch(22.5% 0.02 300); --line: oklch(35% 0.02 300);
    --ink: oklch(93% 0.008 85); --soft: oklch(73% 0.015 300);
    --accent: oklch(78% 0.11 330); --on-accent: oklch(20% 0.04 330);
    --amber: oklch(86% 0.1 85); --amber-ground: oklch(31% 0.05 75);
    --red: oklch(80% 0.11 25); --red-ground: oklch(29% 0.06 25);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 16px/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
.bar { display: flex; align-items: center; gap: 12px; padding: 16px 24px; border-bottom: 1px solid var(--line); }
.mark { flex: none; width: 20px; height: 20px; border-radius: 6px; background: linear-gradient(135deg, var(--accent) 50%, transparent 50%), var(--line); }
.house { font-weight: 650; letter-spacing: -0.01em; }
.practice {
  margin-left: auto; white-space: nowrap; padding: 4px 12px; border-radius: 99px; font-size: 14px; font-weight: 600;
  color: var(--amber); background: var(--amber-ground);
}
main { flex: 1; width: 100%; max-width: 880px; margin: 0 auto; padding: 40px 24px; }
h1 { margin: 0 0 8px; font: 500 28px/1.2 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; letter-spacing: -0.01em; }
h2 { margin: 0 0 8px; font-size: 16px; font-weight: 650; }
p { margin: 0 0 16px; max-width: 68ch; }
.lead { color: var(--soft); margin-bottom: 24px; }
.hint { margin: 16px 0 0; font-size: 14px; color: var(--soft); }
.pair { display: grid; gap: 24px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 24px; }
.narrow { max-width: 520px; margin: 0 auto; }
.card > h2 ~ h2 { margin-top: 16px; }
label { display: block; margin: 16px 0 4px; font-size: 14px; font-weight: 550; }
input:not([type="hidden"]) {
  width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: var(--ground);
  border: 1px solid color-mix(in oklch, var(--soft) 70%, transparent); border-radius: 6px;
}
button {
  width: 100%; margin-top: 24px; padding: 12px 16px; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 6px;
  transition: filter 140ms ease-out;
}
button:hover { filter: brightness(1.08); }
button.second { color: var(--ink); background: transparent; border-color: var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { margin: 0 0 24px; border-top: 1px solid var(--line); }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; font-variant-numeric: tabular-nums; font-weight: 600; }
ul { margin: 0 0 16px; padding: 0; list-style: none; }
li { padding: 4px 0 4px 28px; position: relative; }
li::before { position: absolute; left: 4px; font-weight: 700; color: var(--soft); }
.may li::before { content: "\\2713"; }
.may-not li::before { content: "\\2715"; }
.decision { display: flex; gap: 12px; flex-wrap: wrap; }
.decision button { flex: 1 1 160px; margin-top: 8px; }
.problem { padding: 8px 12px; border-radius: 6px; color: var(--red); background: var(--red-ground); font-size: 14px; }
footer { padding: 16px 24px; border-top: 1px solid var(--line); color: var(--soft); font-size: 14px; text-align: center; }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
