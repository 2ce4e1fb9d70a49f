import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { definitions } from './files-of-users.ts';
import * as v from 'valibot';
import type { User } from './user.ts';

/** Commands about definitions as code, after the import of the visitors. */
export const definitionsAsCode = (user: User): void => {
  describe('definitions as code', () => {
    const written = (name: string, expression: string): Promise<void> =>
      writeFile(user.file('definitions.yaml'), definitions(name, expression));

    it('are planned, applied after a question, and then nothing changes', async () => {
      await written('Guests', 'Jazz and not Presse or Abo');
      expect((await user.cli('plan', 'definitions.yaml')).stderr).toContain('There is no segment Presse.');
      await written('Guests', 'Jazz and not Oper');
      const plan = await user.cli('plan', 'definitions.yaml');
      expect(plan.stdout).toBe(
        '+ segment "Guests"\n+ segment "Friends of Guests"\n+ export "Guests daily"\n+ timeline "Opera"\n' +
          '4 changes in 4 definitions.\n',
      );
      const apply = user.terminal('apply', 'definitions.yaml');
      await apply.shows(/Make 4 changes\? \[y\/N\]/);
      apply.type('y\r');
      expect([await apply.ended, apply.plain()]).toEqual([0, expect.stringContaining('4 changes made.')]);
      expect((await user.cli('plan', 'definitions.yaml')).stdout).toMatch(/Nothing would change\.\n$/);
    });

    it('change what names a changed segment, and show what changes', async () => {
      await written('Guests', 'Jazz');
      const plan = await user.cli('plan', 'definitions.yaml');
      expect(plan.stdout).toMatch(
        /^~ segment "Guests"\n {4}definition: .* → \d+\n~ segment "Friends of Guests"\n/,
      );
      const applied = await user.cli('apply', 'definitions.yaml', '--yes');
      expect([applied.code, applied.stdout]).toEqual([0, '3 changes made.\n']);
      expect(applied.stderr).toMatch(/✓ segment "Guests" changed\n✓ segment "Friends of Guests" changed\n/);
      expect((await user.cli('segment', 'show', 'Friends of Guests')).stdout).toMatch(
        /definition +Guests or Oper\n/,
      );
      expect((await user.cli('apply', 'definitions.yaml')).stdout).toBe('Everything is as the file says.\n');
    });

    it('have exports of changes, whose settings stay as they are where the file is silent', async () => {
      const feed = (every: string): Promise<void> =>
        writeFile(
          user.file('feed.yaml'),
          `exports: [{ name: Feed, segments: [Jazz], every: ${every}, scope: delta, data_format: jsonl, ` +
            'skip_empty: true, changes: { url: "http://127.0.0.1:40009/hooks" } }]\n',
        );
      await feed('hour');
      expect((await user.cli('apply', 'feed.yaml', '--yes')).stdout).toBe('1 change made.\n');
      const stored = v.looseObject({
        id: v.string(),
        skip_empty: v.boolean(),
        changes: v.object({ url: v.string(), kinds: v.array(v.string()), first: v.string() }),
      });
      const shown = async () =>
        v.parse(stored, JSON.parse((await user.cli('export', 'show', 'Feed', '--json')).stdout));
      const { id, ...made } = await shown();
      const changes = { ...made.changes, kinds: ['changed', 'removed'], first: 'all' };
      await user.api('PUT', `/exports/${id}`, { ...made, changes });
      await feed('day 04:00');
      const plan = await user.cli('plan', 'feed.yaml');
      expect(plan.stdout).toMatch(/^~ export "Feed"\n(?: {4}schedule\..*\n)+1 change in 1 definition\.\n$/);
      expect((await user.cli('apply', 'feed.yaml', '--yes')).code).toBe(0);
      expect(await shown()).toMatchObject({ skip_empty: true, changes });
      expect((await user.cli('export', 'delete', 'Feed', '--yes')).code).toBe(0);
    });
  });
};
