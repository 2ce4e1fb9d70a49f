import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** A state kept as a file of JSON lines, one per change. */
export interface Journal {
  append(entry: unknown): void;
  close(): void;
}

/** What a journal belongs to: takes lines in at the start, and tells its whole state when the file is rewritten. */
export interface Journaled {
  /** Applies one line read back; throws when it is not one of its own. */
  replay(entry: unknown): void;
  /** The lines that make the present state. */
  snapshot(): readonly unknown[];
}

/** The file is rewritten when it has this many lines more than twice its state. */
const SLACK = 10_000;

/** For services without a data directory: keeps nothing. */
export const noJournal: Journal = { append: () => undefined, close: () => undefined };

/**
 * Reads a journal into its owner and goes on writing it. Every line reaches the system before `append` returns, so it
 * survives the end of this process; a last line cut short is dropped.
 */
export const openJournal = (file: string, owner: Journaled): Journal => {
  mkdirSync(dirname(file), { recursive: true });
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) replayLine(owner, line);
  let written = 0;
  let kept = 0;
  let descriptor = -1;
  const rewrite = () => {
    const lines = owner.snapshot();
    const fresh = `${file}.new`;
    writeFileSync(fresh, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(fresh, file);
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
