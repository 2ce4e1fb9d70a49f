/** Page that tries operations: HTML that loads Swagger UI with the API document of the same host, below a sign-in form. */
import { demoAccountsTag } from '../demo-accounts.ts';
import { names, version } from './files.ts';
import { script } from './script.ts';
import { style } from './style.ts';

const field = (name: string, label: string, attributes: string): string =>
  `<label>${label}<input name="${name}" required ${attributes}></label>`;

/** The page. `demoAccounts` is the variable `DEMO_ACCOUNTS`: accounts to sign in with one click, on the local stage only. */
export const tryPage = (demoAccounts: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${demoAccountsTag(demoAccounts)}<title>Try the Tidemark API</title>
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
of your property. The <a href="/docs">reference</a> explains all operations.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<section id="sign-in" aria-label="Sign in">
<form>
${field('username', 'User', 'autocomplete="username" autocapitalize="none" spellcheck="false"')}
${field('password', 'Password', 'type="password" autocomplete="current-password"')}
${field('client_id', 'Client id', 'autocomplete="off" autocapitalize="none" spellcheck="false"')}
<button class="main">Sign in</button>
</form>
<p id="demo" hidden>Demo accounts on this computer</p>
<p class="dim">The page keeps the token until you close or reload it, and for at most eight hours. A key goes in at <em>Authorize</em>.</p>
</section>
<section id="signed-in" hidden><p>Signed in as <strong id="who"></strong></p><button>Sign out</button></section>
<p id="says" role="alert"></p>
</header>
<main id="swagger-ui"><p>Loading the operations …</p></main>
<footer>The page calls no other host: it sends no files to storage, and a call that leads to a file ends with <em>Failed to
fetch</em>. Made with Swagger UI ${version} (<a href="/docs/try/${names.licences}">licences</a>).</footer>
</body>
</html>
`;
