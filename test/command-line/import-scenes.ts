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
export const mappedImports = (user: User): void => {
  const members = (...options: readonly string[]): Promise<Ended> =>
    user.cli('import', 'members.csv', ...options);
  const jobs: number[] = [];

  describe('an import with a mapping', () => {
    it('has it from a file, which the suggestion began', async () => {
      await writeFile(user.file('members.csv'), 'Nr,Mail\nM-1,m1@example.org\nM-2,m2@example.org\n');
      const saved = await members('--save-mapping', 'map.yaml');
      expect([saved.code, saved.stdout]).toEqual([
        0,
        'The mapping is in map.yaml. Edit it, then: tidemark import … --mapping map.yaml\n',
      ]);
      const mapping = await readFile(user.file('map.yaml'), 'utf8');
      expect(mapping).toMatch(/^name: members$/m);
      await writeFile(user.file('map.yaml'), mapping.replace(/^name: .*$/m, 'name: All members'));
      const { import_id, job } = json(done, await members('--mapping', 'map.yaml', '--yes', '--json'));
      jobs.push(job.id);
      expect([job.counts.completed, await user.api('GET', `/imports/${import_id}`)]).toEqual([
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

  describe('a file of a series', () => {
    const guests = (date: string, rows: string, more = ''): Promise<void> =>
      writeFile(user.file(`guests-${date}.csv`), `Kundennr;geb. am;Ort${more}\n${rows}`);
    const series = v.object({ import_id: v.number(), definition: v.string() });
    const weekly = async (date: string, ...options: readonly string[]) => {
      const ended = await user.cli('import', `guests-${date}.csv`, '--yes', '--json', ...options);
      return { ...json(series, ended), stderr: ended.stderr };
    };

    it('keeps what was found in the values when a column gets another field', async () => {
      await guests('2026-11-19', 'G-1;24.02.1949;Köln\nG-2;01.03.1950;Bonn\n');
      const { code, stderr } = await user.cli(
        ...['import', 'guests-2026-11-19.csv', '--dry-run', '--map', 'geb. am=birthday'],
      );
      expect([code, stderr]).toEqual([0, expect.stringContaining('2 rows would be stored, 0 refused')]);
      expect(stderr).toMatch(/geb\. am +birthday +24\.02\.1949 +Your choice\./);
    });

    it('uses the definition of the file before, with the settings that somebody changed', async () => {
      const first = await weekly('2026-11-19', '--map', 'geb. am=birthday');
      expect(first.definition).toBe('guests');
      const path = `/imports/${first.import_id}`;
      const { name, mapping_fields, delimiter, encoding } = v.parse(
        v.looseObject({}),
        await user.api('GET', path),
      );
      const changed = { name, mapping_fields, delimiter, encoding, attribute_source: 'third_party' };
      expect(await user.api('PUT', path, changed)).toMatchObject({ attribute_source: 'third_party' });
      await guests('2026-11-26', 'G-1;25.02.1949;Köln;1\nG-3;04.05.1960;Trier;2\n', ';Fax');
      const again = await weekly('2026-11-26', '--map', 'geb. am=birthday');
      expect(again.import_id).toBe(first.import_id);
      expect(again.stderr).toContain('Import definition "guests" (attribute_source third_party) ');
      expect(again.stderr).toContain('It leaves out "Fax".');
      expect((await user.cli('person', 'G-3')).stdout).toMatch(/^birthday +1960-05-04$/m);
      const why = await user.cli('person', 'G-3', '--why', 'Age: 65+');
      expect(why.stdout).toMatch(/has "66" instead|from the import "guests"/);
    });

    it('is not read by a definition that takes its dates for others, unless somebody says so', async () => {
      await guests('2026-12-03', 'G-1;02/25/1949;Köln\nG-3;05/13/1960;Trier\n');
      const args = ['import', 'guests-2026-12-03.csv', '--map', 'geb. am=birthday'];
      const stopped = await user.cli(...args, '--yes');
      expect(stopped.code).toBe(2);
      expect(stopped.stderr).toContain('it reads nothing into birthday; the file looks like "1949-02-25".');
      expect(stopped.stderr).toContain('To use it even so: --definition guests');
      const declined = await user.answering('n', ...args);
      expect([declined.code, declined.stderr]).toEqual([
        1,
        expect.stringContaining('Use definition "guests"? [Y/n]'),
      ]);
      const own = await weekly('2026-12-03', '--map', 'geb. am=birthday', '--name', 'US guests');
      expect(own.definition).toBe('US guests');
    });

    it('has a definition under another name, which is said', async () => {
      await writeFile(user.file('people.csv'), 'Kundennr;geb. am;Ort\nG-5;24.05.1960;Trier\n');
      const args = ['import', 'people.csv', '--map', 'geb. am=birthday'];
      const { code, stderr } = await user.answering('y', ...args);
      expect([code, stderr]).toEqual([0, expect.stringContaining('Use definition "guests"? [Y/n]')]);
      const scripted = await user.cli(...args, '--dry-run');
      expect(scripted.stderr).toContain('It is used again. For a definition of its own, add --name.');
    });

    it('is read in the encoding and from the line that the user names', async () => {
      const old = Buffer.from('Stand;01.12.2026\nKundennr;Ort\nG-9;K\xf6ln\n', 'latin1');
      await writeFile(user.file('old.csv'), old);
      const args = ['import', 'old.csv', '--dry-run', '--header-line', '2'];
      const { code, stderr } = await user.cli(...args, '--encoding', 'windows-1252');
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^Ort +city +Köln/m)]);
      const misspelt = await user.cli(...args, '--encoding', 'windows-9');
      expect([misspelt.code, misspelt.stderr]).toEqual([
        1,
        expect.stringContaining('--encoding "windows-9": '),
      ]);
    });

    it('without an identity is not uploaded, and the column that may be one is named', async () => {
      await writeFile(user.file('x.csv'), 'Vorname;Nr\nAda;1001\nBen;1002\n');
      const { code, stderr } = await user.cli('import', 'x.csv', '--yes');
      expect([code, stderr]).toEqual([2, expect.stringContaining('and nothing was uploaded.')]);
      expect(stderr).not.toContain('Upload');
      const misspelt = await user.cli('import', 'x.csv', '--yes', '--map', 'Vorname=frist_name');
      expect(misspelt.stderr).toContain('--map "Vorname=frist_name": ');
    });
  });

  describe('an undo', () => {
    it('asks first, and takes the values of its job back', async () => {
      const [first = 0, second = 0] = jobs;
      const declined = await user.answering('n', 'undo', String(second));
      expect([declined.code, declined.stdout]).toEqual([1, '']);
      expect((await user.cli('person', 'm1@example.org')).code).toBe(0);
      for (const job of [second, first]) {
        const { code, stdout } = await user.answering('y', 'undo', String(job));
        expect([code, stdout]).toEqual([
          0,
          expect.stringMatching(/^\d values? removed; \d people had no others\.\n$/),
        ]);
      }
      expect((await user.cli('person', 'm1@example.org')).code).toBe(1);
      expect((await user.cli('jobs')).stdout).toMatch(new RegExp(`${first} +import +members\\.csv +undone`));
      const unknown = await user.cli('undo', '1', '--yes');
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        'tidemark: There is no import job 1. See the jobs: tidemark jobs\n',
      ]);
    });
  });
};
