import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import apiDocument from '../../openapi.json' with { type: 'json' };
import { bundleFunctions } from '../../lib/constructs/bundle.ts';
import { functions } from './stacks.ts';
import { manifest } from '../../functions/manifest.ts';

const bundles = bundleFunctions(manifest);
const folderOf = (name: string): string => bundles.get(name) ?? '';

/** The code of a function, with that of the packages that it loads late. */
const codeOf = (name: string): string =>
  globSync('**/*.mjs', { cwd: folderOf(name) })
    .map((file) => readFileSync(join(folderOf(name), file), 'utf8'))
    .join('\n');
const bytesOf = (name: string): number => statSync(join(folderOf(name), 'index.mjs')).size;

/** A cold start reads and compiles the whole bundle: about a millisecond for 10 KB. */
const mostBytes = 400_000;

/** Functions that answer with the document of the API, which grows with it, and the most beside the document. */
const withDocument = ['openApi', 'openApiDocument'];
const documentBytes = Buffer.byteLength(JSON.stringify(apiDocument));
const mostBeside = 100_000;

/** The inspection knows the names and words of columns in some twenty languages, which an import does not need. */
const withNames = ['inspectImport'];
const mostForNames = 40_000;

/** The end of an import sends mails, calls webhooks and writes files of results; it runs once for each file. */
const withAllChannels = ['announceImport'];
const mostForChannels = 10_000;

const limitOf = (name: string): number => {
  if (withDocument.includes(name)) return documentBytes + mostBeside;
  if (withAllChannels.includes(name)) return mostBytes + mostForChannels;
  return withNames.includes(name) ? mostBytes + mostForNames : mostBytes;
};

/** Only these functions check or use keys. */
const withOpenPgp = ['createExport', 'replaceExport', 'assembleExport'];

/** Only these functions read the cells of files, and with them phone numbers and character references. */
const readingCells = ['importBatch', 'inspectImport', 'splitFile'];

/** The first names in the table of HTML, which shows that a bundle holds it. */
const firstNames = 'AEligMPacute';

/** Only these functions push files or test servers. */
const withSsh = ['deliverFile', 'testExport'];

describe('function bundles', () => {
  it.each(functions)('the bundle of %s is small', (name) => {
    expect(bytesOf(name)).toBeLessThan(limitOf(name));
  });

  it('only the functions that check or use keys have OpenPGP in their bundles', () => {
    const holders = functions.filter(([name]) => codeOf(name).includes('BEGIN PGP PUBLIC KEY BLOCK'));
    expect(holders.map(([name]) => name).toSorted()).toEqual(withOpenPgp.toSorted());
  });

  it('only the functions that push files or test servers have SSH in their bundles', () => {
    const holders = functions.filter(([name]) => codeOf(name).includes('curve25519-sha256@libssh.org'));
    expect(holders.map(([name]) => name).toSorted()).toEqual(withSsh);
  });

  it('only the functions that read the cells of files load numbering plans', () => {
    const holders = functions.filter(([name]) =>
      existsSync(join(folderOf(name), 'node_modules/libphonenumber-js')),
    );
    expect(holders.map(([name]) => name).toSorted()).toEqual(readingCells);
    for (const name of readingCells)
      expect(readFileSync(join(folderOf(name), 'index.mjs'), 'utf8').includes('nationalPrefix'), name).toBe(
        false,
      );
  });

  it('only the functions that read the cells of files load the names of HTML', () => {
    const holders = functions.filter(([name]) => codeOf(name).includes(firstNames));
    expect(holders.map(([name]) => name).toSorted()).toEqual(readingCells);
    for (const name of readingCells)
      expect(readFileSync(join(folderOf(name), 'index.mjs'), 'utf8').includes(firstNames), name).toBe(false);
  });

  it('bundles hold runtime code and no code of the stacks, the tests or the local stage', () => {
    for (const [name] of functions) {
      const code = codeOf(name);
      // Compared as booleans: a failed match would print the whole bundle.
      expect(/export\s*\{[^}]*\bhandler\b/.test(code), name).toBe(true);
      expect(/aws-cdk-lib|dynalite|fauxqs/.test(code), name).toBe(false);
    }
  });

  it('no bundle looks for credentials outside of its environment', () => {
    const looking = /AWS_WEB_IDENTITY_TOKEN_FILE|AWS_CONTAINER_CREDENTIALS|sso_start_url/;
    expect(functions.filter(([name]) => looking.test(codeOf(name))).map(([name]) => name)).toEqual([]);
  });

  it('no bundle imports a module of Node whose lazy parts the import would evaluate', () => {
    const eager = /from\s*"node:(?:fs|fs\/promises|http|https)"/;
    expect(functions.filter(([name]) => eager.test(codeOf(name))).map(([name]) => name)).toEqual([]);
  });

  it('no module is imported for what its import does: bundles leave out modules without a used export', () => {
    const files = globSync(['functions/**/*.ts', 'shared/**/*.ts']);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /^import '/m.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('unchanged sources are bundled once', () => {
    const before = [...bundles.values()].map((folder) => statSync(folder).mtimeMs);
    const again = [...bundleFunctions(manifest).values()];
    expect(again).toEqual([...bundles.values()]);
    expect(again.map((folder) => statSync(folder).mtimeMs)).toEqual(before);
  });

  it('a build is refused with the name of every handler that is missing', () => {
    const [[name, entry] = ['', undefined]] = functions;
    expect(name).not.toBe('');
    if (entry === undefined) return;
    const wrong = { a: { ...entry, source: 'edge/nowhere' }, b: { ...entry, source: 'edge/nothing' } };
    expect(() => bundleFunctions(wrong)).toThrow('functions/edge/nowhere.ts, functions/edge/nothing.ts');
  });

  it('bundle sizes are printed for the record', () => {
    const sizes = functions.map(([name]) => `${name} ${Math.round(bytesOf(name) / 1000)}`);
    process.stdout.write(`bundles (KB): ${sizes.join(', ')}\n`);
    expect(sizes).toHaveLength(functions.length);
  });
});
