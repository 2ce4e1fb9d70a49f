/** Forgotten members: whether the file of a job may show a person who was forgotten since. */
import { limits } from '../../config/limits.ts';
import { permanentFailure } from '../../deliveries/delivery-state.ts';
import type { ForgottenPeople } from '../../profiles/forgotten-people.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import type { ExportJob } from '../model/items.ts';
import { candidateKeys, mayHold } from '../model/frozen-set.ts';

/** Whether the file of a job may show a person who was forgotten. Nobody gets such a file any more. */
export type HasForgotten = (job: Pick<ExportJob, 'property' | 'plan' | 'file'>) => Promise<boolean>;

/** The port of the functions that give files away. */
export interface ForgottenDeps {
  readonly hasForgotten: HasForgotten;
}

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1_000;

/**
 * Compares the frozen members of a job with the people who were forgotten since its watermark. So no forgetting has to find
 * the files of the person, and none can miss one. A file that was printed after the forgetting counts too, if its members
 * were frozen before: nobody knows whether its row came first. So do files whose members are no longer kept.
 */
export const forgottenMembers =
  (people: Pick<ForgottenPeople, 'since'>, files: Pick<ObjectStore, 'get'>): HasForgotten =>
  async ({ property, plan, file }) => {
    if (!plan || !file) return false;
    let sets: readonly (Uint8Array | undefined)[] | undefined;
    for await (const page of people.since(property, plan.watermark - CLOCK_SKEW_MS)) {
      if (page.length === 0) continue;
      const ordinals = page.map(({ ordinal }) => ordinal);
      sets ??= await Promise.all(candidateKeys(plan).map((key) => files.get(key)));
      if (sets.some((set) => mayHold(set, ordinals))) return true;
    }
    return false;
  };

/** Why a file with a forgotten person is not given away, and what to do, in the `detail` of a problem. */
export const membersForgotten =
  'A person whose data may be in this file was forgotten, so nobody gets the file any more; run the export again.';

/** The outcome of an attempt to deliver such a file. */
export const forgottenOutcome = permanentFailure(
  'members_forgotten: a person in the file was forgotten; run the export again',
);
