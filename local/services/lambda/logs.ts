import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../core/folder.ts';

/** Observes the output of the functions: the name of the function and a piece of its output. */
type LogObserver = (functionName: string, text: string) => void;

/** Lines of this long are written to the file together: a write takes another thread of the process. */
const GATHER_MS = 100;

/** Opens the logs. `directory` gets one file per function with output; the start empties the files. */
export const createLogs = (directory: string) => {
  const files = new Map<string, WriteStream>();
  const gathered = new Map<string, string[]>();
  const observers = new Set<LogObserver>();
  makeFolder(directory);
  const fileOf = (name: string): WriteStream => {
    const known = files.get(name);
    if (known) return known;
    const file = createWriteStream(join(directory, `${name}.log`));
    files.set(name, file);
    return file;
  };
  /** Writes the gathered output of a function to its file. */
  const flush = async (name: string): Promise<void> => {
    const text = gathered.get(name)?.join('');
    gathered.delete(name);
    if (text === undefined) return;
    await new Promise((resolve) => fileOf(name).write(text, resolve));
  };
  const gather = (name: string, text: string): void => {
    const known = gathered.get(name);
    if (known) {
      known.push(text);
    } else {
      gathered.set(name, [text]);
      setTimeout(() => void flush(name), GATHER_MS).unref();
    }
  };
  return {
    write: (name: string, text: string) => {
      gather(name, text);
      for (const seen of observers) seen(name, text);
    },
    /** All output of a function since the start. */
    read: async (name: string): Promise<string> => {
      await flush(name);
      // A function without output has no file.
      return readFile(join(directory, `${name}.log`), 'utf8').catch(() => '');
    },
    /** Calls `seen` with all later output. Returns a function that ends this. */
    observe: (seen: LogObserver): (() => void) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    close: async () => {
      await Promise.all([...gathered.keys()].map(flush));
      await Promise.all([...files.values()].map((file) => new Promise<void>((resolve) => file.end(resolve))));
    },
  };
};

/** The output of the functions, in one file each. */
export type Logs = ReturnType<typeof createLogs>;
