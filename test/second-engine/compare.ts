/** Compare: sends every call to the embedded engine and to DynamoDB Local, and compares the answers. */
import * as v from 'valibot';
import { jsonBody, targetOperation } from '../../local/core/json-protocol.ts';
import { ServiceError } from '../../local/core/service-error.ts';
import type { AwsRequest, AwsResponse, Caller } from '../../local/core/types.ts';
import type { DynamoDb, TableDefinition } from '../../local/services/dynamodb/dynamodb.ts';
import { allowedDifferences } from './allowed.ts';
import type { External } from './external.ts';
import { Locks } from './locks.ts';
import { canonical, partsOf, type Parsed } from './normal-form.ts';
import { partitionsOf } from './partitions.ts';

/** Both engines as one. */
export interface BothEngines extends DynamoDb {
  /** A text for each difference that is not allowed, in the order of the calls. */
  readonly differences: readonly string[];
  /** Sends a call and returns the answer, which may be a refusal. */
  answer(operation: string, input: unknown): Promise<AwsResponse>;
  /** Compares all stored items. */
  compareItems(): Promise<void>;
}

/**
 * Both engines behind one service. A call answers with DynamoDB Local's answer and the embedded engine's usage. Calls on
 * the same partition wait for each other, because two racing writes may win in either order. `close` compares all stored
 * items and throws when any answer differed.
 */
export const bothEngines = (embedded: DynamoDb, external: External): BothEngines => {
  const differences: string[] = [];
  const tables: TableDefinition[] = [];
  const locks = new Locks();
  const note = (operation: string, input: unknown, ours: Parsed, theirs: Parsed): void => {
    for (const part of partsOf(operation, input, ours, theirs)) {
      const [one, other] = [canonical(part.embedded), canonical(part.external)];
      if (one === other || allowedDifferences.some(({ allows }) => allows(part))) continue;
      const call = JSON.stringify(part.input)
        .replaceAll(/x{50,}/g, (text) => `[${text.length} x]`)
        .slice(0, 2_000);
      differences.push(`${part.operation} ${call}\n  embedded: ${one}\n  external: ${other}`);
    }
  };
  const handle = async (request: AwsRequest, caller: Caller): Promise<AwsResponse> => {
    const operation = targetOperation(request);
    const input = jsonBody(request);
    return locks.hold(partitionsOf(tables, operation, input), async () => {
      const [ours, theirs] = await Promise.all([
        embedded.service.handle(request, caller),
        external.send(operation, v.parse(buffer, request.body).toString()),
      ]);
      note(operation, input, parsed(ours), parsed(theirs));
      const { usage = [] } = ours;
      return { status: theirs.status, headers: JSON_HEADERS, body: theirs.body, usage };
    });
  };
  const compareItems = async (): Promise<void> => {
    // A function that is ended in the middle of a write may have it in one engine only, for now.
    await locks.idle();
    for (const { name } of tables) {
      const ours = await itemsOf(async (input) => (await embedded.call('Scan', input)).body, name);
      const theirs = await itemsOf(
        async (input) => parsed(await external.send('Scan', JSON.stringify(input))).body,
        name,
      );
      for (const item of ours)
        if (!theirs.has(item)) differences.push(`only the embedded engine has ${item}`);
      for (const item of theirs) if (!ours.has(item)) differences.push(`only DynamoDB Local has ${item}`);
    }
  };
  const answer = (operation: string, input: unknown) => handle(requestOf(operation, input), nobody);
  return {
    differences,
    answer,
    compareItems,
    service: { ...embedded.service, handle },
    call: async (operation, input) => {
      const answered = await answer(operation, input);
      const { status, body } = parsed(answered);
      if (status === 200) return { body: v.parse(record, body), usage: answered.usage ?? [] };
      const { __type, message } = v.parse(refusal, body);
      throw new ServiceError(__type.split('#').at(-1) ?? __type, message, status);
    },
    loads: (table) => embedded.loads(table),
    // DynamoDB Local has a clock of its own, and lets nothing expire either: nothing tells it the attribute.
    expire: () => Promise.resolve(),
    createTable: async (definition) => {
      tables.push(definition);
      await Promise.all([embedded.createTable(definition), external.createTable(definition)]);
    },
    close: async () => {
      await compareItems();
      await embedded.close();
      if (differences.length > 0)
        throw new Error(`the engines differ:\n${differences.slice(0, 5).join('\n')}`);
    },
  };
};

const JSON_HEADERS = { 'content-type': 'application/x-amz-json-1.0' };

const text = v.string();
const buffer = v.instance(Buffer);
const record = v.record(v.string(), v.unknown());
const refusal = v.object({ __type: v.string(), message: v.optional(v.string(), '') });

/** The caller of calls without HTTP. The service asks nothing of its caller. */
const nobody: Caller = { accessKeyId: '', name: 'nobody', principal: '', policy: [] };

const requestOf = (operation: string, input: unknown): AwsRequest => ({
  method: 'POST',
  path: '/',
  query: new URLSearchParams(),
  headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
  body: Buffer.from(JSON.stringify(input)),
});

const parsed = ({ status, body }: { readonly status: number; readonly body: unknown }): Parsed => ({
  status,
  body: JSON.parse(v.parse(text, body)),
});

const page = v.object({
  Items: v.array(v.unknown()),
  LastEvaluatedKey: v.optional(v.record(v.string(), v.unknown())),
});

const itemsOf = async (
  scan: (input: object) => Promise<unknown>,
  TableName: string,
): Promise<ReadonlySet<string>> => {
  const items = new Set<string>();
  let start: object | undefined;
  do {
    const from = start ? { ExclusiveStartKey: start } : {};
    const { Items, LastEvaluatedKey } = v.parse(
      page,
      await scan({ TableName, ConsistentRead: true, ...from }),
    );
    for (const item of Items) items.add(canonical(item));
    start = LastEvaluatedKey;
  } while (start);
  return items;
};
