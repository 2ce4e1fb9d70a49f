import { REGION } from '../../local/core/arn.ts';
import { createGateway } from '../../local/gateway/gateway.ts';
import { createDynamoDb, type DynamoDb as Engine } from '../../local/services/dynamodb/dynamodb.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { dynamoDb, type DynamoDb } from '../../shared/table/dynamo-calls.ts';

/** The keys of the service's table. */
export const tableKeys = {
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
} as const;

/** The embedded engine without HTTP, in memory or with the files of `dataDir`. */
export const openEngine = (dataDir?: string): Promise<Engine> =>
  createDynamoDb({ kindOf: kindOfKey, ...(dataDir === undefined ? {} : { dataDir }) });

const credentials = { accessKeyId: 'AKIABENCH', secretAccessKey: 'bench' };

/** A client of a bare table, which may be in another process. */
const benchClient = (url: string): DynamoDb => dynamoDb({ region: REGION, endpoint: url, credentials });

/**
 * Opens an empty table with the service's keys, in memory or in files in `dataDir`, behind a gateway of its own, and a
 * client with all permissions. One process holds all three.
 */
export const openBareTable = async (name: string, dataDir?: string) => {
  const engine = await openEngine(dataDir);
  await engine.createTable({ name, ...tableKeys });
  const gateway = await createGateway();
  gateway.addService(engine.service);
  const policy = [{ effect: 'Allow' as const, actions: ['*'], resources: ['*'], conditions: {} }];
  gateway.registerCaller({ ...credentials, name: 'bench', principal: 'bench', policy });
  const client = benchClient(gateway.url);
  return {
    engine,
    /** Address of the gateway. */
    url: gateway.url,
    client,
    /** The cost of all calls, by action and kind of item. */
    meter: gateway.meter,
    [Symbol.asyncDispose]: async () => {
      client.destroy();
      await gateway.close();
      await engine.close();
    },
  };
};
