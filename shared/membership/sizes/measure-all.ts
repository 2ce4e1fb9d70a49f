import * as v from 'valibot';
import { listAllProperties } from '../../properties/list-properties.ts';
import { Failures } from '../../runtime/failures.ts';
import { keys } from '../../table/keys.ts';
import { measureSizes, type SizeDeps } from './measure.ts';

const roundItem = v.object({ after: v.nullable(v.string()) });
const ROUND = keys.allProperties('sizes');

/**
 * Measures the sizes of all properties, starting after the property where the time of the previous call was up. So a
 * large property, which continues in the next round, does not delay the others. Returns the number of visited
 * properties. When the work for a property fails, the other properties go on, and the first failure is thrown at the
 * end.
 */
export const measureAllSizes = async (deps: SizeDeps, hasTime: () => boolean): Promise<number> => {
  const item = await deps.table.get(ROUND);
  let after = (item && v.parse(roundItem, item).after) ?? undefined;
  const failures = new Failures();
  let visited = 0;
  do {
    const { properties, next } = await listAllProperties(deps.table, after);
    for (const property of properties) {
      await failures.attempt(() => measureSizes(deps, property, hasTime));
      visited += 1;
      if (hasTime()) continue;
      await deps.table.put(ROUND, { after: keys.listedProperty(property).sk });
      failures.throwFirst();
      return visited;
    }
    after = next;
  } while (after !== undefined);
  await deps.table.put(ROUND, { after: null });
  failures.throwFirst();
  return visited;
};
