/** Import deliveries: what a job of a file announces when it has ended, as stored. */
import type * as v from 'valibot';
import { deliveryItem } from '../../deliveries/delivery.ts';
import { newestClaim } from '../../deliveries/newest-claim.ts';
import { newDelivery } from '../../deliveries/delivery-state.ts';
import type { StoredDelivery } from '../../deliveries/make-attempt.ts';
import { sha256 } from '../../runtime/hash.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { versioned } from '../../table/versioned.ts';
import type { JobKey } from './import-job.ts';

/** Kinds of deliveries, in the order in which they begin: recipients of the notices find the result files. */
export const importDeliveryKinds = ['result_files', 'webhook', 'email'] as const;
export type ImportDeliveryKind = (typeof importDeliveryKinds)[number];

/** Schema of a stored delivery. */
export const importDelivery = deliveryItem(importDeliveryKinds);
export type ImportDelivery = v.InferOutput<typeof importDelivery>;

const parseDelivery = versioned(importDelivery);

/** The id of a delivery in answers and addresses. */
export const importDeliveryId = ({ id }: Pick<JobKey, 'id'>, kind: ImportDeliveryKind): string =>
  `${id}-${kind}`;

/** Reads and writes of the deliveries of jobs. */
export const deliveryItems = (table: Table) => ({
  /** The deliveries of a job that have begun. */
  importDeliveries: async ({ property, id }: JobKey): Promise<readonly ImportDelivery[]> => {
    const items = await table.getMany(
      importDeliveryKinds.map((kind) => keys.importDelivery(property, id, kind)),
    );
    return items.flatMap((item) => parseDelivery(item)?.value ?? []);
  },
  /** One delivery of a job. It is stored when it begins, because the definition and the job say that it is to come. */
  importDelivery: (
    { property, id }: JobKey,
    kind: ImportDeliveryKind,
  ): StoredDelivery<ImportDeliveryKind> => {
    const key = keys.importDelivery(property, id, kind);
    const read = async () => parseDelivery(await table.get(key));
    return {
      read: async () => {
        const stored = await read();
        if (stored) return stored;
        await table.write({ kind: 'insert', key, set: { ...newDelivery(kind) } });
        return read();
      },
      update: (set, expect) => table.write({ kind: 'update', key, set: { ...set }, expect }),
    };
  },
  /**
   * Claims the names of the result files beside a file from SFTP, by its key, for a job. A later file of the name has a job
   * with a greater id. The claim has no end, because a client may want a delivery once more at any time.
   */
  claimResultFiles: ({ property, id }: JobKey, key: string): Promise<'claimed' | 'superseded'> =>
    newestClaim(table, keys.fileResult(property, sha256(key))).claim(id),
});
