/** The examples of the README: they compile as a user of the package would write them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tidemark-readme-'));
const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** What the examples use and leave to the reader. An example may declare a name itself. */
const given = {
  tidemark: 'Tidemark',
  baseUrl: 'string',
  propertyId: 'number',
  clientId: 'string',
  username: 'string',
  password: 'string',
  storedToken: 'string',
  store: '(token: string, expiresAt: number | undefined) => void',
  importId: 'number',
  segmentId: 'number',
  segment_id: 'number',
  body: `Input<'createExport'>['body']`,
  secret: 'string',
  request: `import('node:http').IncomingMessage`,
  rawBody: 'Uint8Array',
};

const nameOf = (index: number): string => `example-${index + 1}.mts`;

beforeAll(() => {
  const globals = Object.entries(given).map(([name, type]) => `  const ${name}: ${type};`);
  const lines = ["import type { Input, Tidemark } from 'tidemark';", 'declare global {', ...globals, '}'];
  writeFileSync(join(folder, 'given.d.mts'), lines.join('\n'));
  for (const [index, code] of examples.entries()) writeFileSync(join(folder, nameOf(index)), code);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The faults that the compiler finds in the examples, each behind its line. */
const faults = (): readonly string[] => {
  const files = ['given.d.mts', ...examples.map((_, index) => nameOf(index))];
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2024,
      lib: ['lib.es2024.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
      paths: {
        tidemark: [join(root, 'client/src/index.ts')],
        'tidemark/webhooks': [join(root, 'client/src/webhooks.ts')],
      },
    },
  );
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.text.slice(0, start).split('\n').length : 0;
    const source = file?.text.split('\n')[line - 1] ?? '';
    return `${source.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
};

it('every example of the README compiles against the package', () => {
  expect(examples.length).toBeGreaterThan(6);
  expect(faults()).toEqual([]);
});

it('each name that is left to the reader is in an example', () => {
  const used = Object.keys(given).filter((name) =>
    examples.some((code) => new RegExp(`\\b${name}\\b`).test(code)),
  );
  expect(used).toEqual(Object.keys(given));
});
