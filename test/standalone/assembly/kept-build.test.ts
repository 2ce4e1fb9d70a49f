import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceDigest } from '../../../lib/constructs/source-digest.ts';
import { keptBuild } from '../../../cli/standalone/assembly/kept-build.ts';
import { newFolders } from '../../../local/test/support/folders.ts';

const freshFolder = newFolders();

/** No process has this id: Linux gives none above 2^22. */
const ENDED = 2 ** 22 + 1;

const builder = (folder: string) => {
  const built: string[] = [];
  const ask = (name: string, pid?: number): Promise<string> =>
    keptBuild({
      folder,
      name,
      ...(pid !== undefined && { pid }),
      build: async (outdir) => {
        await Promise.resolve();
        built.push(name);
        writeFileSync(join(outdir, 'made'), name);
      },
    });
  return { built, ask };
};

/** As if nobody had asked for the build in the last two hours. */
const age = (place: string): void => {
  const then = new Date(Date.now() - 7_200_000);
  utimesSync(place, then, then);
};

describe('a kept build', () => {
  it('is built once', async () => {
    const { built, ask } = builder(freshFolder());
    const place = await ask('one');
    expect(await ask('one')).toBe(place);
    expect(built).toEqual(['one']);
    expect(readdirSync(place)).toEqual(['made']);
  });

  it('is the same for two processes that build it at once', async () => {
    const folder = freshFolder();
    const { built, ask } = builder(folder);
    const places = await Promise.all([ask('one'), ask('one')]);
    expect(new Set(places).size).toBe(1);
    expect(built).toEqual(['one', 'one']);
    expect(readdirSync(folder).toSorted()).toEqual(['one', `one.${process.pid}`]);
  });

  it('is removed when it is stale and no living process uses it', async () => {
    const folder = freshFolder();
    const { ask } = builder(folder);
    const [left, used, fresh] = [await ask('left', ENDED), await ask('used'), await ask('fresh', ENDED)];
    age(left);
    age(used);
    await ask('next');
    expect([left, used, fresh].map((place) => existsSync(place))).toEqual([false, true, true]);
    expect(readdirSync(folder).filter((name) => name.endsWith(`.${ENDED}`))).toEqual([]);
  });

  it('is not kept when its build fails', async () => {
    const folder = freshFolder();
    const build = () => Promise.reject(new Error('no'));
    await expect(keptBuild({ folder, name: 'one', build })).rejects.toThrow('no');
    const { built, ask } = builder(folder);
    await ask('one');
    expect(built).toEqual(['one']);
  });
});

describe('the digest of sources', () => {
  it('changes with the text of a file, its name, a new file and the settings, and with nothing else', () => {
    const root = freshFolder();
    const digest = (settings: unknown = []): string => sourceDigest(root, ['*.ts'], settings);
    const seen = [digest()];
    const note = (): void => void seen.push(digest());
    writeFileSync(join(root, 'a.ts'), '1');
    note();
    writeFileSync(join(root, 'a.ts'), '2');
    note();
    writeFileSync(join(root, 'b.ts'), '');
    note();
    rmSync(join(root, 'a.ts'));
    writeFileSync(join(root, 'c.ts'), '2');
    note();
    seen.push(digest(['another']));
    expect(new Set(seen).size).toBe(seen.length);
    const before = digest();
    writeFileSync(join(root, 'notes.md'), '');
    writeFileSync(join(root, 'c.ts'), '2');
    expect(digest()).toBe(before);
  });
});
