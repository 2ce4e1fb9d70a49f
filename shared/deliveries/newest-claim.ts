/** Newest claim: remembers the newest of the runs that write to one place, such as a file name of a client. */
import * as v from 'valibot';
import type { Key } from '../table/keys.ts';
import type { Attributes, Table } from '../table/table.ts';

const claimItem = v.object({ run: v.number() });

/** The claim of a place, at a key of a table. Later runs have greater numbers. */
export const newestClaim = (table: Pick<Table, 'get' | 'write'>, key: Key) => {
  const newestRun = async (): Promise<number | undefined> => {
    const item = await table.get(key);
    return item && v.parse(claimItem, item).run;
  };
  /**
   * Claims the place for a run, and returns whether a later run has claimed it. Claims only grow, so a repeated call changes
   * nothing. `more` is stored with a new claim.
   */
  const claim = async (run: number, more: Attributes = {}): Promise<'claimed' | 'superseded'> => {
    const newest = await newestRun();
    if (newest !== undefined && newest >= run) return newest === run ? 'claimed' : 'superseded';
    const set = { ...more, run };
    const outcome = await table.write(
      newest === undefined
        ? { kind: 'insert', key, set }
        : { kind: 'update', key, set, expect: { run: newest } },
    );
    // After a refusal, the stored run is later than the run that was read. So this ends.
    return outcome === 'applied' ? 'claimed' : claim(run, more);
  };
  /** Whether a later run has claimed the place. */
  const isSuperseded = async (run: number): Promise<boolean> => ((await newestRun()) ?? 0) > run;
  return { isSuperseded, claim };
};
