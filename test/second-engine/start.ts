/** Starts DynamoDB Local once for the project `second-engine`. */
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from './dynamodb-local.ts';

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const engine = await startDynamoDbLocal();
  project.provide('dynamoDbLocal', engine.url);
  return () => engine.stop();
};
