import { FONT, palettes } from '../../../shared/runtime/palette.ts';

/** Look of the page, light and dark, wide and narrow. */
export const style = `
:root{color-scheme:light dark;${palettes.light};scroll-padding-top:1rem}
@media(prefers-color-scheme:dark){:root{${palettes.dark}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0 auto;max-width:1240px;padding:2rem 1.25rem;color:var(--text);background:var(--surface);
font:16px/1.55 ${FONT};display:grid;grid-template-columns:19rem minmax(0,1fr);gap:0 2.5rem}
header{grid-column:1/-1;margin-bottom:1.5rem}header p{margin:.3rem 0}
h1{margin:0;font-size:1.9rem}h2{font-size:1.5rem;margin:2.5rem 0 .3rem}h3{font-size:1.15rem;margin:0 0 .3rem}
h4{font-size:.95rem;margin:1.2rem 0 .3rem}h3 a{color:inherit;text-decoration:none}h3 a:hover{color:var(--accent)}
p{margin:.4rem 0}a{color:var(--accent)}code,pre{font:.86em/1.5 ui-monospace,monospace}code{overflow-wrap:break-word}
input{font:inherit;color:inherit;background:var(--surface);border:1px solid var(--edge);border-radius:6px;padding:.25rem .5rem}
summary{cursor:pointer}::placeholder{color:var(--muted);opacity:1}small,em,dt span,.notes,figcaption{color:var(--muted)}em{font-style:normal;font-size:.85rem}dt em::before{content:"· "}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto;scrollbar-width:thin;padding-right:.6rem;font-size:.88rem}
nav input{width:100%;margin:.5rem 0}nav details details summary{font-weight:600;margin-top:.5rem}
nav ul{list-style:none;margin:0;padding:0}nav li a{display:flex;gap:.5rem;padding:.15rem 0;text-decoration:none;color:inherit}nav li a:hover{color:var(--accent)}
section{border:1px solid var(--line);border-radius:8px;padding:1rem 1.2rem;margin:1rem 0}section:target{border-color:var(--accent)}
#about{border:0;padding:0}
dl{margin:.3rem 0}dt{border-top:1px solid var(--line);padding-top:.35rem}dt code{font-weight:600}dt span{font-size:.88rem;margin-left:.3rem}
dd{margin:0 0 .35rem}dd p{margin:0}dd dl,.options{margin-left:0;padding-left:.9rem;border-left:2px solid var(--line)}
.options{list-style:none}.options>li+li{border-top:1px dashed var(--line);margin-top:.5rem;padding-top:.5rem}
:target>code{background:var(--sunken)}dt:target{border-top-color:var(--accent)}
pre{margin:0;padding:.8rem 1rem;background:var(--sunken);border-radius:0 0 8px 8px;overflow:auto;max-height:24rem}
.samples{margin:1rem 0 .6rem}.samples p{margin:0;display:flex;gap:.2rem;background:var(--sunken);border-radius:8px 8px 0 0;padding:.3rem .5rem 0}
.samples button{font:inherit;font-size:.85rem;color:var(--muted);background:none;border:0;border-bottom:2px solid transparent;padding:.2rem .5rem;cursor:pointer}
.samples button[aria-pressed=true]{color:var(--text);border-color:var(--accent)}
.samples>:is(pre,.more){display:none}[data-language=curl] .samples>.curl,[data-language=tidemark] .samples>.tidemark,[data-language=javascript] .samples>.javascript,[data-language=python] .samples>.python{display:block}
pre.whole{max-height:none}.more{font:600 .85rem ${FONT};color:var(--accent);background:none;border:0;padding:.4rem 1rem;cursor:pointer}
#about>details{padding:.2rem 0}#found:not(:empty){margin-bottom:.5rem}
figure{margin:.6rem 0}figcaption{font-size:.85rem;background:var(--sunken);border-radius:8px 8px 0 0;padding:.4rem 1rem 0}
var{font-style:normal;color:var(--accent)}.try{font-size:.88rem;white-space:nowrap;margin-left:.4rem}.codes{display:flex;flex-wrap:wrap;gap:.2rem .8rem}
b{display:inline-block;flex:none;align-self:start;min-width:3.3rem;text-align:center;font:600 .68rem/1.4rem ui-monospace,monospace;border-radius:4px;color:#fff;background:#5b6673}
b.get{background:#2b6cb0}b.post{background:#2f7d4f}b.put{background:#96640f}b.delete{background:#b0342f}
@media(max-width:899px){body{display:block;padding:1rem .9rem}nav{position:static;max-height:none;margin:0 0 1.5rem;padding:.6rem .8rem;border:1px solid var(--line);border-radius:8px}
section{padding:.8rem .8rem}nav>details>summary{font-weight:600}.part>summary{color:var(--accent);padding:.3rem 0}}
@media(min-width:900px){nav>details>summary,.part>summary{display:none}}
`;
