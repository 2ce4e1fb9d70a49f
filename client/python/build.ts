/**
 * `npm run build:python-client`: generates a typed Python client from `openapi.json` into `.build/python`. It needs Java.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { runGenerator } from './generator.ts';
import { openApi30 } from './openapi-3.0.ts';
import { repairTemplates } from './templates.ts';

const root = join(import.meta.dirname, '../..');
const out = join(root, '.build/python');

const documentSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/** Files for a publisher of the package, and tests that test nothing. */
const unwanted = [
  'git_push.sh',
  '.github/**',
  '.gitlab-ci.yml',
  '.travis.yml',
  'tox.ini',
  'test-requirements.txt',
  'test/**',
];

const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')),
);

const options = {
  packageName: 'tidemark_client',
  projectName: 'tidemark-client',
  packageVersion: version,
  library: 'urllib3',
  hideGenerationTimestamp: 'true',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const templates = mkdtempSync(join(out, 'templates-'));
try {
  const document = join(out, 'openapi-3.0.json');
  const openApi = v.parse(documentSchema, readFileSync(join(root, 'openapi.json'), 'utf8'));
  writeFileSync(document, `${JSON.stringify(openApi30(openApi), null, 1)}\n`);
  runGenerator(['author', 'template', '-g', 'python', '-o', templates]);
  repairTemplates(templates);
  writeFileSync(join(out, '.openapi-generator-ignore'), `${unwanted.join('\n')}\n`);
  const properties = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  const generate = ['generate', '-g', 'python', '-i', document, '-o', out, '-t', templates];
  runGenerator([...generate, `--additional-properties=${properties.join(',')}`]);
} finally {
  rmSync(templates, { recursive: true, force: true });
}
process.stdout.write(`${out}\n`);
