/** Bulk: files into and out of PostgreSQL, by COPY of psql. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { PeerOptions } from './messages.ts';
import { exportEveryone } from './statements.ts';

type Psql = Pick<PeerOptions, 'psql' | 'psqlArgs'>;

const scriptOf = (name: string): string => join(import.meta.dirname, name);

/** The columns of the file, in its order. */
const STAGED = [
  ...[
    'visitor',
    'email',
    'first_name',
    'last_name',
    'birthday',
    'gender',
    'street',
    'city',
    'state',
    'zipcode',
  ],
  ...['country', 'has_children', 'tags', 'source', 'notes'],
].join(', ');

const start = ({ psql, psqlArgs }: Psql, args: readonly string[]) => {
  const child = spawn(psql, [...psqlArgs, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const complaints = text(child.stderr);
  const ended = once(child, 'exit').then(async ([code]) => {
    if (code !== 0) throw new Error(`psql ended with ${String(code)}: ${await complaints}`);
  });
  // The streams may fail first.
  ended.catch(() => undefined);
  return { child, ended };
};

/** Imports a CSV file in one transaction, and returns its counts as JSON. */
export const copyIn = async (options: Psql, file: Readable): Promise<string> => {
  const copy = `copy staging (${STAGED}) from stdin with (format csv, header)`;
  const scripts = ['-f', scriptOf('import-begin.sql'), '-c', copy, '-f', scriptOf('import-end.sql')];
  const { child, ended } = start(options, ['-1', ...scripts]);
  const answer = text(child.stdout);
  await Promise.all([pipeline(file, child.stdin), ended]);
  return answer;
};

/** Writes everyone as CSV into a stream. */
export const copyOut = async (options: Psql, into: Writable): Promise<void> => {
  const { child, ended } = start(options, ['-c', exportEveryone]);
  child.stdin.end();
  await pipeline(child.stdout, into, { end: false });
  await ended;
  into.end();
};
