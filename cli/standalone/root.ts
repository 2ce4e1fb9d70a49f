import { resolve } from 'node:path';

/** Root of the project. Runs, logs and builds live below its `.local` and `.build`. */
export const ROOT = resolve(import.meta.dirname, '../..');
