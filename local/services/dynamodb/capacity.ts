import * as v from 'valibot';

/** The units that a call consumed in one table. */
export interface Capacity {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

const Asked = v.object({ ReturnConsumedCapacity: v.picklist(['TOTAL', 'INDEXES']) });

/** The consumed units as a field of an answer, if the request asked for them. */
export const capacityOf = <Consumed extends Capacity | readonly Capacity[]>(
  body: unknown,
  consumed: Consumed,
): { readonly ConsumedCapacity?: Consumed } => (v.is(Asked, body) ? { ConsumedCapacity: consumed } : {});
