import { restrictPerson, type RestrictDeps } from '../../shared/ingest/restrict-person.ts';
import { needsRule } from '../../shared/ingest/use-rules.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { storedStates } from '../ingest/undo-harness.ts';
import type { MemoryTable } from '../support/memory-table.ts';

/** Makes every profile follow the rules of a property, as the pass over all people does. */
export const followRules = async (
  items: Pick<MemoryTable, 'items'>,
  { table, deflateFrom, clock, pause, journal, derivations, segments }: Omit<RestrictDeps, 'commit'>,
  property: PropertyScope,
  now: number,
): Promise<void> => {
  const deps = { table, deflateFrom, clock, pause, journal, derivations, segments };
  for (const [ordinal, state] of storedStates(items))
    if (needsRule(state, property.rules, now))
      await restrictPerson(deps, property, ordinal, systemIds.uuid());
};
