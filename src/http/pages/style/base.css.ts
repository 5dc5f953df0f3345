/** The look of elements by themselves. Lengths are in rem, so that a reader who doubles the text gets a page of twice the size. */
export const base = `*{box-sizing:border-box}
html{background:var(--ground);color:var(--text);font:1rem/1.5 var(--font);-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1.0625rem;line-height:1.35;margin:0 0 .75rem}
p{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.15em}
small,.hint{color:var(--quiet);font-size:var(--hint);font-weight:400}
code,pre{font-family:var(--mono);font-size:.9em}
dd{margin:0}
.num,time{font-variant-numeric:tabular-nums}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
main:focus{outline:0}
`
