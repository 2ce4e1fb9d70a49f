/** Page that tries operations: HTML that loads Swagger UI with the API document of the same host. */
import { names, version } from './files.ts';

/**
 * Script of the page. The requests go to the host that serves the page, by whatever name the reader calls it, because
 * the policy of the page allows no other. The reference page keeps the reader's property under `property`. Errors and
 * shapes of answers stay on the reference page: Swagger UI takes half as long again with them.
 */
export const script = `
const dark = matchMedia('(prefers-color-scheme:dark)');
const colour = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', colour); colour();
const stored = () => { try { return localStorage.getItem('property') ?? ''; } catch { return ''; } };
const shorten = ({ responses }) => {
  for (const [status, response] of Object.entries(responses)) {
    if (status >= '400') delete responses[status];
    delete response.headers;
    for (const type in response.content) response.content[type] = {};
  }
};
const show = async () => {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error('status ' + answer.status);
  const spec = await answer.json();
  spec.servers = [{ url: location.origin }];
  delete spec.info.description; delete spec.webhooks;
  for (const path of Object.values(spec.paths)) Object.values(path).forEach(shorten);
  if (/^\\d+$/.test(stored())) spec.components.parameters.property_id.example = Number(stored());
  SwaggerUIBundle({ spec, dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none', defaultModelsExpandDepth: -1,
    tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null });
};
addEventListener('DOMContentLoaded', () => show().catch((error) => {
  document.getElementById('swagger-ui').textContent = 'The API document did not load: ' + error.message;
}));
`;

/** Look of what is around Swagger UI. Its title, and its column of links, which no answer has, are left out. */
export const style = `
:root{color-scheme:light}body{margin:0}
header,main>p,footer{max-width:1460px;margin:0 auto;padding:1rem 20px 0;box-sizing:border-box;font:16px/1.5 system-ui,sans-serif;color:#3b4151}
footer{padding:1rem 20px;font-size:.85rem}h1{margin:0;font-size:1.6rem}header p{margin:.4rem 0;max-width:48rem}
header a,footer a{color:#0b6e8f}.dark-mode :is(header,main>p,footer){color:#e4e6e6}.dark-mode :is(header,footer) a{color:#5cc3e4}
.swagger-ui :is(.information-container,.response-col_links){display:none}
`;

/** The page. */
export const tryPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the Tidemark API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/try/${names.style}">
<style>${style}</style>
<script>${script}</script>
<script src="/docs/try/${names.script}" defer></script>
</head>
<body>
<header>
<h1>Try the Tidemark API</h1>
<p><strong>Calls are real.</strong> <em>Execute</em> sends the request to this service. POST, PUT and DELETE change the data
of your property.</p>
<p>Press <em>Authorize</em> and paste an access token. The page forgets it when you close or reload the page.
The page calls no other host: it sends no files to storage, and a call that leads to a file ends with <em>Failed to fetch</em>.
The <a href="/docs">reference</a> explains all operations.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
</header>
<main id="swagger-ui"><p>Loading the operations …</p></main>
<footer>Made with Swagger UI ${version} (<a href="/docs/try/${names.licences}">licences</a>).</footer>
</body>
</html>
`;
