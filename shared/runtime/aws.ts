/**
 * Adapters of the ports to AWS, each built lazily in its own file: a bundle carries only the clients it uses.
 */
export { tableFromEnv } from './dynamo-client.ts';
export { keyService } from './kms-keys.ts';
export { objectStore } from './s3-object-store.ts';
export { queue } from './sqs-queue.ts';
export { workflow } from './sfn-workflow.ts';
