import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { shortName } from '../../cli/standalone/names.ts';
import { createFaults, type Faults } from '../../local/core/faults.ts';
import { operate } from '../support/operate.ts';
import { casesOf } from '../support/scale.ts';
import { startService } from '../support/service.ts';
import { type Outcome, readOutcome } from './import-outcome.ts';
import { tellStory } from './import-run.ts';

/** The number of seeds. More seeds find more and take longer. */
const SEEDS = casesOf('IMPORT_SEEDS', { full: 2, sample: 1 });

/** The time limit for the undisturbed run and for each of the other runs. */
const PATIENCE_MS = 240_000 * (1 + SEEDS);

/** The share of messages that are delivered twice, and the share of messages delivered out of order. */
const DELIVERY_RATE = 0.4;

/** The share of workers that are killed. Each kill costs another cold start. */
const KILL_RATE = 0.08;

/** A worker chosen for a kill lives for up to this share of the longest time. Most workers finish earlier. */
const KILL_SHARE = 0.4;

/** The share of AWS calls that fail, by the seed. */
const callRateOf = (seed: number): number => 0.03 + (seed % 3) * 0.03;

/** Functions behind a queue, a workflow or a schedule. Client requests are disturbed too, but not killed. */
const workers = new Set(
  Object.entries(manifest).flatMap(([name, { trigger }]) =>
    ['queue', 'workflow', 'schedule'].includes(trigger.kind) ? [name] : [],
  ),
);

/** The faults of one seed after the other, with a count of all faults. Without a seed there are no faults. */
const changingFaults = () => {
  const tally = { kills: 0, duplicates: 0, calls: 0 };
  let seeded: Readonly<Record<'calls' | 'deliveries' | 'kills', Faults>> | undefined;
  const faults: Faults = {
    seed: 0,
    rate: DELIVERY_RATE,
    random: (kind, key) => (seeded?.kills.random(kind, key) ?? 0) * (kind === 'kill-after' ? KILL_SHARE : 1),
    call: (caller, action) => {
      const fate = caller in manifest ? seeded?.calls.call(caller, action) : undefined;
      if (fate) tally.calls += 1;
      return fate;
    },
    decide: (kind, key) => {
      // A lost event waits for the hourly reconciliation, which has a test of its own.
      if (kind === 'lose') return false;
      if (kind === 'kill') return workers.has(shortName(key)) && seeded?.kills.decide(kind, key) === true;
      const decided = seeded?.deliveries.decide(kind, key) === true;
      if (decided && kind === 'duplicate') tally.duplicates += 1;
      return decided;
    },
  };
  /** Seed 0 means that no seed is set. */
  const change = (seed: number): void => {
    seeded =
      seed === 0
        ? undefined
        : {
            calls: createFaults(seed, callRateOf(seed)),
            deliveries: createFaults(seed, DELIVERY_RATE),
            kills: createFaults(seed, KILL_RATE),
          };
  };
  return { faults, tally, change };
};

const madeSchema = v.object({ property: v.number() });

describe('imports on a service whose workers are killed, throttled and given messages twice', () => {
  it(
    'disturbed imports end with the counts, refused rows, warnings, profiles and segments of the undisturbed run',
    async () => {
      const { faults, tally, change } = changingFaults();
      await using service = await startService({ faults });
      service.cloud.observeInvocations(({ outcome }) => {
        if (!outcome.ok && outcome.failure.errorMessage.includes('signal: killed')) tally.kills += 1;
      });
      /** Runs the scenario in a property of its own; returns a function that reads the outcome. */
      const tell = async (seed: number): Promise<() => Promise<Outcome>> => {
        const command = { command: 'property.create', account: 1, name: `Seed ${seed}` };
        const { property } = v.parse(madeSchema, await operate(service, command));
        const place = { ...service, property };
        change(seed);
        const told = await tellStory(place);
        change(0);
        return () => readOutcome(place, told);
      };
      const undisturbed = await tell(0);
      // All runs finish before any outcome is read: idle workers are ended and start cold.
      const disturbed: (() => Promise<Outcome>)[] = [];
      for (let seed = 1; seed <= SEEDS; seed += 1) disturbed.push(await tell(seed));
      const expected = await undisturbed();
      expect(expected.reports).toMatchObject({
        records: { counts: { ingested: 142, completed: 122, unserializable: 16, failed: 4 } },
        visitors: { counts: { ingested: 180 } },
        partner: { counts: { ingested: 60 } },
      });
      for (const [index, read] of disturbed.entries())
        expect(await read(), `seed ${index + 1}`).toEqual(expected);
      expect(tally.kills).toBeGreaterThan(SEEDS);
      expect(tally.duplicates).toBeGreaterThan(SEEDS);
      expect(tally.calls).toBeGreaterThan(20 * SEEDS);
    },
    PATIENCE_MS,
  );
});
