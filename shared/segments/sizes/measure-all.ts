import * as v from 'valibot';
import { listAllProperties } from '../../auth/accounts.ts';
import { keys } from '../../table/keys.ts';
import { measureSizes, type SizeDeps } from './measure.ts';

const roundItem = v.object({ after: v.nullable(v.string()) });
const ROUND = keys.allProperties('sizes');

/**
 * Measures the sizes of all properties, from behind the one where the last call's time was up: a large one is gone on with
 * when its turn comes again, and holds up nobody. Answers how many were visited.
 */
export const measureAllSizes = async (deps: SizeDeps, mayGoOn: () => boolean): Promise<number> => {
  const item = await deps.table.get(ROUND);
  let after = (item && v.parse(roundItem, item).after) ?? undefined;
  let visited = 0;
  do {
    const { properties, next } = await listAllProperties(deps.table, after);
    for (const property of properties) {
      await measureSizes(deps, property, mayGoOn);
      visited += 1;
      if (mayGoOn()) continue;
      await deps.table.put(ROUND, { after: keys.listedProperty(property).sk });
      return visited;
    }
    after = next;
  } while (after !== undefined);
  await deps.table.put(ROUND, { after: null });
  return visited;
};
