/** The page of the console: HTML that loads its script and its style sheet. */
import type { ConsoleFile } from './files.ts';

/** The path of a file. Its digest is in the name, so that browsers may keep it for good. */
const pathOf = (file: ConsoleFile, digest: string): string => `/console/${file.replace('.', `.${digest}.`)}`;

/** The page, with the digests of its files. */
export const consolePage = (digests: Readonly<Record<ConsoleFile, string>>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tidemark</title>
<link rel="license" href="${pathOf('licences.txt', digests['licences.txt'])}">
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
