import { segment, bodyOf } from './harness.ts';
import { deliverObject } from '../../shared/exports/delivery/deliver-object.ts';
import type { JobRef } from '../../shared/exports/model/items.ts';
import {
  BucketRefusedError,
  type BucketFault,
  type ClientBucket,
  type ClientBucketRef,
} from '../../shared/runtime/ports.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { callInTime } from '../../shared/runtime/deadline.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryParts } from '../support/memory-parts.ts';
import { expect } from 'vitest';
import { runAll, withPeople } from './steps.ts';

export const s3_destination = {
  bucket: 'crm-inbox',
  region: 'eu-central-1',
  role_arn: 'arn:aws:iam::111122223333:role/tidemark-destination-crm',
};

/** The bucket of a client in memory. */
export class MemoryBucket {
  readonly objects = new MemoryObjects();
  readonly parts = new MemoryParts(this.objects);
  /** How the service opened the bucket, each time. */
  readonly opened: { readonly ref: ClientBucketRef; readonly session: string }[] = [];
  /** Called before each call of the bucket. */
  before: (operation: string) => void = () => undefined;

  /** Called after each call of the bucket. */
  after: (operation: string) => void = () => undefined;

  readonly open = (ref: ClientBucketRef, session: string): Promise<ClientBucket> => {
    this.before('open');
    this.opened.push({ ref, session });
    return Promise.resolve(this.#bucket());
  };

  #bucket(): ClientBucket {
    const told = async <T>(operation: string, call: () => Promise<T>): Promise<T> => {
      await Promise.resolve();
      this.before(operation);
      // As the client of S3 does, which ends calls in time.
      const answer = await callInTime(call).catch((error: unknown) => {
        throw error instanceof UnavailableError ? new BucketRefusedError('unavailable') : error;
      });
      this.after(operation);
      return answer;
    };
    const { parts } = this;
    return {
      put: (key, body) => told('put', () => this.objects.put(key, body)),
      remove: (key) => told('remove', () => this.objects.remove(key)),
      parts: {
        begin: () => told('begin', () => parts.begin()),
        put: (key, options) => told(`part ${options.part}`, () => parts.put(key, options)),
        list: (key, upload) => told('list', () => parts.list(key, upload)),
        complete: (key, upload, done) => told('complete', () => parts.complete(key, upload, done)),
        abort: (key, upload) => told('abort', () => parts.abort(key, upload)),
      },
      close: () => undefined,
    };
  }
}

/** Lets a bucket refuse the calls whose names match. */
export const refuse = (bucket: MemoryBucket, fault: BucketFault, operations: RegExp): void => {
  bucket.before = (operation) => {
    if (operations.test(operation)) throw new BucketRefusedError(fault);
  };
};

/** An export of `count` people to a bucket in memory; each person has this much more text. */
export const exportToBucket = async (more: object = {}, { count = 5, textBytes = 0 } = {}) => {
  const members = Array.from({ length: count }, (_, ordinal) => ordinal);
  const made = withPeople({ count, members });
  const bucket = new MemoryBucket();
  if (textBytes > 0)
    for (const [ordinal, person] of made.fakes.profiles)
      made.fakes.profiles.set(ordinal, { ...person, extra: { text: 'x'.repeat(textBytes) } });
  const body = bodyOf(await made.create({ segment: [segment(2)], s3_destination, ...more }));
  const put = (ref: JobRef) => deliverObject({ ...made, openBucket: bucket.open, attemptSeconds: 780 }, ref);
  return { made, bucket, body, put };
};

/** An export to a bucket whose first job is done, its delivery to come. */
export const ranToBucket = async (...what: Parameters<typeof exportToBucket>) => {
  const exported = await exportToBucket(...what);
  await runAll(exported.made);
  return exported;
};

/** The bytes of the one object of a bucket. */
export const onlyObject = async ({ objects }: MemoryBucket): Promise<Buffer> => {
  const [key = '', ...others] = await objects.list('');
  expect(others).toEqual([]);
  return Buffer.from((await objects.get(key)) ?? []);
};
