/** The page of the console: HTML that loads its script and its style sheet. */
import { demoAccountsTag } from '../demo-accounts.ts';
import type { ConsoleFile } from './files.ts';

/** The path of a file. Its digest is in the name, so that browsers may keep it for good. */
const pathOf = (file: ConsoleFile, digest: string): string => `/console/${file.replace('.', `.${digest}.`)}`;

/**
 * The page, with the digests of its files. `demoAccounts` is the variable `DEMO_ACCOUNTS`: accounts to sign in with one click,
 * on the local stage only.
 */
export const consolePage = (
  digests: Readonly<Record<ConsoleFile, string>>,
  demoAccounts: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${demoAccountsTag(demoAccounts)}<title>Tidemark</title>
<link rel="license" href="${pathOf('licences.txt', digests['licences.txt'])}">
<meta name="texts-de" content="${pathOf('de.js', digests['de.js'])}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${pathOf('style.css', digests['style.css'])}">
<script type="module" src="${pathOf('app.js', digests['app.js'])}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. The <a href="/docs">API</a> and the command line do not.</noscript>
</body>
</html>
`;
