import { addReferences as add, type Referent, type Referrer } from '../../shared/references/references.ts';
import type { Table } from '../../shared/table/table.ts';

/** References that a test adds by themselves, for a referrer that it stores in its own way. */
interface Added {
  readonly referrer: Referrer;
  readonly referents: readonly Referent[];
  readonly ttl?: number;
}

/** Adds references. */
export const addReferences = async (
  table: Table,
  property: number,
  { referents, ...lasting }: Added,
): Promise<void> => {
  const added = await add({ table, pause: () => Promise.resolve() }, property, referents, lasting);
  if (!added.ok) throw new Error('a referent is deleted');
};
