/**
 * Property deletion: closes a property, then removes all of its items and objects in passes over the whole
 * table and the folders of the buckets. Work that was under way when the property was closed may still write.
 * A pass that starts after the end of that work and finds nothing is the last pass. Every call does a part of
 * a pass, and may be repeated. A deletion that was under way when the table was restored begins again. One
 * that had ended begins again when the property is closed (`close-property.ts`).
 */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { operatorName } from './audit-command.ts';
import { scheduledBy } from './item-schedules.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { idSchema } from '../http/text.ts';
import { isoTime, type Clock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import { err, ok } from '../runtime/result.ts';
import type { Schedules } from '../runtime/ports.ts';
import type { Folders } from '../runtime/s3-folders.ts';
import { propertyFolders } from '../properties/folders.ts';
import { removeSchedules } from '../schedules/client-schedules.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import { keys } from '../table/keys.ts';
import { propertyOfItem } from '../table/item-owner.ts';
import type { ScannedItem, TableScan } from '../table/table-scan.ts';
import type { Table } from '../table/table.ts';
import { confirmationRefusal, type CommandRefusal, type Outcome } from '../auth/accounts.ts';
import { type Deletion, ownedPropertyItem } from '../auth/credential-items.ts';

export interface DeletePropertyDeps {
  readonly schedules: Pick<Schedules, 'remove'>;
  /** The table of data. */
  readonly table: TableScan & Pick<Table, 'writeMany'>;
  readonly tableName: string;
  readonly credentials: Pick<Table, 'get' | 'write'>;
  /** Every bucket with objects of properties. */
  readonly buckets: readonly Folders[];
  readonly audit: AuditTrail;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The command, as the payload of the function. */
export const deletePropertyCommand = v.strictObject({
  command: v.literal('property.delete'),
  property: idSchema,
  /** Number or name of the property, once more. */
  confirm: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  operator: v.optional(operatorName),
});
export type DeletePropertyCommand = v.InferOutput<typeof deletePropertyCommand>;

/**
 * Progress of a deletion. `erasing`: call again at once. `waiting`: call again at `again`; nothing was left a
 * moment ago, but work under way may have written since. `deleted`: nothing is left.
 */
export interface DeletionProgress {
  readonly property: number;
  readonly state: 'erasing' | 'waiting' | 'deleted';
  readonly items: number;
  readonly objects: number;
  readonly again: string | null;
}

interface Found {
  readonly property: number;
  readonly account: number;
}

/**
 * Does the next part of the deletion of a property. Refuses an unknown property, a `confirm` that is neither
 * its number nor its name, and a call beside another one.
 */
export const deleteProperty = async (
  deps: DeletePropertyDeps,
  { property, confirm, operator }: DeletePropertyCommand,
): Promise<Outcome<DeletionProgress>> => {
  const { credentials, clock, ids } = deps;
  const key = credentialKeys.property(property);
  const stored = await credentials.get(key);
  if (!stored) return err(unknownProperty);
  const { account, name, deletion: begun, busy_until } = v.parse(ownedPropertyItem, stored);
  const refused = confirmationRefusal(confirm, { kind: 'property', id: property, name });
  if (refused) return err(refused);
  const [found, now] = [{ property, account }, clock()];
  const deletion = begun?.table === deps.tableName ? begun : undefined;
  if (deletion?.phase === 'rest' && now < deletion.last_from) return ok(progressOf(property, deletion));
  if (now < busy_until) return err(busy);
  // Two concurrent calls would not know each other's findings.
  const call = ids.nonce();
  const claim = { call, busy_until: now + limits.deletion.callSeconds * 1_000 };
  const claimed = await credentials.write({ kind: 'update', key, set: claim, expect: { w: stored.w } });
  if (claimed === 'refused') return err(busy);
  // Closing is a call of its own: nothing is removed while requests may start.
  const next = deletion ? await advance(deps, found, resumed(deletion, busy_until)) : closed(deps, now);
  const progress = progressOf(property, next);
  const isDeleted = progress.state === 'deleted';
  if (!deletion || isDeleted) await tell(deps, found, { operator, outcome: progress.state });
  if (isDeleted) {
    await forget(deps, found);
  } else {
    const set = { deletion: next, busy_until: 0 };
    const saved = await credentials.write({ kind: 'update', key, set, expect: { call } });
    if (saved === 'refused') return err(busy);
  }
  return ok(progress);
};

/** A call that died may have removed items without reporting them, so the pass counts as one with findings. */
const resumed = (deletion: Deletion, busyUntil: number): Deletion =>
  busyUntil === 0 ? deletion : { ...deletion, found: deletion.found + 1 };

/** Does the next part of a started deletion. */
const advance = async (deps: DeletePropertyDeps, found: Found, deletion: Deletion): Promise<Deletion> => {
  switch (deletion.phase) {
    case 'items':
      return removeItems(deps, found.property, deletion);
    case 'objects':
      return endPass(deps, await removeObjects(deps, found, deletion));
    case 'rest':
      return { ...deletion, ...newPass(deps.clock()) };
  }
};

const newPass = (now: number) => ({ phase: 'items', after: null, began: now, found: 0 }) as const;

const closed = ({ tableName }: DeletePropertyDeps, now: number): Deletion => ({
  ...newPass(now),
  table: tableName,
  last_from: quietFrom(now),
  items: 0,
  objects: 0,
});

/** The time when all work under way at `time` has ended. */
const quietFrom = (time: number): number => time + limits.deletion.quietSeconds * 1_000;

/** Removes the property's items on the next pages of the table, including schedules of its exports and timelines. */
const removeItems = async (
  deps: DeletePropertyDeps,
  property: number,
  deletion: Deletion,
): Promise<Deletion> => {
  let { after, found, items } = deletion;
  // The item of the property goes last: while it is there, a restore shows what it brought back.
  const last = keys.property(property);
  for (let page = 0; page < limits.deletion.pagesPerCall; page += 1) {
    const { items: scanned, next } = await deps.table.scan(after);
    const own = scanned.filter(
      (item) => propertyOfItem(item) === property && item.pk + item.sk !== last.pk + last.sk,
    );
    await removeAll(deps, property, own);
    [found, items] = [found + own.length, items + own.length];
    if (!next) return { ...deletion, phase: 'objects', after: null, found, items };
    after = next;
  }
  return { ...deletion, after, found, items };
};

const removeAll = async (
  deps: DeletePropertyDeps,
  property: number,
  own: readonly ScannedItem[],
): Promise<void> => {
  for (const item of own) {
    const scheduled = scheduledBy(property, item);
    // Only the item names its schedules, so they are removed first.
    if (scheduled) await removeSchedules(deps.schedules, scheduled);
  }
  await deps.table.writeMany(own.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk }, expect: {} })));
};

