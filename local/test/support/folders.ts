import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of the checkout for files that find its packages. */
export const ofCheckout = resolve(import.meta.dirname, '../../../.local/test');

/** Makes a new folder at each call. All go when the tests have ended among which this is called. */
export const newFolders = (base: string = tmpdir()): (() => string) => {
  mkdirSync(base, { recursive: true });
  const root = mkdtempSync(join(base, 'tidemark-test-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, 'folder-'));
};
