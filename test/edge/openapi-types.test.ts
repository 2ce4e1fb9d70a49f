/** The types that two generators make of `openapi.json`: wrong calls do not compile, right calls do. */
import { createClient } from '@hey-api/openapi-ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';

const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
const folder = newFolders()();

beforeAll(async () => {
  writeFileSync(join(folder, 'openapi.json'), text);
  writeFileSync(join(folder, 'first.ts'), astToString(await openapiTS(text)));
  await createClient({
    input: join(folder, 'openapi.json'),
    output: { path: join(folder, 'second') },
    plugins: ['@hey-api/typescript'],
    logs: { level: 'silent' },
  });
  writeFileSync(join(folder, 'first-calls.ts'), firstCalls);
  writeFileSync(join(folder, 'second-calls.ts'), secondCalls);
});

/** The bodies and queries of the calls: `wrong` and `right` mark what the compiler must say. */
const calls = `
createProfile({ emial: 'typo@example.org', tags: 'jazz' }); // wrong
createProfile({ email: 'ann@example.org', tags: [{ datetime: '2026-11-22T09:00:00Z', tag: ['jazz'] }] }); // right
createImport({ name: 'x', mapping_fields: { required_fields: [42], field_maps: ['E-Mail'] } }); // wrong
createImport({ name: 'x', mapping_fields: { required_fields: ['email'], field_maps: [{ sources: [{ type: 'source_field', name: 'E-Mail' }], transformations: [{ name: 'strip' }], target_field: 'email' }] } }); // right
createExport({ segment: ['jazz'], custom_result_format: [1] }); // wrong
createExport({ segment: [7, { type: 'tag', name: 'Jazz' }], custom_result_format: [{ umbel_field_name: 'email', destination_field_name: 'E-mail' }] }); // right
listSegmentProfiles({ limit: 100 }); // right
listSegmentProfiles({ limit: '100' }); // wrong
getProfile({ email: 'ann@example.org', explain: true }); // right
getProfile({ email: 'ann@example.org', explain: 'true' }); // wrong
`;

const bodies = ['createProfile', 'createImport', 'createExport'];
const queries = ['listSegmentProfiles', 'getProfile'];

const firstCalls = [
  `import type { operations } from './first.ts';`,
  ...bodies.map(
    (name) =>
      `declare const ${name}: (body: operations['${name}']['requestBody']['content']['application/json']) => void;`,
  ),
  ...queries.map(
    (name) =>
      `declare const ${name}: (query: NonNullable<operations['${name}']['parameters']['query']>) => void;`,
  ),
  calls,
].join('\n');

const typeName = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Data`;

const secondCalls = [
  `import type { ${[...bodies, ...queries].map(typeName).join(', ')} } from './second/types.gen.ts';`,
  ...bodies.map((name) => `declare const ${name}: (body: ${typeName(name)}['body']) => void;`),
  ...queries.map(
    (name) => `declare const ${name}: (query: NonNullable<${typeName(name)}['query']>) => void;`,
  ),
  calls,
].join('\n');

/** The lines of a file of calls with which the compiler finds a fault. */
const refusedLines = (file: string): readonly string[] => {
  const path = join(folder, file);
  const program = ts.createProgram([path], {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const source = program.getSourceFile(path);
  const lines = readFileSync(path, 'utf8').split('\n');
  const places = ts
    .getPreEmitDiagnostics(program)
    .map(({ file: where, start = 0 }) =>
      where === source && source
        ? (lines[source.getLineAndCharacterOfPosition(start).line] ?? '')
        : `another file: ${where?.fileName}`,
    );
  return [...new Set(places)];
};

const wrongCalls = calls.split('\n').filter((line) => line.endsWith('// wrong'));

it.each([
  ['openapi-typescript', 'first-calls.ts'],
  ['hey-api', 'second-calls.ts'],
])('the types of %s refuse exactly the wrong calls', (_generator, file) => {
  expect(wrongCalls).toHaveLength(5);
  expect(refusedLines(file)).toEqual(wrongCalls);
});
