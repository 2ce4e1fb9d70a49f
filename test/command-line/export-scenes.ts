import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { User } from './user.ts';

/** Commands about exports and timelines, after the import of the visitors. */
export const exportsAndTimelines = (user: () => User): void => {
  describe('an export', () => {
    it('is downloaded to a new file, and to standard output', async () => {
      const args = ['export', 'create', '--segment', 'Jazz', '--columns', 'email,first_name=Vorname'];
      const created = await user().cli(...args, '--output', 'jazz.csv');
      expect([created.code, created.stdout]).toEqual([0, 'jazz.csv: 610 bytes\n']);
      const content = await readFile(user().file('jazz.csv'), 'utf8');
      expect(content).toMatch(/^email,Vorname\r\nkaethe\.0@example\.org,Käthe\r\n/);
      expect((await user().cli('export', 'download', 'Jazz', '--output', '-')).stdout).toBe(content);
      const twice = await user().cli('export', 'download', 'Jazz', '--output', 'jazz.csv');
      expect([twice.code, twice.stderr]).toMatchObject([2, expect.stringContaining('exists already')]);
    });

    it('to a server is tested, run, shown and replayed', async () => {
      const target = ['--sftp', 'hall@127.0.0.1:9:/in', '--every', 'mon 03:00 Europe/Berlin'];
      const created = await user().cli('export', 'create', '--segment', 'Abo', '--name', 'Weekly', ...target);
      expect(created.stdout).toMatch(
        /authorized_keys .*:\nssh-ed25519 \S+ .*\nThen test the way: tidemark export test \d+\n/,
      );
      expect((await user().cli('export', 'list')).stdout).toMatch(
        /Weekly +scheduled +mon 03:00 Europe\/Berlin +sftp hall@127/,
      );
      const tested = await user().cli('export', 'test', 'weekly');
      expect([tested.code, tested.stdout.split('\n')[0]]).toEqual([1, expect.stringMatching(/^✗ connect: /)]);
      expect((await user().cli('export', 'run', 'Weekly')).code).toBe(1);
      expect((await user().cli('export', 'log', 'Weekly')).stdout).toMatch(
        /sftp +1 .* failed +no SSH server/,
      );
      const replayed = await user().cli('export', 'replay', 'Weekly');
      expect([replayed.code, replayed.stdout]).toEqual([1, expect.stringMatching(/^✗ sftp retrying/)]);
    });
  });

  describe('a timeline', () => {
    it('is drawn in the terminal, and as SVG', async () => {
      expect((await user().cli('timeline', 'create', 'Jazz')).code).toBe(0);
      const chart = await user().cli('timeline', 'chart', 'tag:Jazz');
      expect(chart.stdout).toMatch(/^Jazz: 20 people\n\d{4}-\d\d-\d\d \d\d:\d\d {2}█+ {2}20\n$/);
      expect((await user().cli('timeline', 'chart', 'Jazz', '--svg', '-')).stdout).toMatch(/^<svg /);
      const early = await user().cli('timeline', 'moment', 'jazz');
      expect([early.code, early.stderr.split('\n').length]).toEqual([1, 2]);
    });
  });
};
