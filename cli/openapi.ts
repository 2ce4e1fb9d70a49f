/**
 * Writes `openapi.json`, the description of the API, from the manifest, and the generated part of the client from it. With
 * `--check`, only compares them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { generatedClient } from '../client/generate.ts';
import { generatedPython } from '../client/python/generate.ts';
import { routes } from '../functions/edge/routes.ts';
import { openApiText } from '../functions/edge/openapi/document.ts';
import { readExamples } from '../functions/edge/openapi/examples.ts';

const GENERATED = 'client/src/generated';
const PYTHON = 'client/python/tidemark';

const text = openApiText(routes, readExamples());
const python = Object.entries(generatedPython(text));
const client = Object.entries(await generatedClient(text));
const files: readonly (readonly [name: string, content: string])[] = [
  ['openapi.json', text],
  ...client.map(([name, content]) => [`${GENERATED}/${name}`, content] as const),
  ...python.map(([name, content]) => [`${PYTHON}/${name}`, content] as const),
];

if (process.argv.includes('--check')) {
  const stale = files.filter(
    ([name, content]) => !existsSync(name) || readFileSync(name, 'utf8') !== content,
  );
  for (const [name] of stale) console.error(`${name} is not what the code says: run npm run openapi.`);
  process.exit(stale.length === 0 ? 0 : 1);
}
mkdirSync(GENERATED, { recursive: true });
for (const [name, content] of files) writeFileSync(name, content);
