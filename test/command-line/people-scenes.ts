import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { json, type User } from './user.ts';

/** Commands about people and segments, after the import of the visitors. */
export const peopleAndSegments = (user: User): void => {
  describe('people and segments', () => {
    it('are found by their names', async () => {
      const created = await user.cli(
        'segment',
        'create',
        'Jazz, no opera',
        'Jazz and not tag:Oper',
        '--json',
      );
      expect([created.code, json(v.object({ count: v.number() }), created).count]).toEqual([0, 20]);
      const twice = await user.cli('segment', 'create', 'Jazz, no opera', 'Jazz');
      expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('"Jazz, no opera" already (')]);
      expect((await user.cli('segment', 'show', 'Jazz, no opera')).stdout).toMatch(
        /definition +Jazz and not Oper\n/,
      );
      expect((await user.cli('segments', '--tree')).stdout).toMatch(/├ Tags\n│ ├ Abo/);
      const why = await user.cli('person', 'kaethe.0@example.org', '--why', 'Jazz, no opera');
      expect(why.stdout).toMatch(/^In "Jazz, no opera":\n.*\n.*✓ all of\n.*✓ Jazz {2}because of tags "Jazz"/);
      expect((await user.cli('person', 'K-3')).stdout).toMatch(/email +kaethe\.3@example\.org\n/);
    });

    it('are listed, and found by name once the operator has switched that on', async () => {
      const people = await user.cli('segment', 'people', 'Jazz', '--limit', '2');
      expect([people.code, people.stdout]).toEqual([
        0,
        expect.stringMatching(
          /^first_name +last_name +email .*\nKäthe .*\nKäthe .*\n2 of 20 people in "Jazz"\. Add --limit for more\.\n$/,
        ),
      ]);
      expect((await user.cli('person', 'K-3')).stdout).toMatch(/^first_name +Käthe\nemail .*\nunique_id /);
      const unknown = await user.cli('person', 'Müller');
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        'tidemark: Nobody has the id "Müller". Property 1001 does not search by name. ' +
          'The operator switches it on: property set --property 1001 --search-names on.\n',
      ]);
      const town = await user.cli('person', 'K-3', '--by', 'unique_id', '--city', 'Bonn');
      expect([town.code, town.stderr]).toEqual([2, expect.stringContaining('A town goes with a name')]);
    });

    it('are listed in the columns that are wanted', async () => {
      const args = ['segment', 'people', 'Jazz', '--limit', '1', '--columns'];
      const { code, stdout } = await user.cli(...args, 'unique_id=Nr,tags');
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^Nr +tags\nK-\d+ +Abo, Jazz\n1 of 20 people in "Jazz"/),
      ]);
      const misspelt = await user.cli(...args, 'fist_name');
      expect([misspelt.code, misspelt.stderr.split('\n')[0]]).toEqual([
        2,
        'tidemark: --columns "fist_name": There is no such field. Did you mean first_name?',
      ]);
    });

    it('show the fault of an expression, and names that are similar', async () => {
      const fault = await user.cli('segment', 'create', 'x', 'Jazz and or Abo');
      expect([fault.code, fault.stderr]).toEqual([
        2,
        'tidemark: A segment is missing after "and".\n  Jazz and or Abo\n           ^^\n',
      ]);
      const unknown = await user.cli('segment', 'show', 'Nothing like it');
      expect([unknown.code, unknown.stderr.split('\n').length]).toEqual([1, 2]);
    });

    it('are deleted after a question, unless people have their value', async () => {
      await user.cli('segment', 'create', 'Nobody', 'Jazz and not Jazz');
      const declined = await user.answering('n', 'segment', 'delete', 'Nobody');
      expect([declined.code, declined.stdout]).toEqual([1, '']);
      expect(declined.stderr).toMatch(/Delete the segment "Nobody" \(\d+\)\? \[y\/N\]/);
      const deleted = await user.answering('y', 'segment', 'delete', 'Nobody');
      expect([deleted.code, deleted.stdout]).toEqual([0, 'The segment "Nobody" is deleted.\n']);
      expect((await user.cli('segment', 'show', 'Nobody')).code).toBe(1);
      expect((await user.cli('segment', 'delete', 'Jazz')).stderr).toMatch(/--yes/);
      const used = await user.cli('segment', 'delete', 'Jazz', '--yes');
      expect([used.code, used.stderr.split('\n')[0]]).toEqual([
        1,
        expect.stringMatching(/exists as long as/),
      ]);
    });

    it('are forgotten by segment after a question that counts them, with a receipt', async () => {
      await user.cli('segment', 'create', 'Two', 'Jazz and not Jazz');
      const nobody = await user.cli('segment', 'forget', 'Two', '--yes');
      expect([nobody.code, nobody.stderr]).toEqual([1, 'tidemark: Nobody is in "Two".\n']);
      const declined = await user.answering('n', 'segment', 'forget', 'Abo');
      expect([declined.code, declined.stdout]).toEqual([1, '']);
      expect(declined.stderr).toMatch(
        /Forget \d+ people of "Abo" for good \(.+, .+, .+ and \d+ more\)\? \[y\/N\]/,
      );
      expect((await user.cli('erasures')).stdout).toBe('Nobody was erased by segment or by a rule yet.\n');
    });

    it('are forgotten after a question', async () => {
      const forget = user.terminal('forget', 'kaethe.5@example.org');
      await forget.shows(/Forget .*kaethe\.5@example\.org.* for good\? \[y\/N\]/);
      forget.type('y\r');
      expect(await forget.ended).toBe(0);
      expect((await user.cli('person', 'kaethe.5@example.org')).code).toBe(1);
    });
  });
};
