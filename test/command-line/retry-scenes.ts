/** Lists of refused rows that come back in the code page of a country. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { User } from './user.ts';

/** The letters of Polish that the names below have, in Windows-1250. */
const polish: Readonly<Record<string, number>> = { Ł: 0xa3, ó: 0xf3, ź: 0x9f, ł: 0xb3, ń: 0xf1, Ż: 0xaf };

const inWindows1250 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (letter) => polish[letter] ?? letter.charCodeAt(0)));

/** Adds the tests. They leave the people of other files alone. */
export const correctedLists = (user: User): void => {
  const refusedList = async (name: string, rows: string): Promise<string> => {
    const right = Array.from({ length: 20 }, (_, index) => `;Ada;${name}.${index}@example.org\n`).join('');
    await writeFile(user.file(`${name}.csv`), `Nr;Vorname;E-Mail\n${right}${rows}`);
    expect((await user.cli('import', `${name}.csv`, '--yes')).code).toBe(1);
    const list = await readFile(user.file(`${name}.rejects.csv`), 'utf8');
    return list.slice(1).replaceAll(' (at) ', '@');
  };

  describe('a corrected list in another code page', () => {
    it('is sent only once its letters are certain', async () => {
      const list = await refusedList('poles', 'R-1;Łukasz;lukasz (at) example.pl\n');
      await writeFile(user.file('poles.rejects.csv'), inWindows1250(list));
      const doubted = await user.cli('retry', 'poles.rejects.csv');
      expect([doubted.code, doubted.stderr]).toEqual([
        2,
        'tidemark: The encoding of poles.rejects.csv is not certain. Save it as "CSV UTF-8", or name its encoding, ' +
          'such as --encoding windows-1250.\n' +
          '  Few letters show the encoding: a word of the file is "Łukasz" in windows-1250.\n',
      ]);
      const misspelt = await user.cli('retry', 'poles.rejects.csv', '--encoding', 'windows-9');
      expect([misspelt.code, misspelt.stderr]).toEqual([
        2,
        'tidemark: poles.rejects.csv cannot be read as windows-9. Save it as "CSV UTF-8".\n',
      ]);
      expect((await user.cli('person', 'lukasz@example.pl')).code).toBe(1);
      const named = await user.cli('retry', 'poles.rejects.csv', '--encoding', 'windows-1250');
      expect([named.code, named.stderr]).toEqual([0, expect.stringContaining('is read as windows-1250.')]);
      expect((await user.cli('person', 'lukasz@example.pl')).stdout).toMatch(/^first_name +Łukasz$/m);
    });

    it('is read as its letters prove', async () => {
      const names = ['Łucja', 'Żaneta', 'Michał', 'Paweł', 'Radosław', 'Łódź', 'Toruń', 'Wrocław', 'Poznań'];
      const rows = names.map((name, index) => `R-${index + 10};${name};r${index} (at) example.pl\n`);
      const list = await refusedList('more-poles', rows.join(''));
      await writeFile(user.file('more-poles.rejects.csv'), inWindows1250(list));
      const { code, stderr } = await user.cli('retry', 'more-poles.rejects.csv');
      expect([code, stderr]).toEqual([0, expect.stringContaining('is read as windows-1250.')]);
      expect((await user.cli('person', 'r5@example.pl')).stdout).toMatch(/^first_name +Łódź$/m);
    });
  });
};
