/** Closing of a property: makes what a restore brought back of a deleted property a property that is being deleted. */
import * as v from 'valibot';
import { confirmationRefusal, unknownProperty, type CommandRefusal, type Outcome } from '../auth/accounts.ts';
import type { Deletion } from '../auth/credential-items.ts';
import { propertyItem } from '../properties/items.ts';
import type { Clock } from '../runtime/clock.ts';
import { err, ok } from '../runtime/result.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export interface ClosePropertyDeps {
  /** The table of data. */
  readonly table: Pick<Table, 'get'>;
  readonly credentials: Pick<Table, 'write'>;
  readonly clock: Clock;
}

/**
 * Gives a property that has data and no owner its owner again, closed, so that `property.delete` can erase it. No request
 * reaches it. The function that deletes could not do that itself, because it may insert no credentials (ADR 11). Refuses a
 * property that has no data or has an owner, and a `confirm` that is not its number.
 */
export const closeProperty = async (
  { table, credentials, clock }: ClosePropertyDeps,
  { property, confirm }: { readonly property: number; readonly confirm: string },
): Promise<Outcome<{ readonly property: number; readonly account: number }>> => {
  const stored = await table.get(keys.property(property));
  if (!stored) return err(unknownProperty);
  const name = String(property);
  const refused = confirmationRefusal(confirm, { kind: 'property', id: property, name });
  if (refused) return err(refused);
  const { account } = v.parse(propertyItem, stored);
  const set = { account, name, busy_until: 0, deletion: notBegun(clock()) };
  const made = await credentials.write({ kind: 'insert', key: credentialKeys.property(property), set });
  return made === 'refused' ? err(hasOwner) : ok({ property, account });
};

/** A deletion of no table: its first call begins the passes over the table in use. */
const notBegun = (now: number): Deletion => ({
  ...{ table: '', phase: 'items', after: null, began: now, last_from: now },
  ...{ found: 0, items: 0, objects: 0 },
});

const hasOwner: CommandRefusal = { code: 'conflict', message: 'This property has an owner: delete it.' };
