/** Writes `openapi.json`, the description of the API, from the manifest. With `--check`, only compares it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { routes } from '../functions/edge/routes.ts';
import { openApiText } from '../functions/edge/openapi/document.ts';

const file = 'openapi.json';
const text = openApiText(routes);

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
} else if (readFileSync(file, 'utf8') !== text) {
  console.error(`${file} is not what the code says: run npm run openapi.`);
  process.exit(1);
}
