import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../core/folder.ts';

/** Observes the output of the functions: the name of the function and a piece of its output. */
type LogObserver = (functionName: string, text: string) => void;

/** The output of the functions, in one file each. */
export interface Logs {
  write(functionName: string, chunk: Buffer): void;
  /** All output of a function since the start, except what was written in the last moment. */
  read(functionName: string): Promise<string>;
  /** Calls `seen` with all later output. Returns a function that ends this. */
  observe(seen: LogObserver): () => void;
  close(): Promise<void>;
}

/** Opens the logs. `directory` gets one file per function with output; the start empties the files. */
export const createLogs = (directory: string): Logs => {
  const files = new Map<string, WriteStream>();
  const observers = new Set<LogObserver>();
  makeFolder(directory);
  const fileOf = (name: string): WriteStream => {
    const known = files.get(name);
    if (known) return known;
    const file = createWriteStream(join(directory, `${name}.log`));
    files.set(name, file);
    return file;
  };
  return {
    write: (name, chunk) => {
      fileOf(name).write(chunk);
      for (const seen of observers) seen(name, chunk.toString('utf8'));
    },
    // A function without output has no file.
    read: (name) => readFile(join(directory, `${name}.log`), 'utf8').catch(() => ''),
    observe: (seen) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    close: async () => {
      await Promise.all([...files.values()].map((file) => new Promise<void>((resolve) => file.end(resolve))));
    },
  };
};
