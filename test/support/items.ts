/** Items of the running service: writes them directly, for facts that a test cannot wait for. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../local/core/service-error.ts';
import { toAttributeValues } from '../../shared/table/attribute-values.ts';
import { encodedStateIn } from '../../shared/profiles/stored-state.ts';
import type { Key } from '../../shared/table/keys.ts';
import type { Attributes } from '../../shared/table/table.ts';
import * as v from 'valibot';
import type { Tidemark } from '../../cli/standalone/tidemark.ts';
import type { Service } from './service.ts';
import { tableNames } from './table-names.ts';

type At = Pick<Service, 'cloud'>;

const write = (
  { cloud }: At,
  operation: 'DeleteItem' | 'PutItem' | 'UpdateItem',
  input: object,
): Promise<unknown> => cloud.parts.storage.table.call(operation, { TableName: tableNames.table, ...input });

/** Attributes in the form of a request. */
const wired = (attributes: Attributes): object =>
  Object.fromEntries(
    Object.entries(toAttributeValues(attributes)).map(([name, value]) => [
      name,
      value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
    ]),
  );

/** Changes attributes in an item, by their paths. Creates a missing item. */
export const changeItem = (service: At, key: Key, values: Attributes): Promise<void> =>
  update(service, key, values);

/** Changes attributes in an item, by their paths. A missing item stays missing. */
export const changePresent = (service: At, key: Key, values: Attributes): Promise<void> =>
  update(service, key, values, { ConditionExpression: 'attribute_exists(#w)' }).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.code === 'ConditionalCheckFailedException')) throw error;
  });

const update = async (service: At, { pk, sk }: Key, values: Attributes, more: object = {}): Promise<void> => {
  const changes = Object.entries({ ...values, w: randomUUID() });
  const names = changes.flatMap(([path]) => path.split('.'));
  const sets = changes.map(([path], index) => `#${path.replaceAll('.', '.#')} = :v${index}`);
  await write(service, 'UpdateItem', {
    Key: wired({ pk, sk }),
    UpdateExpression: `SET ${sets.join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: wired(
      Object.fromEntries(changes.map(([, value], index) => [`:v${index}`, value])),
    ),
    ...more,
  });
};

/** Puts an item into a table. */
export const putItem = async (
  service: At,
  key: Key,
  set: Attributes,
  TableName: string = tableNames.table,
): Promise<void> => {
  await write(service, 'PutItem', { TableName, Item: wired({ ...key, ...set, w: 'put by a test' }) });
};

/** Deletes an item. */
export const deleteItem = async (service: At, { pk, sk }: Key): Promise<void> => {
  await write(service, 'DeleteItem', { Key: wired({ pk, sk }) });
};

const text = v.object({ S: v.string() });
const bytes = v.pipe(
  v.object({ B: v.string() }),
  v.transform(({ B }) => Buffer.from(B, 'base64')),
);
/** A deflated state of a profile is inflated, so that whoever looks for words finds them. */
const readable = v.pipe(
  bytes,
  v.transform((deflated) => ({ S: encodedStateIn(deflated) })),
);
const scanned = v.object({
  Items: v.array(v.looseObject({ pk: text, sk: text, state: v.optional(v.union([readable, v.unknown()])) })),
  LastEvaluatedKey: v.optional(v.unknown()),
});

/** All items of a table, as the service keeps them, with readable states. */
export async function* itemsIn({ parts }: Pick<Tidemark, 'parts'>, TableName: string = tableNames.table) {
  let start: object = {};
  for (;;) {
    const { body } = await parts.storage.table.call('Scan', { TableName, ...start });
    const { Items, LastEvaluatedKey } = v.parse(scanned, body);
    yield* Items;
    if (LastEvaluatedKey === undefined) return;
    start = { ExclusiveStartKey: LastEvaluatedKey };
  }
}

/** The names of all that the service keeps for properties: keys of items and of objects. */
export const keptNames = async (
  cloud: Pick<Tidemark, 'parts' | 'deployment'>,
): Promise<readonly string[]> => [
  ...(await Array.fromAsync(itemsIn(cloud), ({ pk, sk }) => `${pk.S} ${sk.S}`)),
  ...cloud.deployment.buckets.flatMap(({ name }) => cloud.parts.storage.s3.list(name)),
];
