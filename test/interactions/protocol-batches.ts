/** Batches of the histories: sent to a job, delivered by messages, parked after failures, and redriven. */
import * as v from 'valibot';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { batchAnswer, batchBody } from '../../shared/imports/schemas/batch-schemas.ts';
import { batchMessage, batchMessageOf, type BatchMessage } from '../../shared/imports/items/job-messages.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { scope } from '../profiles/harness.ts';
import { recordOf, type Said } from './plain-model.ts';
import type { KnownJob } from './known-world.ts';
import type { ServiceInMemory } from './service-in-memory.ts';
import { workOf, type Work } from './work.ts';

/** What becomes of a batch: it is stored, it is parked, or it is parked and then stored by a redrive. */
export type Course = 'stored' | 'parked' | 'redriven';

class Failing extends Error {}

export const protocolBatches = (
  { imports, deps, ask, hour, clock }: ServiceInMemory,
  add: (records: readonly Said[], job: KnownJob) => void,
) => {
  /** Takes the messages of batches for which this is true out of the queue. */
  const takeMessages = async (isWanted: (message: BatchMessage) => boolean) => {
    const all = imports.batches.take().map((sent) => ({
      sent,
      message: v.parse(batchMessage, JSON.parse(sent.body)),
    }));
    await imports.batches.send(all.flatMap(({ sent, message }) => (isWanted(message) ? [] : [sent])));
    return all.filter(({ message }) => isWanted(message));
  };

  /** Delivers these batches. A message of a worker that died or stands still comes again. */
  const deliver = async (isWanted: (message: BatchMessage) => boolean): Promise<void> => {
    const own = await takeMessages(isWanted);
    await imports.batches.send(own.map(({ sent }) => sent));
    for (const { sent, message } of own) {
      await importBatch(deps, message);
      const left = imports.batches.take();
      await imports.batches.send(left.filter((one) => one !== sent));
    }
  };

  /** The last delivery of a batch fails, before or after its rows are stored. */
  const park = async (known: KnownJob, batch: string, stores: boolean): Promise<void> => {
    const store: typeof deps.store = async (...call) => {
      if (stores) await deps.store(...call);
      throw new Failing();
    };
    const message = { v: 1 as const, property: scope.id, job: known.job, batch };
    await importBatch({ ...deps, store }, message, () => true).catch((error: unknown) => {
      if (!(error instanceof Failing)) throw error;
    });
  };

  /** Sends a batch to a job, which may refuse it. `stores`: whether the rows are stored before the batch is parked. */
  const sendBatch = (rows: readonly Said[], known: KnownJob, course: Course, stores = false): Work => {
    hour();
    const at = clock.now;
    const body = v.parse(batchBody, { name: 'b', import_job: known.job, records: rows.map(recordOf) });
    const asked = { ...ask({}, {}, body), requestKey: systemIds.uuid(), keyed: true, now: at };
    let taken: string | undefined;
    const said = rows.map((row, index) => ({ ...row, at: at + index / 1_000, job: known.job }));
    const accept = async (): Promise<void> => {
      const answer = await importData(deps, asked);
      if (!answer.ok && answer.error.code !== 'job_undone') throw new Error(JSON.stringify(answer.error));
      if (!answer.ok) return;
      if (taken === undefined) known.accepted += rows.length;
      taken = v.parse(batchAnswer, answer.value.body).batch_job_uuid;
    };
    const isOwn = ({ batch }: BatchMessage): boolean => batch === taken;
    const parking = async (): Promise<void> => {
      if (taken === undefined) return;
      await park(known, taken, stores && course === 'redriven');
      await takeMessages(isOwn);
    };
    const redrive = async (): Promise<void> => {
      if (taken === undefined) return;
      await imports.batches.send([batchMessageOf(scope.id, known.job, taken)]);
    };
    const steps = {
      stored: [accept, () => deliver(isOwn)],
      parked: [accept, parking],
      redriven: [accept, parking, redrive, () => deliver(isOwn)],
    };
    return workOf(`batch of ${known.job}, ${course}`, steps[course], () => {
      if (taken !== undefined && course !== 'parked') add(said, known);
    });
  };
  return { deliver, sendBatch };
};
