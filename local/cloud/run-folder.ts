import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../core/process.ts';

const NAME = /^run-(\d+)-/;

/** Makes a folder for this run below `parent`, and removes the folders of crashed runs. */
export const makeRunFolder = (parent: string): string => {
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    const pid = Number(NAME.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(parent, `run-${process.pid}-`));
};
