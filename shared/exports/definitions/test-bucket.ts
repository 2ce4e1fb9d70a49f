/** Test bucket: tries the bucket of an export as a run would use it, with a small object. */
import { limits } from '../../config/limits.ts';
import { UnavailableError } from '../../runtime/aws-errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import { withinMilliseconds } from '../../runtime/deadline.ts';
import {
  BucketRefusedError,
  type BucketFault,
  type ClientBucket,
  type OpenClientBucket,
} from '../../runtime/ports.ts';
import { bucketFailure } from '../delivery/bucket-failures.ts';
import type { ExportDefinition } from '../model/items.ts';
import { fixedFolderOf, sessionNameOf, TEST_OBJECT_PREFIX } from '../model/s3-destination.ts';
import { sentence, testedSteps, type TestedStep } from './tested-step.ts';

export interface TestBucketDeps {
  readonly openBucket: OpenClientBucket;
  readonly accountArn: string;
  readonly clock: Clock;
}

const steps = ['assume_role', 'put_object', 'delete_object'] as const;
type Step = (typeof steps)[number];

const content = Buffer.from('This object tests whether an export can be written here. It may be removed.\n');

/**
 * Assumes the role of the client, puts a small object below the directory of the export, and removes the object. No
 * steps without a bucket. `suffix` makes the name of the object new.
 */
export const testBucket = async (
  deps: TestBucketDeps,
  definition: ExportDefinition,
  suffix: string,
): Promise<readonly TestedStep[]> => {
  const { s3_destination: destination } = definition;
  if (!destination) return [];
  const key = `${fixedFolderOf(definition)}${TEST_OBJECT_PREFIX}${suffix}`;
  const open = () => deps.openBucket(destination, sessionNameOf(definition));
  const failure = await tryBucket(deps.clock, open, key);
  return testedSteps(steps, failure, ({ fault }) => {
    const { reason, remedy } = bucketFailure(fault, destination, deps.accountArn);
    return `${sentence(reason)} ${sentence(remedy)}`;
  });
};

interface Failure {
  readonly step: Step;
  readonly fault: BucketFault;
}

/** The first step that fails; `undefined` when all succeed. A bucket that takes too long counts as unavailable. */
const tryBucket = async (
  clock: Clock,
  open: () => Promise<ClientBucket>,
  key: string,
): Promise<Failure | undefined> => {
  let step: Step = 'assume_role';
  let bucket: ClientBucket | undefined;
  try {
    await withinMilliseconds(clock, limits.exports.testBucketSeconds * 1000, async () => {
      bucket = await open();
      step = 'put_object';
      await bucket.put(key, content, { contentType: 'text/plain; charset=utf-8' });
      step = 'delete_object';
      await bucket.remove(key);
    });
    return undefined;
  } catch (error) {
    if (error instanceof BucketRefusedError) return { step, fault: error.fault };
    if (error instanceof UnavailableError) return { step, fault: 'unavailable' };
    throw error;
  } finally {
    bucket?.close();
  }
};
