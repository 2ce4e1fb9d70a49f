import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openJournal, type Journal } from '../../core/journal.ts';
import { newFolders } from '../support/folders.ts';

const newFolder = newFolders();
let file: string;
beforeEach(() => {
  file = join(newFolder(), 'below', 'state.jsonl');
});

/** An owner whose state is the last value of each key. */
const open = (): {
  readonly state: Map<string, number>;
  readonly journal: Journal;
  set(key: string, value: number): void;
} => {
  const state = new Map<string, number>();
  const replay = (entry: unknown): void => {
    if (!Array.isArray(entry)) throw new Error('this line belongs to another owner');
    state.set(String(entry[0]), Number(entry[1]));
  };
  const journal = openJournal(file, { replay, snapshot: () => [...state] });
  const set = (key: string, value: number): void => {
    state.set(key, value);
    journal.append([key, value]);
  };
  return { state, journal, set };
};

const lines = (): number => readFileSync(file, 'utf8').split('\n').length - 1;

describe('a journal', () => {
  it('restores the state without having been closed', () => {
    const first = open();
    first.set('a', 1);
    first.set('b', 2);
    first.set('a', 3);
    expect([...open().state]).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
  });

  it('compacts the file at each start', () => {
    const first = open();
    for (let value = 0; value < 100; value++) first.set('a', value);
    first.journal.close();
    expect(lines()).toBe(100);
    open().journal.close();
    expect(lines()).toBe(1);
  });

  it('compacts the file when it has 10,000 lines more than twice the state, and continues', () => {
    const first = open();
    for (let value = 0; value <= 10_000; value++) first.set('a', value);
    expect(lines()).toBe(1);
    first.set('b', 7);
    expect(open().state).toEqual(
      new Map([
        ['a', 10_000],
        ['b', 7],
      ]),
    );
  });

  it('drops an incomplete last line', () => {
    open().set('a', 1);
    appendFileSync(file, '["b",');
    expect([...open().state]).toEqual([['a', 1]]);
    open().set('c', 3);
    expect([...open().state.keys()]).toEqual(['a', 'c']);
  });

  it('refuses the file of another owner', () => {
    open().journal.close();
    appendFileSync(file, '{"op":"put"}\n');
    expect(open).toThrow('another owner');
  });
});
