import { beforeEach, describe, expect, it } from 'vitest';
import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { bodyOf, PROPERTY, segment, type ExportsHarness } from '../exports/harness.ts';
import { begun, locationParts, path, ref, runAll, runJob, writeParts } from '../exports/steps.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { DAY, sweep } from './sweep.ts';

let harness: ExportsHarness;

const swept = () => {
  const { table, files, work, fakes } = harness;
  return sweep({ table, now: fakes.now, buckets: { uploads: new MemoryObjects(), work, exports: files } });
};
/** Makes an export of two of five people. */
const planned = async (more: object = {}, before: () => void = () => undefined) => {
  harness = await begun(more, { before });
  for (const bucket of [harness.files, harness.work]) bucket.clock = () => harness.fakes.now;
};
/** Runs such an export. */
const exported = async (...asked: Parameters<typeof planned>) => {
  await planned(...asked);
  await runAll(harness);
};
beforeEach(() => exported());

const days = (count: number) => (harness.fakes.now += count * DAY);
/** The last words of the keys of the exports bucket. */
const kept = () => harness.files.keys().map((key) => key.split('/').at(-1)?.replace(/-.*/, ''));
const job = async () => bodyOf(await harness.readJob(path));

describe('the file of an export', () => {
  it('goes with its manifest and its parts; the members stay', async () => {
    days(7);
    await swept();
    expect(kept()).toEqual(['file', 'manifest', 'members']);
    harness.fakes.now += 1;
    const parts = harness.work.keys().length;
    expect(parts).toBeGreaterThan(0);
    expect(await swept()).toEqual({ deleted: 2 + parts, after: null });
    expect(kept()).toEqual(['members']);
    expect(harness.work.keys()).toEqual([]);
  });

  it('stays while its location opens it, although S3 gives it the time when its upload began', async () => {
    const { location } = await job();
    for (const bucket of [harness.files, harness.work])
      for (const key of bucket.keys()) {
        const bytes = (await bucket.get(key)) ?? '';
        bucket.clock = () => harness.fakes.now - DAY;
        await bucket.put(key, bytes);
      }
    days(7);
    harness.fakes.now -= 1;
    expect((await swept()).deleted).toBe(0);
    expect(await harness.open(locationParts(location))).toMatchObject({ value: { status: 303 } });
  });

  it('stays while a delivery is tried, and goes at once when its export is deleted', async () => {
    await exported({ webhook_url: 'https://hooks.example.com/x' });
    await harness.deliver(ref);
    days(8);
    expect((await swept()).deleted).toBe(0);
    bodyOf(await harness.remove({ export_id: String(ref.export) }));
    expect((await swept()).deleted).toBeGreaterThan(0);
    expect(kept()).toEqual(['members']);
  });

  it('stays while its job runs', async () => {
    await planned();
    await writeParts(harness);
    days(8);
    expect((await swept()).deleted).toBe(0);
    await harness.assemble(ref);
    expect(await job()).toMatchObject({ status: 'complete', rows: 2 });
  });

  it('goes at the next call when a call dies at any operation', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        await exported({}, tick);
        days(8);
      },
      run: swept,
      check: async () => {
        await swept();
        expect(kept()).toEqual(['members']);
        expect(harness.work.keys()).toEqual([]);
      },
    });
  });
});

describe('an export whose file is gone', () => {
  const gone = async (more: object = {}) => {
    await exported(more);
    const location = locationParts((await job())['location']);
    harness.fakes.send = () => Promise.resolve({ kind: 'answered', status: 204, retryAfter: undefined });
    await harness.deliver(ref);
    days(8);
    await swept();
    expect(kept()).toEqual(['members']);
    return location;
  };

  it('has no location any more', async () => {
    const location = await gone();
    expect(await job()).toMatchObject({ status: 'complete', location: null, manifest: null, rows: 2 });
    expect(await harness.open(location)).toMatchObject({ error: { status: 403, code: 'location_closed' } });
  });

  it('still tells whose data it had, and of nobody else', async () => {
    await gone();
    const jobsWith = async (ordinal: number) =>
      (await findDisclosures(harness)(PROPERTY, ordinal, harness.fakes.now)).exports.length;
    expect([await jobsWith(1), await jobsWith(3)]).toEqual([1, 0]);
  });

  it('is replayed without a file: the receiver hears of the run, and no file is sent', async () => {
    await gone({ webhook_url: 'https://hooks.example.com/x' });
    const delivery = { ...path, delivery: `${ref.job}-webhook` };
    bodyOf(await harness.replay(delivery));
    await harness.deliver(ref);
    expect(JSON.parse(String(harness.sent.at(-1)?.body))).toMatchObject({ location: null });
    expect(bodyOf(await harness.readDelivery(delivery))).toMatchObject({ state: 'delivered' });
  });

  it('does not begin its delta anew', async () => {
    await gone({ scope: 'delta' });
    harness.fakes.members.set(segment(2), [1, 2, 4]);
    const second = { ...ref, job: scopedId(PROPERTY, 2) };
    bodyOf(await harness.runAgain(path));
    await runJob(harness, second);
    const { plan, file } = (await harness.exports.job(second))?.value ?? {};
    expect([plan?.base?.job, file?.rows]).toEqual([ref.job, 1]);
  });
});
