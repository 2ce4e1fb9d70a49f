/** Imports with a mapping or a definition, and their undo. */
import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Ended } from './run-cli.ts';
import { json, type User } from './user.ts';

const done = v.object({
  import_id: v.number(),
  job: v.object({ id: v.number(), counts: v.object({ completed: v.number() }) }),
});

/** Adds the tests. They leave the people of other files alone. */
export const mappedImports = (user: () => User): void => {
  const members = (...options: readonly string[]): Promise<Ended> =>
    user().cli('import', 'members.csv', ...options);
  const jobs: number[] = [];

  describe('an import with a mapping', () => {
    it('has it from a file, which the suggestion began', async () => {
      await writeFile(user().file('members.csv'), 'Nr,Mail\nM-1,m1@example.org\nM-2,m2@example.org\n');
      const saved = await members('--save-mapping', 'map.yaml');
      expect([saved.code, saved.stdout]).toEqual([
        0,
        'The mapping is in map.yaml. Edit it, then: tidemark import … --mapping map.yaml\n',
      ]);
      const mapping = await readFile(user().file('map.yaml'), 'utf8');
      expect(mapping).toMatch(/^name: members$/m);
      await writeFile(user().file('map.yaml'), mapping.replace(/^name: .*$/m, 'name: All members'));
      const { import_id, job } = json(done, await members('--mapping', 'map.yaml', '--yes', '--json'));
      jobs.push(job.id);
      expect([job.counts.completed, await user().api('GET', `/imports/${import_id}`)]).toEqual([
        2,
        expect.objectContaining({ name: 'All members' }),
      ]);
    });

    it('has it from a definition by name and by id, and from no other', async () => {
      const first = json(done, await members('--definition', 'All members', '--yes', '--json'));
      jobs.push(first.job.id);
      const again = await members('--definition', String(first.import_id), '--dry-run');
      expect([again.code, again.stderr]).toEqual([
        0,
        expect.stringContaining('2 rows would be stored, 0 refused'),
      ]);
      const wrong = await members('--definition', 'Members', '--yes');
      expect([wrong.code, wrong.stderr]).toEqual([1, 'tidemark: There is no import definition "Members".\n']);
    });
  });

  describe('an undo', () => {
    it('asks first, and takes the values of its job back', async () => {
      const [first = 0, second = 0] = jobs;
      const declined = await user().answering('n', 'undo', String(second));
      expect([declined.code, declined.stdout]).toEqual([1, '']);
      expect((await user().cli('person', 'm1@example.org')).code).toBe(0);
      for (const job of [second, first]) {
        const { code, stdout } = await user().answering('y', 'undo', String(job));
        expect([code, stdout]).toEqual([
          0,
          expect.stringMatching(/^\d values? removed; \d people had no others\.\n$/),
        ]);
      }
      expect((await user().cli('person', 'm1@example.org')).code).toBe(1);
      expect((await user().cli('jobs')).stdout).toMatch(
        new RegExp(`${first} +import +members\\.csv +undone`),
      );
      const unknown = await user().cli('undo', '1', '--yes');
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        'tidemark: There is no import job 1. See the jobs: tidemark jobs\n',
      ]);
    });
  });
};
