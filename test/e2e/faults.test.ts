import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createFaults, type Faults, parseFaults } from '../../local/core/faults.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** The fates of calls in the order of their draws, by caller and action. */
type Fates = Map<string, (string | undefined)[]>;

/** Draws from `faults` and records the fates. */
const recorded = (faults: Faults): { faults: Faults; fates: Fates } => {
  const fates: Fates = new Map();
  const call: Faults['call'] = (caller, action) => {
    const fate = faults.call(caller, action);
    const name = `${caller} ${action}`;
    fates.set(name, [...(fates.get(name) ?? []), fate?.fault]);
    return fate;
  };
  return { faults: { ...faults, call }, fates };
};

const created = v.object({ profile_uuid: v.string() });
const PEOPLE = 6;

/**
 * Stores people one after the other on a disturbed service, each until it is acknowledged, and looks up all of them.
 */
const disturbedRun = async (faults: Faults): Promise<Fates> => {
  const recording = recorded(faults);
  await using service = await startService({ faults: recording.faults });
  const { property } = service;
  const uuids = new Map<string, string>();
  for (let index = 0; index < PEOPLE; index += 1) {
    const email = `p${index}@example.org`;
    const body = JSON.stringify({ email });
    const { profile_uuid } = await until(`${email} is acknowledged`, async () => {
      const answer = await service.call('POST', `/v1/${property}/profiles`, { body });
      return answer.status < 500 ? v.parse(created, JSON.parse(answer.text)) : undefined;
    });
    uuids.set(email, profile_uuid);
  }
  for (const [email, uuid] of uuids) {
    const found = await until(`${email} is found`, async () => {
      const answer = await service.call('GET', `/v1/${property}/profile?email=${email}`);
      return answer.status < 500 ? answer : undefined;
    });
    expect(found.status).toBe(200);
    expect(found.text).toContain(uuid);
  }
  return recording.fates;
};

/** Compares the fates of two runs: the number of calls that both runs made, and the number of equal fates. */
const agreement = (one: Fates, other: Fates): { same: number; compared: number; disturbed: number } => {
  const result = { same: 0, compared: 0, disturbed: 0 };
  for (const [name, fates] of one)
    other.get(name)?.forEach((fate, index) => {
      if (index >= fates.length) return;
      result.compared += 1;
      if (fate === fates[index]) result.same += 1;
      if (fate !== undefined) result.disturbed += 1;
    });
  return result;
};

/** The fates that these faults would have given to the same calls. */
const drawn = (fates: Fates, faults: Faults): Fates =>
  new Map(
    [...fates].map(([name, { length }]) => {
      const [caller = '', action = ''] = name.split(' ');
      return [name, Array.from({ length }, () => faults.call(caller, action)?.fault)];
    }),
  );

describe('a service that is disturbed by a seed', () => {
  it('a disturbed service meets the same fates again, call by call, and loses nothing that it acknowledged', async () => {
    const first = await disturbedRun(parseFaults('7:0.15'));
    const replayed = agreement(first, await disturbedRun(parseFaults('7:0.15')));
    expect(replayed.disturbed).toBeGreaterThan(5);
    expect(replayed.same).toBe(replayed.compared);
    const otherSeed = createFaults(8, 0.15);
    const other = agreement(first, drawn(first, otherSeed));
    expect(other.same).toBeLessThan(other.compared);
  }, 120_000);
});
