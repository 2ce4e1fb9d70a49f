/** Exports that are probably not what their maker thinks, after the import of the visitors. */
import { writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { json, type User } from './user.ts';

const done = v.object({ job: v.object({ id: v.number() }) });

/** Adds the tests. They leave the people of other files alone. */
export const doubtfulExports = (user: User): void => {
  const create = (...options: readonly string[]) =>
    user.cli('export', 'create', '--segment', 'Jazz', ...options);
  const remove = async (name: string): Promise<void> =>
    expect((await user.cli('export', 'delete', name, '--yes')).code).toBe(0);
  let importJob = 0;

  describe('a new export', () => {
    it('names the key of the extra data that was meant, and stores nothing', async () => {
      await writeFile(
        user.file('revenue.csv'),
        'E-Mail;Umsatz;Newsletter\nr1@example.org;500;ja\nr2@example.org;10;nein\n',
      );
      const mapping = ['--map', 'Umsatz=extra_data.Umsatz', '--map', 'Newsletter=consent.newsletter'];
      importJob = json(done, await user.cli('import', 'revenue.csv', ...mapping, '--yes', '--json')).job.id;
      const { code, stderr } = await create('--name', 'Revenue', '--columns', 'email,extra_data.Umsazt');
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^tidemark: Nobody of \d+ people read has Umsazt\. Did you mean Umsatz\?\n$/),
      ]);
      expect((await user.cli('export', 'list')).stdout).not.toContain('Revenue');
      const right = await create('--name', 'Revenue', '--columns', 'email,extra_data.Umsatz');
      expect([right.code, right.stderr]).toEqual([0, expect.not.stringContaining('Nobody')]);
      const unlike = await create('--name', 'Unlike', '--columns', 'email,extra_data.Sternzeichen');
      expect([unlike.code, unlike.stderr]).toEqual([
        0,
        expect.stringMatching(/^Nobody of \d+ people read has Sternzeichen\.\n/),
      ]);
      for (const name of ['Revenue', 'Unlike']) await remove(name);
    });

    it('names the channel that was meant, and its log says it again', async () => {
      const nobody =
        'The property has no statement about consent on newsleter, so nobody gets into the file. ' +
        'Did you mean newsletter?\n';
      const options = ['--columns', 'email', '--every', 'mon 06:00', '--name', 'Monday'];
      const { code, stderr } = await create(...options, '--consent', 'newsleter');
      expect([code, stderr]).toEqual([0, expect.stringContaining(nobody)]);
      expect((await user.cli('export', 'run', 'Monday')).code).toBe(0);
      expect((await user.cli('export', 'log', 'Monday')).stdout).toContain(`, 0 rows\n${nobody}`);
      await remove('Monday');
      const known = await create(...options, '--consent', 'newsletter');
      expect([known.code, known.stderr]).toEqual([0, expect.not.stringContaining('statement')]);
      await remove('Monday');
    });

    it('says that its name is taken', async () => {
      const options = ['--columns', 'email', '--every', 'mon 06:00', '--json'];
      const made = v.object({ id: v.string() });
      const { id } = json(made, await create(...options, '--name', 'Twice'));
      const second = await create(...options, '--name', 'twice');
      const other = json(made, second).id;
      expect(second.stderr).toContain(`There is another export "twice": name this one by its id, ${other}.`);
      for (const one of [id, other]) await remove(one);
    });

    it('to a partner has the columns that somebody chose, and is shown with all that a reviewer needs', async () => {
      const email = ['--name', 'Partner', '--email', 'bo@example.net'];
      const silent = await create(...email);
      expect([silent.code, silent.stderr]).toEqual([
        2,
        expect.stringMatching(/^tidemark: The data is for somebody else: say what they get\./),
      ]);
      const created = await create(
        ...[...email, '--columns', 'email,first_name=Vorname', '--consent', 'newsletter'],
        ...[
          '--file-name',
          'jazz-{date}.csv',
          '--webhook',
          'http://127.0.0.1:40009/hooks',
          '--every',
          'day 03:00',
        ],
      );
      expect(created.code).toBe(0);
      const { stdout } = await user.cli('export', 'show', 'Partner');
      expect(stdout).toMatch(/^consent +only people with consent on newsletter given$/m);
      expect(stdout).toMatch(/^columns +email, first_name=Vorname$/m);
      expect(stdout).toMatch(/^to +mail to bo@example\.net, webhook http:\/\/127\.0\.0\.1:40009\/hooks$/m);
      expect(stdout).toMatch(/^file name +jazz-\{date\}\.csv$/m);
      expect((await user.cli('export', 'list')).stdout).toMatch(
        / Partner .* mail to bo@example\.net, webhook /,
      );
      await remove('Partner');
    });
  });

  describe('an undo', () => {
    it('says that withdrawals of consent stay', async () => {
      const { code, stdout } = await user.cli('undo', String(importJob), '--yes');
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(
          /^\d+ values removed; \d+ (?:person|people) had no others\.\n1 withdrawal of consent stays: no undo /,
        ),
      ]);
    });
  });
};
