import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { deliveriesAnswer } from '../../shared/exports/model/answers.ts';
import { mayHold, encodeFrozen, memberTest, decodeFrozen } from '../../shared/exports/model/frozen-set.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { randomSource } from '../schedules/random.ts';
import { bodyOf, chunksOf, PROPERTY, segment, type ExportsHarness } from './harness.ts';
import {
  answered,
  begun,
  completed,
  forget,
  jobPath,
  jobRef,
  locationParts,
  path,
  ran,
  ref,
  receivers,
  runNext,
} from './steps.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const closed = { ok: false, error: { status: 403, code: 'members_forgotten' } };

describe('the location of a file', () => {
  it('opens no more once a person of it was forgotten; its manifest, without people, opens still', async () => {
    const { harness, location, manifest } = await completed();
    harness.fakes.now += DAY;
    await forget(harness, 2);
    expect(await harness.open(location)).toMatchObject({ ok: true });
    const opened = harness.auditLog.items().length;
    await forget(harness, 1);
    expect(await harness.open(location)).toMatchObject(closed);
    expect(await harness.open(manifest)).toMatchObject({ ok: true });
    expect(harness.auditLog.items()).toHaveLength(opened);
  });

  it('opens no more from the announcement on, and while an interrupted forgetting waits', async () => {
    const { harness, location } = await completed();
    await forgottenPeople(harness.table).announce(PROPERTY, [1], harness.fakes.now);
    expect(await harness.open(location)).toMatchObject(closed);
    harness.fakes.now += DAY;
    expect(await harness.open(location)).toMatchObject(closed);
  });

  it('opens again when there was nobody to forget', async () => {
    const { harness, location } = await completed();
    const list = forgottenPeople(harness.table);
    await list.settle(await list.announce(PROPERTY, [1], harness.fakes.now), [], harness.fakes.now);
    expect(await harness.open(location)).toMatchObject({ ok: true });
  });

  it('does not open when the person was forgotten while the job ran', async () => {
    const harness = await begun({}, { members: [0, 1] });
    const { shards } = await harness.plan(ref);
    harness.fakes.now += MINUTE;
    await forget(harness, 1);
    for (const { shard } of shards) await harness.part(ref, shard);
    await harness.assemble(ref);
    const { location } = bodyOf(await harness.readJob(path));
    expect(await harness.open(locationParts(location))).toMatchObject(closed);
  });

  it('does not open when nobody can tell who is in the file', async () => {
    const { harness, location } = await completed();
    const members = (await harness.exports.job(ref))?.value.plan?.members_key ?? '';
    await harness.files.remove(members);
    expect(await harness.open(location)).toMatchObject({ ok: true });
    harness.fakes.now += MINUTE;
    await forget(harness, 2);
    expect(await harness.open(location)).toMatchObject(closed);
  });
});

describe('the deliveries of a file with a forgotten person', () => {
  const statesOf = async (harness: ExportsHarness) => bodyOf(await harness.readJob(path))['deliveries'];

  it('end, whatever their kind, and cannot be replayed', async () => {
    const harness = await ran(receivers, { members: [1] });
    await harness.deliver(ref);
    expect(await statesOf(harness)).toMatchObject([{}, { kind: 'webhook', state: 'retrying' }, {}]);
    harness.fakes.now += MINUTE;
    await forget(harness, 1);
    const calls = harness.sent.length;
    for (const attempt of [harness.deliver, harness.pushFile, harness.sendEmail])
      expect(await attempt(ref)).toMatchObject({ exhausted: true });
    expect(harness.sent).toHaveLength(calls);
    expect(harness.mails).toEqual([]);
    const states = v.parse(deliveriesAnswer.entries.deliveries, await statesOf(harness));
    for (const { state, last_error } of states) {
      expect(state).toBe('exhausted');
      expect(last_error).toMatch(/^members_forgotten: .*run the export again/);
    }
    const delivery = `${ref.job}-webhook`;
    expect(await harness.replay({ ...path, delivery })).toMatchObject({
      ok: false,
      error: { status: 409, code: 'members_forgotten' },
    });
  });

  it('go on when somebody else was forgotten, and when a failed job has no file', async () => {
    const harness = await ran(receivers, { members: [1] });
    harness.fakes.now += MINUTE;
    await forget(harness, 2);
    harness.fakes.send = () => Promise.resolve(answered(204));
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });

    bodyOf(await harness.runAgain(path));
    await harness.plan(jobRef(2));
    await forget(harness, 1);
    await harness.fail(jobRef(2), 'States.TaskFailed');
    expect(await harness.deliver(jobRef(2))).toMatchObject({ delivered: true });
  });
});

