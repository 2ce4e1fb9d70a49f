import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createGateway } from '../local/gateway/gateway.ts';
import type { Meter } from '../local/gateway/meter.ts';
import { createDynamoDb, type DynamoDb } from '../local/services/dynamodb/dynamodb.ts';
import { kindOfKey } from '../shared/table/keys.ts';

/** An empty table of the embedded engine behind a gateway of its own, and a client that may do everything. */
export interface BareTable extends AsyncDisposable {
  readonly engine: DynamoDb;
  readonly client: DynamoDBClient;
  /** What went over the wire, by action and kind of item. */
  readonly meter: Meter;
}

/** Opens a table with the keys `pk` and `sk`; one process holds the table, the gateway and the client. */
export const openBareTable = async (name: string): Promise<BareTable> => {
  const scope = { region: 'eu-west-1', accountId: '000000000000' };
  const engine = await createDynamoDb({ scope, kindOf: kindOfKey });
  await engine.createTable({
    name,
    partitionKey: { name: 'pk', type: 'S' },
    sortKey: { name: 'sk', type: 'S' },
  });
  const gateway = await createGateway();
  gateway.addService(engine.service);
  const credentials = { accessKeyId: 'AKIABENCH', secretAccessKey: 'bench' };
  const policy = [{ effect: 'Allow' as const, actions: ['*'], resources: ['*'], conditions: {} }];
  gateway.registerCaller({ ...credentials, name: 'bench', principal: 'bench', policy });
  const client = new DynamoDBClient({ region: scope.region, endpoint: gateway.url, credentials });
  return {
    engine,
    client,
    meter: gateway.meter,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      await gateway.close();
      await engine.close();
    },
  };
};
