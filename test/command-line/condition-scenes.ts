import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import type { Ended } from './run-cli.ts';
import type { User } from './user.ts';

const rule = 'unique_id in (K-3, K-4)';

/** The tasks are looked at every minute: one look sees a condition, and the next one or two prepare it. */
const PREPARED_WITHIN_MS = 240_000;

/**
 * Commands about segments by condition, after the import of the visitors. The service prepares a condition for more than a
 * minute: the scenes that the returned function adds begin later.
 */
export const segmentsByCondition = (user: User): (() => void) => {
  let creating: Promise<Ended> | undefined;

  describe('a segment with a condition', () => {
    it('is counted before it is made', async () => {
      const { stdout, stderr } = await user.cli('segment', 'preview', `Oper and ${rule}`);
      expect([stdout, stderr]).toEqual([expect.stringMatching(/\nKäthe .*K-3.*\n1 person\.\n$/), '']);
      expect((await user.cli('segment', 'preview', 'emaill exists')).stderr).toMatch(
        /^tidemark: Nobody of \d+ people read has emaill\. Did you mean email\?\n$/,
      );
    });

    it('is shown while the condition is prepared', async () => {
      creating = user.cli('segment', 'create', 'Two guests', `Oper and ${rule}`);
      const isListed = async (): Promise<true | undefined> =>
        (await user.cli('segments')).stdout.includes(`${rule} (being prepared: `) || undefined;
      await until('a condition that is prepared', isListed);
      expect((await user.cli('segment', 'show', rule)).stdout).toMatch(/people +not counted yet: /);
    });
  });

  return () => {
    describe('a segment with a prepared condition', () => {
      it(
        'has exactly the people of both',
        async () => {
          const { code, stdout, stderr } = (await creating) ?? {};
          expect([code, stdout]).toEqual([0, expect.stringMatching(/^"Two guests" has 1 person\. /)]);
          expect(stderr).toMatch(/^1 person\.\n✓ Prepare {2}1 condition \(.+\)\n$/);
          expect((await user.cli('segment', 'show', 'Two guests')).stdout).toContain(`Oper and ${rule}\n`);
          expect((await user.cli('segments', '--tree')).stdout).toContain(`Conditions\n  └ ${rule}`);
        },
        PREPARED_WITHIN_MS,
      );

      it('shares the condition, which another name makes a segment for people', async () => {
        const named = await user.cli('segment', 'create', 'Neighbours', rule);
        expect([named.code, named.stdout]).toEqual([
          0,
          expect.stringMatching(/^"Neighbours" has 2 people\. /),
        ]);
        expect((await user.cli('segment', 'show', 'Two guests')).stdout).toContain('Oper and Neighbours\n');
        const again = await user.cli('segment', 'create', 'Others', rule);
        expect([again.code, again.stderr]).toEqual([
          1,
          expect.stringContaining('is the segment "Neighbours" already ('),
        ]);
      });
    });
  };
};
