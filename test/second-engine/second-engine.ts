import { inject } from 'vitest';
import type { DynamoDb } from '../../local/services/dynamodb/dynamodb.ts';
import { bothEngines } from './compare.ts';
import { externalAt } from './external.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of DynamoDB Local, in the project `second-engine` only. */
    dynamoDbLocal?: string;
  }
}

/**
 * The embedded engine, or both engines as one in the project `second-engine`: `close` then throws when any answer of the
 * engines differed.
 */
export const withSecondEngine = (embedded: DynamoDb): DynamoDb => {
  const url = inject('dynamoDbLocal');
  return url === undefined ? embedded : bothEngines(embedded, externalAt(url));
};
