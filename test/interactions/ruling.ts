import { restrictPerson, type RestrictDeps } from '../../shared/ingest/restrict-person.ts';
import { needsRule } from '../../shared/ingest/use-rules.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { storedStates } from '../ingest/undo-harness.ts';
import { scope } from '../profiles/harness.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import type { Kept } from './kept.ts';

interface RulingPorts {
  readonly table: MemoryTable;
  readonly kept: Pick<Kept, 'clock' | 'rules'>;
  readonly deps: Omit<RestrictDeps, 'commit'>;
}

/** The rules of the property, as an operator changes them. */
export const ruling = ({ table, kept: { clock, rules }, deps }: RulingPorts) => ({
  /** Whether special categories are used. Profiles follow once `followRules` has ended. */
  useSpecial: (isUsed: boolean): void => {
    rules.specialCategories = isUsed;
  },
  /** Makes every profile follow the rules, as the pass over all people does. */
  followRules: async (): Promise<void> => {
    const now = { ...scope, rules: { ...rules } };
    const { table: own, clock: time, pause, journal, brands, segments } = deps;
    for (const [ordinal, state] of storedStates(table))
      if (needsRule(state, now.rules, clock.now))
        await restrictPerson(
          { table: own, clock: time, pause, journal, brands, segments },
          now,
          ordinal,
          systemIds.uuid(),
        );
  },
});