/** Empties the folders of a property in every bucket, as far as one call may. The pass is over once they are empty. */
const removeObjects = async (
  { buckets }: DeletePropertyDeps,
  { property, account }: Found,
  deletion: Deletion,
): Promise<Deletion> => {
  const folders = propertyFolders(account, property);
  let removed = 0;
  let batches = 0;
  const told = (phase: Deletion['phase']): Deletion => ({
    ...deletion,
    phase,
    found: deletion.found + removed,
    objects: deletion.objects + removed,
  });
  for (const bucket of buckets) {
    for (const folder of folders) {
      for (let some = await bucket.removeSome(folder); some > 0; some = await bucket.removeSome(folder)) {
        removed += some;
        batches += 1;
        if (batches === limits.deletion.objectBatchesPerCall) return told('objects');
      }
    }
  }
  return told('rest');
};

/** Sets the start of the next pass: the time when all work that could know of this pass's findings has ended. */
const endPass = ({ clock }: DeletePropertyDeps, deletion: Deletion): Deletion =>
  deletion.phase === 'rest' && deletion.found > 0 ? { ...deletion, last_from: quietFrom(clock()) } : deletion;

/** Whether the ended pass is the last one: nothing can have written behind it, and it found nothing. */
const isLast = ({ phase, found, began, last_from }: Deletion): boolean =>
  phase === 'rest' && found === 0 && began >= last_from;

/** Removes the remaining items of the property. Its owner goes last, so that an interrupted call is repeated. */
const forget = async (
  { table, credentials }: DeletePropertyDeps,
  { property, account }: Found,
): Promise<void> => {
  await table.writeMany([{ kind: 'delete', key: keys.property(property), expect: {} }]);
  for (const key of [credentialKeys.accountProperty(account, property), credentialKeys.property(property)])
    await credentials.write({ kind: 'delete', key, expect: {} });
};

const progressOf = (property: number, deletion: Deletion): DeletionProgress => {
  const { phase, items, objects, last_from } = deletion;
  const rested = isLast(deletion) ? 'deleted' : 'waiting';
  const state = phase === 'rest' ? rested : 'erasing';
  return { property, state, items, objects, again: state === 'waiting' ? isoTime(last_from) : null };
};

const tell = async (
  { audit, clock, ids }: DeletePropertyDeps,
  { account, property }: Found,
  told: { readonly operator: string | undefined; readonly outcome: string },
): Promise<void> =>
  audit.tryAdd(account, {
    time: clock(),
    action: 'operator property.delete',
    request_id: ids.uuid(),
    property,
    ...told,
  });

const unknownProperty: CommandRefusal = {
  code: 'unknown_property',
  message: 'There is no such property; it may have been deleted.',
};
const busy: CommandRefusal = {
  code: 'conflict',
  message: 'Another call is deleting this property; try again in 15 minutes.',
};
