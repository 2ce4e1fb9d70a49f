/**
 * Assembly checkpoint: the state of a file whose assembly takes longer than one function, sealed like the parts of the
 * job, because it contains plain bytes of the file or the session key of its encryption.
 */
import { deserialize, serialize } from 'node:v8';
import * as v from 'valibot';
import type { Ids } from '../../runtime/ids.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import { gather } from '../../runtime/bytes.ts';
import type { JobRef } from '../model/items.ts';
import { assemblyContext, objectKeys } from '../model/work-keys.ts';
import { fileState } from './outgoing-file.ts';
import { open, SALT_BYTES, seal } from './sealed-frames.ts';

/** The file of an attempt, after the rows of some parts. */
const assemblyCheckpoint = v.object({
  attemptId: v.string(),
  /** The first part whose rows are not in the file. */
  nextPart: v.number(),
  /** Rows in the file. */
  rows: v.number(),
  file: fileState,
});
export type AssemblyCheckpoint = v.InferOutput<typeof assemblyCheckpoint>;

export interface CheckpointDeps {
  readonly work: ObjectStore;
  readonly ids: Ids;
}

/** Stores the checkpoint of a job. The last stored checkpoint counts. */
export const storeCheckpoint = async (
  { work, ids }: CheckpointDeps,
  ref: JobRef,
  dataKey: Uint8Array,
  checkpoint: AssemblyCheckpoint,
): Promise<void> => {
  const salt = Buffer.from(ids.hex(SALT_BYTES), 'hex');
  const sealed = seal({ dataKey, context: assemblyContext(ref) }, salt, [serialize(checkpoint)]);
  await work.putStream(objectKeys.checkpoint(ref), sealed);
};

/** The checkpoint of a job; `undefined` before the first. */
export const readCheckpoint = async (
  { work }: CheckpointDeps,
  ref: JobRef,
  dataKey: Uint8Array,
): Promise<AssemblyCheckpoint | undefined> => {
  const sealed = await work.get(objectKeys.checkpoint(ref));
  if (!sealed) return undefined;
  const plain: unknown = deserialize(
    await gather(open({ dataKey, context: assemblyContext(ref) }, [sealed])),
  );
  return v.parse(assemblyCheckpoint, plain);
};
