/** Source copy: what the programs of a checkout need, in another folder, for tests of a fresh one. */
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of this checkout. */
export const root = resolve(import.meta.dirname, '../..');

const parts = [
  'bin',
  'cli',
  'client',
  'console',
  'lib',
  'local',
  'functions',
  'shared',
  'cdk.json',
  'package.json',
  'package-lock.json',
];

/** Copies the source into a folder, without its dependencies, and `more` beside it. */
export const copySource = (folder: string, more: readonly string[] = []): void => {
  for (const part of [...parts, ...more]) cpSync(join(root, part), join(folder, part), { recursive: true });
};
