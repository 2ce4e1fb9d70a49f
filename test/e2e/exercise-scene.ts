import { limits } from '../../shared/config/limits.ts';
import { toAttributeValues } from '../../shared/table/attribute-values.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { Attributes } from '../../shared/table/table.ts';
import type { RawAnswer, Service, TestService } from '../support/service.ts';
import { tableNames } from '../support/table-names.ts';

/** The resources that the exercises need. */
export interface Harness {
  readonly service: TestService;
  readonly importId: number;
  readonly jobId: number;
  /** A complete dry run. */
  readonly dryRunId: number;
  readonly segment: number;
  readonly exportId: string;
  readonly exportJob: string;
  /** A delta export whose first job is complete. */
  readonly deltaId: string;
  readonly location: string;
  readonly webhook: string;
  /** `host:port` of an SFTP server that accepts any key. */
  readonly sftp: string;
  readonly account: { readonly client_id: string; readonly username: string; readonly password: string };
  /** A number that was never used before. */
  readonly fresh: () => number;
}

/**
 * Makes a function use all of its rights. The exercise ignores failures of the call, because the tests provoke them.
 */
export type Exercise = (harness: Harness) => Promise<unknown>;

/** Several exercises, one after the other. */
export const inTurn =
  (...all: readonly Exercise[]): Exercise =>
  async (harness) => {
    for (const exercise of all) await exercise(harness);
  };

/** A definition of imports. */
export const definition = (name: string) => ({
  name,
  mapping_fields: {
    required_fields: ['email'],
    field_maps: ['email', 'first_name', 'tags'].map((field) => ({
      sources: [{ type: 'source_field', name: field }],
      target_field: field,
    })),
  },
});

/** Posts a body under a new idempotency key. */
export const post = ({ service, fresh }: Harness, path: string, body: unknown): Promise<RawAnswer> =>
  service.call('POST', path, {
    body: JSON.stringify(body),
    headers: { 'idempotency-key': `key-${fresh()}` },
  });

/** Reads a path. */
export const get = ({ service }: Harness, path: string): Promise<RawAnswer> => service.call('GET', path);

/** Puts an item into a table directly. */
export const putItem = async (
  { service }: { readonly service: Pick<Service, 'cloud'> },
  key: Key,
  set: Attributes,
  TableName: string = tableNames.table,
): Promise<void> => {
  const { parts } = service.cloud;
  const values = Object.entries(toAttributeValues({ ...key, ...set, w: 'put by a test' }));
  await parts.storage.table.call('PutItem', {
    TableName,
    Item: Object.fromEntries(
      values.map(([name, value]) => [
        name,
        value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
      ]),
    ),
  });
};

/** Lets another request lead the first group of people for some seconds. */
export const letOthersLead = (harness: Harness): Promise<void> => {
  const until = Date.now() - limits.clockSkewSeconds * 1_000 + 3_000;
  const lease = { holder: 'another request', until, served: 1 };
  return putItem(harness, keys.drainLease(harness.service.property, 0), lease);
};
