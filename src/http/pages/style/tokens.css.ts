/**
 * The colours, sizes and fonts of every page. Text has a contrast of 4.5 at least on each surface it lies on, marks and edges 3; a sheet is
 * always lighter than the ground behind it. A brand writes over them; the colours of states stay.
 */
export const tokens = `:root{color-scheme:light dark;--ground:#f5f6f8;--surface:#fff;--sunken:#f8f9fb;--text:#191b20;--quiet:#5b606c;--line:#e3e5ea;--edge:#868c99;
--accent:#3a3d9e;--accent-hover:#2c2f80;--on-accent:#fff;--accent-soft:#eeeffb;--focus:#1f6feb;--good:#17693a;--good-soft:#e5f4ea;--good-mark:#2b9a5a;
--wait:#7d4b00;--wait-soft:#fcf0da;--wait-mark:#bd7a08;--bad:#a61e1a;--bad-soft:#fdebe9;--bad-mark:#d5443d;--plain-soft:#eceef2;--plain-mark:#868d9b;
--radius:8px;--font:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;--mono:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
--label:.8125rem;--hint:.875rem}
@media screen and (prefers-color-scheme:dark){:root{--ground:#101216;--surface:#181a20;--sunken:#14161b;--text:#e9eaee;--quiet:#a3a8b4;--line:#2b2f38;--edge:#767d8b;
--accent:#a9acff;--accent-hover:#c3c5ff;--on-accent:#14153a;--accent-soft:#23254a;--focus:#6aa5ff;--good:#7fd6a1;--good-soft:#142e1e;--good-mark:#3fae6c;
--wait:#f0bf6c;--wait-soft:#33270f;--wait-mark:#d9982b;--bad:#ffa099;--bad-soft:#3c1c1b;--bad-mark:#e0574f;--plain-soft:#262a33;--plain-mark:#6b7280}}
`
