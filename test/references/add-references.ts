import { done, retryOnConflict } from '../../shared/runtime/retry.ts';
import { referenceWrites, type Referent, type Referrer } from '../../shared/references/references.ts';
import type { Table } from '../../shared/table/table.ts';

/** References that a test adds by themselves, for a referrer that it stores in its own way. */
interface Added {
  readonly referrer: Referrer;
  readonly referents: readonly Referent[];
  readonly ttl?: number;
}

/** Adds references, as the transaction of their referrer does. */
export const addReferences = async (table: Table, property: number, added: Added): Promise<void> => {
  const pause = (): Promise<void> => Promise.resolve();
  await retryOnConflict({ pause, what: 'test: references' }, async () => {
    const writes = await referenceWrites({ table, pause }, property, { ...added, now: 0 });
    if (!writes.ok) throw new Error('a referent is deleted');
    return (await table.transact(writes.value)).length === 0 ? done(undefined) : 'conflict';
  });
};
