import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../lib/constructs/bundle.ts';
import { functions } from './stacks.ts';
import { manifest } from '../../functions/manifest.ts';

const bundles = bundleFunctions(manifest);
const codeOf = (name: string): string => readFileSync(join(bundles.get(name) ?? '', 'index.mjs'), 'utf8');
const bytesOf = (name: string): number => statSync(join(bundles.get(name) ?? '', 'index.mjs')).size;

/** A cold start reads and compiles all of it: about a millisecond for 10 KB. */
const mostBytes = 700_000;
/** OpenPGP is as large as all the rest of a bundle, and goes only where keys are checked or used. */
const withOpenPgp = ['createExport', 'replaceExport', 'assembleExport'];
const openPgpBytes = 400_000;
/** SSH is nearly as large. */
const withSsh = ['deliverFile'];
const sshBytes = 300_000;

const mostBytesOf = (name: string): number =>
  mostBytes + (withOpenPgp.includes(name) ? openPgpBytes : 0) + (withSsh.includes(name) ? sshBytes : 0);

describe('bundles', () => {
  it.each(functions)('%s: is small', (name) => {
    expect(bytesOf(name)).toBeLessThan(mostBytesOf(name));
  });

  it('hold OpenPGP only where it is needed', () => {
    const holders = functions.filter(([name]) => codeOf(name).includes('BEGIN PGP PUBLIC KEY BLOCK'));
    expect(holders.map(([name]) => name).toSorted()).toEqual(withOpenPgp.toSorted());
  });

  it('hold SSH only where it is needed', () => {
    const holders = functions.filter(([name]) => codeOf(name).includes('curve25519-sha256@libssh.org'));
    expect(holders.map(([name]) => name)).toEqual(withSsh);
  });

  it('hold what runs, and nothing of the stacks, the tests or one machine', () => {
    for (const [name] of functions) {
      const code = codeOf(name);
      // Compared as booleans: a failed match would print the whole bundle.
      expect(/export\s*\{[^}]*\bhandler\b/.test(code), name).toBe(true);
      expect(/aws-cdk-lib|dynalite|fauxqs/.test(code), name).toBe(false);
    }
  });

  it('are made once for the same sources', () => {
    const before = [...bundles.values()].map((folder) => statSync(folder).mtimeMs);
    const again = [...bundleFunctions(manifest).values()];
    expect(again).toEqual([...bundles.values()]);
    expect(again.map((folder) => statSync(folder).mtimeMs)).toEqual(before);
  });

  it('are refused with the name of every handler that is missing', () => {
    const [[name, entry] = ['', undefined]] = functions;
    expect(name).not.toBe('');
    if (entry === undefined) return;
    const wrong = { a: { ...entry, source: 'edge/nowhere' }, b: { ...entry, source: 'edge/nothing' } };
    expect(() => bundleFunctions(wrong)).toThrow('functions/edge/nowhere.ts, functions/edge/nothing.ts');
  });

  it('sizes, for the record', () => {
    const sizes = functions.map(([name]) => `${name} ${Math.round(bytesOf(name) / 1000)}`);
    process.stdout.write(`bundles (KB): ${sizes.join(', ')}\n`);
    expect(sizes).toHaveLength(functions.length);
  });
});
