import { FONT, palettes } from '../../../shared/runtime/palette.ts';

/**
 * Look of what is around Swagger UI, whose class `dark-mode` says when it is dark. The title of Swagger UI, and its column
 * of links, which no answer has, are left out.
 */
export const style = `
:root{color-scheme:light;${palettes.light};background:#fff}
.dark-mode{color-scheme:dark;${palettes.dark}}
body{margin:0}[hidden]{display:none!important}
header,main>p,footer{max-width:1460px;margin:0 auto;padding:24px 20px 0;box-sizing:border-box;font:15px/1.5 ${FONT};color:var(--text)}
footer{padding:16px 20px;font-size:13px;color:var(--muted)}
h1{margin:0;font-size:26px;line-height:1.2;font-weight:650;letter-spacing:-.015em}header p{margin:8px 0}header>p{max-width:48rem}
header a,footer a{color:var(--accent)}
header section{margin:16px 0 8px;padding:16px 24px;border:1px solid var(--line);border-radius:10px;background:var(--page)}
#signed-in{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}#signed-in p{flex:1;margin:0}
form{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:end}
label{display:grid;gap:6px;flex:1 1 180px;font-size:13px;font-weight:600}
header input{width:100%;height:36px;box-sizing:border-box;padding:0 12px;font:400 15px ${FONT};color:var(--text);background:var(--surface);border:1px solid var(--edge);border-radius:6px}
header button{min-height:36px;padding:0 16px;font:600 15px/1.2 ${FONT};color:var(--text);background:var(--surface);border:1px solid var(--edge);border-radius:6px;cursor:pointer}
header button:hover{background:var(--sunken)}header button:disabled{color:var(--muted);border-color:var(--line);cursor:default}
header button.main{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}header button.main:hover{background:var(--accent-strong)}
header :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
#demo{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:16px}
header .dim,#demo{font-size:13px;color:var(--muted)}#says{margin:0;color:var(--bad)}#says:empty{display:none}
@media(max-width:860px){header section{padding:16px}header input,header button{min-height:44px}form button{flex:1 1 100%}}
.swagger-ui :is(.information-container,.schemes-server-container,.response-col_links){display:none}
`;
