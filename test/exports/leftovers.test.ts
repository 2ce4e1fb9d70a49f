import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { capabilityOf } from '../../shared/exports/model/location.ts';
import { locationParts, path, ref, begun, jobPath, jobRef, writeParts } from './steps.ts';
import { type Before, bodyOf, type ExportsHarness } from './harness.ts';
import { dyingAnywhere } from '../support/death.ts';
import { tasksIn } from '../support/look-at-tasks.ts';

/** The longest that a step which was cut off may go on writing. */
const SETTLED = 1_200_000;

const planned = async (options: { before?: Before } = {}, more: object = {}): Promise<ExportsHarness> => {
  const harness = await begun({ field_set: 'email', ...more }, options);
  await writeParts(harness);
  return harness;
};

/** Cancels the job right after its file was stored, before the job names it. */
const cancelledLate = async (harness: ExportsHarness): Promise<void> => {
  const { files } = harness;
  const store = files.put.bind(files);
  files.put = async (key, body) => {
    const stored = await store(key, body);
    bodyOf(await harness.cancel(path));
    return stored;
  };
  expect(await harness.assemble(ref)).toEqual({ status: 'failed' });
};

const filesOf = (harness: ExportsHarness): readonly string[] =>
  harness.files.keys().filter((key) => !key.includes('/members-'));

const grants = v.array(v.looseObject({ expires: v.number() }));

/** Opens every stored capability. */
const opened = async (harness: ExportsHarness): Promise<readonly boolean[]> => {
  const items = harness.table.items().filter(({ pk }) => pk.startsWith('DOWNLOAD#'));
  const names = filesOf(harness).map((key) => key.split('/').at(-1) ?? '');
  const answers = v
    .parse(grants, items)
    .flatMap(({ expires }) =>
      names.map((file_name) =>
        harness.open({ capability: capabilityOf(harness.keys.downloads, ref, expires), file_name }),
      ),
    );
  return (await Promise.all(answers)).map(({ ok }) => ok);
};

describe('a file that is cancelled while it is written', () => {
  it('is opened by nothing, and removed once no step can still write', async () => {
    const harness = await planned();
    await cancelledLate(harness);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({
      status: 'cancelled',
      location: null,
      manifest: null,
    });
    expect(filesOf(harness)).toHaveLength(2);
    expect(await opened(harness)).toEqual([false, false]);
    harness.fakes.now += SETTLED - 1;
    await harness.repair();
    expect(filesOf(harness)).toHaveLength(2);
    harness.fakes.now += 1;
    await harness.repair();
    expect(harness.files.keys()).toEqual([]);
    expect(tasksIn(harness.table)).toEqual([]);
  });

  it('goes with the export, too', async () => {
    const harness = await planned();
    await cancelledLate(harness);
    bodyOf(await harness.remove(path));
    harness.fakes.now += SETTLED;
    await harness.repair();
    expect(harness.files.keys()).toEqual([]);
  });

  it('and one whose writer was killed at any step, leave nothing', async () => {
    const calls = await dyingAnywhere({
      begin: (before) => planned({ before }),
      run: (harness) => harness.assemble(ref),
      check: async (harness, _, died) => {
        if (died) bodyOf(await harness.cancel(path));
        harness.fakes.now += SETTLED;
        await harness.repair();
        expect(filesOf(harness)).toHaveLength(died ? 0 : 2);
      },
    });
    expect(calls).toBeGreaterThan(5);
  });
});

describe('a file that is written twice', () => {
  it('stays once, with its manifest and the members that the next delta is counted from', async () => {
    const harness = await planned({}, { scope: 'delta' });
    await Promise.all([harness.assemble(ref), harness.assemble(ref)]);
    expect(filesOf(harness)).toHaveLength(4);
    harness.fakes.now += SETTLED;
    await harness.repair();
    expect(filesOf(harness)).toHaveLength(2);
    const { location } = bodyOf(await harness.readJob(path));
    expect(await harness.open(locationParts(location))).toMatchObject({ ok: true });
    bodyOf(await harness.runAgain(path));
    await harness.plan(jobRef(2));
    expect(bodyOf(await harness.readJob(jobPath(2)))).toMatchObject({
      delta_from: String(ref.job),
    });
  });
});
