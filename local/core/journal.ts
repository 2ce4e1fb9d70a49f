/** Journal: keeps the state of a service as a file of JSON lines, one per change. */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { replaceFile } from './folder.ts';

/** An append-only file of JSON lines, one per change. */
export interface Journal {
  append(entry: unknown): void;
  close(): void;
}

/**
 * The owner of a journal. It applies the lines at the start, and writes its state when the journal compacts the file.
 */
export interface Journaled {
  /** Applies one line of the file. Throws for a line of another owner. */
  replay(entry: unknown): void;
  /** The lines that restore the present state. */
  snapshot(): readonly unknown[];
}

/** The journal compacts the file when it has this many lines more than twice the state. */
const SLACK = 10_000;

/** A journal that keeps nothing, for services without a data directory. */
export const noJournal: Journal = { append: () => undefined, close: () => undefined };

/**
 * Replays a journal into its owner, and continues it. The system has each line before `append` returns, so the line
 * survives the end of this process. The replay drops an incomplete last line.
 */
export const openJournal = (file: string, owner: Journaled): Journal => {
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) replayLine(owner, line);
  let written = 0;
  let kept = 0;
  let descriptor = -1;
  const rewrite = () => {
    const lines = owner.snapshot();
    replaceFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (descriptor >= 0) closeSync(descriptor);
    descriptor = openSync(file, 'a');
    written = 0;
    kept = lines.length;
  };
  rewrite();
  return {
    append: (entry) => {
      writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      written++;
      if (written > kept * 2 + SLACK) rewrite();
    },
    close: () => closeSync(descriptor),
  };
};

const replayLine = (owner: Journaled, line: string): void => {
  if (line === '') return;
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return;
  }
  owner.replay(entry);
};
