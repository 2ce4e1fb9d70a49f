/** Kept build: a folder that is built once under its name, and then serves every process. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../local/core/process.ts';

export interface KeptBuild {
  /** The folder of all kept builds. */
  readonly folder: string;
  /** Letters, digits and hyphens that identify all inputs of the build. */
  readonly name: string;
  readonly build: (outdir: string) => Promise<void>;
  /** The process that uses the build: while it lives, nobody removes the build. The default is this process. */
  readonly pid?: number;
}

/** Builds that no process has asked for in this time are removed. */
const STALE_MS = 3_600_000;

/**
 * Returns the folder of a build, and builds it first unless it is kept. It is built in a folder of its own and moved in
 * place whole, so that processes side by side do not disturb each other.
 */
export const keptBuild = async ({ folder, name, build, pid = process.pid }: KeptBuild): Promise<string> => {
  const place = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.${pid}`), '');
  if (existsSync(place)) {
    const now = new Date();
    utimesSync(place, now, now);
    return place;
  }
  removeStale(folder);
  const outdir = mkdtempSync(join(folder, `${name}-`));
  await build(outdir);
  try {
    renameSync(outdir, place);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(place)) throw error;
    rmSync(outdir, { recursive: true, force: true });
  }
  return place;
};

/** Removes the marks of ended processes, and the stale builds that no living process has marked. */
const removeStale = (folder: string): void => {
  const names = readdirSync(folder);
  const held = new Set<string>();
  for (const mark of names.filter(isMark)) {
    const [name = '', pid] = mark.split('.');
    if (isAlive(Number(pid))) held.add(name);
    else rmSync(join(folder, mark), { force: true });
  }
  for (const name of names.filter((each) => !isMark(each) && !held.has(each))) {
    const used = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - used > STALE_MS) rmSync(join(folder, name), { recursive: true, force: true });
  }
};

/** The mark of a process is a file `<name>.<process id>` beside the build. */
const isMark = (name: string): boolean => name.includes('.');
