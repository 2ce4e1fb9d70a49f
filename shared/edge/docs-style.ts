/** The look of the API page, light and dark. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:light-dark(#1d2733,#dfe6ee);--paper:light-dark(#fff,#14191f);--line:light-dark(#dce3ea,#2b343e);
--soft:light-dark(#f4f7fa,#1b222a);--accent:light-dark(#0b6e8f,#5cc3e4)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:2rem 1.25rem;color:var(--ink);background:var(--paper);
font:16px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:21rem 1fr;gap:0 2.5rem}
header{grid-column:1/-1}
h1{margin:0;font-size:1.9rem}h2{font-size:1.1rem;margin:0 0 .4rem}h3{font-size:.95rem;margin:1rem 0 .3rem}
a{color:var(--accent)}code{font:.88em ui-monospace,monospace;overflow-wrap:anywhere}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto;font-size:.85rem}
nav ul{list-style:none;margin:0;padding:0}nav li{margin:.3rem 0}nav a{text-decoration:none;color:inherit}nav a:hover{color:var(--accent)}
section{border:1px solid var(--line);border-radius:8px;padding:1rem 1.2rem;margin:0 0 1.2rem}section:target{border-color:var(--accent)}
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-top:1px solid var(--line)}
th{border:0;font-weight:600}tbody tr:hover{background:var(--soft)}
b{display:inline-block;min-width:3.4rem;text-align:center;font:600 .72rem/1.5rem ui-monospace,monospace;border-radius:4px;color:#fff;background:#5b6673}
b.get{background:#2b6cb0}b.post{background:#2f7d4f}b.put{background:#96640f}b.delete{background:#b0342f}
small{opacity:.7}
@media(max-width:820px){body{display:block}nav{position:static;max-height:none;margin-bottom:1.5rem}}
`;