describe('a delta after a forgetting', () => {
  const baseOf = async (harness: ExportsHarness, n: number) => {
    harness.fakes.now += MINUTE;
    await runNext(harness, n);
    return (await harness.exports.job(jobRef(n)))?.value.plan?.base?.job;
  };
  const delta = async (more: object = {}) => {
    const harness = await begun({ scope: 'delta', ...more });
    await baseOf(harness, 1);
    return harness;
  };
  const isOpen = async (harness: ExportsHarness, n: number) => {
    const { location } = bodyOf(await harness.readJob(jobPath(n)));
    return (await harness.open(locationParts(location))).ok;
  };

  it('has everybody when nobody may have got the file before, because that would lose its changes', async () => {
    const harness = await delta();
    expect(await baseOf(harness, 2)).toBe(jobRef(1).job);
    await forget(harness, 1);
    harness.fakes.members.set(segment(2), [2]);
    expect(await baseOf(harness, 3)).toBeUndefined();
    expect(await isOpen(harness, 3)).toBe(true);
    expect(await baseOf(harness, 4)).toBe(jobRef(3).job);
  });

  it('goes on from a file that was delivered, and its own file opens', async () => {
    const harness = await delta({ webhook_url: 'https://hooks.example.com/x' });
    harness.fakes.send = () => Promise.resolve(answered(204));
    await harness.deliver(ref);
    harness.fakes.now += MINUTE;
    await forget(harness, 1);
    harness.fakes.members.set(segment(2), [2]);
    // The base has the person, but the file was begun after the forgetting.
    expect(await baseOf(harness, 2)).toBe(ref.job);
    expect(await isOpen(harness, 2)).toBe(true);
    expect(await isOpen(harness, 1)).toBe(false);
  });

  it('does not open when its base alone has a person who was forgotten meanwhile', async () => {
    const harness = await delta({ webhook_url: 'https://hooks.example.com/x' });
    harness.fakes.send = () => Promise.resolve(answered(204));
    await harness.deliver(ref);
    harness.fakes.members.set(segment(2), [2]);
    expect(await baseOf(harness, 2)).toBe(ref.job);
    harness.fakes.now += MINUTE;
    await forget(harness, 1);
    expect(await isOpen(harness, 2)).toBe(false);
  });
});

it('a set of members is searched as if it were decoded', () => {
  const random = randomSource(7);
  for (let round = 0; round < 200; round += 1) {
    const pick = (): number => random.below(40_000);
    const chunks = chunksOf(Array.from({ length: 1 + (round % 60) }, pick));
    const encoded = encodeFrozen(chunks);
    const isMember = memberTest(decodeFrozen(encoded));
    for (const asked of [[pick()], Array.from({ length: 50 }, pick), [...chunks.map(({ base }) => base)], []])
      expect(mayHold(encoded, asked)).toBe(asked.some(isMember));
  }
});

it('a long list of forgotten people is read to its end', async () => {
  const { harness, location } = await completed();
  harness.table.queried = 3;
  for (let ordinal = 100; ordinal < 110; ordinal += 1) await forget(harness, ordinal);
  expect(await harness.open(location)).toMatchObject({ ok: true });
  await forget(harness, 1);
  expect(await harness.open(location)).toMatchObject(closed);
});
