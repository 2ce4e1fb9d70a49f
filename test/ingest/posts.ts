import * as v from 'valibot';
import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { openPointer } from '../../shared/catalogue/brand-pointer.ts';
import { cachedDerivations } from '../../shared/catalogue/derivation.ts';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { cachedEnrichers, enrichmentOf } from '../../shared/enrichment/enrichers.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { hasBit, membersIn } from '../../shared/membership/chunk.ts';
import { openUuid } from '../../shared/profiles/profile-uuid.ts';
import { recordSchema } from '../../shared/profiles/record-schema.ts';
import { accountRate } from '../../shared/rates/account-rate.ts';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import type { Pause } from '../../shared/runtime/pause.ts';
import { chunkOf, groupOf, keys, offsetInChunk } from '../../shared/table/keys.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { SideTime } from '../support/side-time.ts';
import { slowTable } from '../support/slow-table.ts';
import { UnitMeter } from '../support/unit-meter.ts';
import { indexedHarness } from './indexed-harness.ts';
import { seeded, type Choose } from './interleave.ts';
import { requestOf } from '../support/requests.ts';

/** Concurrent requests that Lambda serves in an account. It turns the next request away. */
const CONCURRENCY = 1_000;

/** Requests per second of the account: more than a load ever sends. */
const PER_SECOND = 5_000;

const ACCOUNT = 1;

/** Requests for new people, sent at a rate whatever the answers take. */
export interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  readonly seed?: number;
}

const levels = ['High school', 'Some college', 'Bachelor', 'Master'];
const cities = ['Aachen', 'Bremen', 'Celle', 'Dresden', 'Erfurt', 'Fulda', 'Goslar', 'Hamburg'];

/** The record of the n-th person: two identities and six segments or so, each shared by many people. */
const recordOf = (n: number, choose: Choose) =>
  v.parse(recordSchema, {
    unique_id: `person-${n}`,
    email: `person-${n}@example.org`,
    first_name: 'Ada',
    gender: choose(2) === 0 ? 'Female' : 'Male',
    birthday: `19${50 + choose(50)}-03-04`,
    education_level: levels[choose(levels.length)],
    city: cities[choose(cities.length)],
    country: 'Germany',
  });

/** A property in use: its segments exist. */
const settle = async (table: MemoryTable): Promise<void> => {
  const { apply } = indexedHarness(table);
  const choose = seeded(0);
  const sent = Array.from({ length: 200 }, (_, n) => recordOf(-1 - n, choose));
  await apply(sent.map((record) => accepted(record)));
};

const created = v.object({ status: v.literal(201), body: v.object({ profile_uuid: v.string() }) });

/**
 * Sends POSTs for new people to processes of the service, in virtual time on a table as slow and as narrow as DynamoDB. As
 * in Lambda, a process serves one request at a time, and a request without a free process starts a new one. Returns what
 * became of the load.
 */
export const post = async ({ perSecond, seconds, seed = 1 }: Load) => {
  const [table, time] = [new MemoryTable(), new SideTime(1)];
  const [meter, choose] = [new UnitMeter(time), seeded(seed)];
  await openPointer(table);
  await settle(table);
  const clock = (): number => NOW + Math.floor(time.now);
  const pause: Pause = (attempt) => time.sleep(choose(Math.min(2_000, 25 * 2 ** attempt)));
  let processes = 0;
  const process = () => {
    processes += 1;
    const ports = { table: slowTable(table, { time, choose, meter }), clock, pause };
    const log = (): void => undefined;
    const ids = { uuid: () => 'u', nonce: () => 'n', hex: () => 'h' };
    return {
      ...profileWriter({ ...ports, derivations: cachedDerivations(ports) }),
      scopeOf: () => Promise.resolve(scope),
      enrichment: enrichmentOf({ enrichers: cachedEnrichers(ports), queue: new MemoryQueue(), ids }),
      rates: accountRate({ rates: ports.table, clock, log, perSecond: PER_SECOND }),
      trail: auditTrail({
        entries: {
          add: async (key, set) => {
            await ports.table.write({ kind: 'insert', key, set });
          },
        },
        log,
        clock,
      }),
    };
  };
  const free: ReturnType<typeof process>[] = [];
  const isVisible = async (ordinal: number): Promise<boolean> => {
    const key = keys.chunk(scope.id, everyoneId(scope.id), groupOf(ordinal), chunkOf(ordinal));
    return hasBit(membersIn(await table.get(key)), offsetInChunk(ordinal));
  };
  const [latencies, sums] = [[0].slice(1), { failed: 0, turnedAway: 0, invisible: 0 }];
  const send = async (n: number): Promise<void> => {
    const taken = free.pop() ?? (processes < CONCURRENCY ? process() : undefined);
    if (!taken) {
      sums.turnedAway += 1;
      return;
    }
    const [start, requestId] = [time.now, `r${n}`];
    const asked = { requestId, requestKey: requestId, now: clock(), query: {}, body: recordOf(n, choose) };
    const request = requestOf({ property: scope.id, ...asked });
    try {
      await taken.rates.admit({ account: ACCOUNT });
      const answer = await createProfile(taken, request);
      const entry = {
        ...{ time: request.now, action: 'POST /v1/{property_id}/profiles', outcome: '201' },
        ...{ request_id: '0f8fad5b-d9cb-469f-a165-70867728950e' + requestId, property: scope.id, user: 1 },
        ...{ token: '01234567', source: '192.0.2.1', ids: { property_id: String(scope.id) } },
      };
      const trailing = answer.ok ? answer.value.trailing : undefined;
      await Promise.all([taken.trail.tryAdd(ACCOUNT, entry), trailing?.()]);
      const { body } = v.parse(created, answer.ok ? answer.value : answer.error);
      const ordinal = openUuid(scope.keys.uuid, body.profile_uuid) ?? -1;
      if (!(await isVisible(ordinal))) sums.invisible += 1;
      latencies.push(time.now - start);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      sums.failed += 1;
    }
    free.push(taken);
  };
  let at = 0;
  const tasks = Array.from({ length: perSecond * seconds }, (_, n) => {
    // Independent clients: the time between two requests is exponential.
    at += (-Math.log((choose(1_000_000) + 1) / 1_000_001) * 1_000) / perSecond;
    const due = at;
    return async () => {
      await time.sleep(due);
      await send(n);
    };
  });
  await time.run(tasks);
  return {
    ...{ table, meter, processes },
    /**
     * Requests answered by 503, requests that Lambda turned away, and people who were missing from `everyone` at the moment
     * of their answer.
     */
    ...sums,
    /** Milliseconds until the last answer. */
    took: time.now,
    /** Milliseconds from a request to its answer of 201, ascending. */
    latencies: latencies.sort((a, b) => a - b),
  };
};
export type Loaded = Awaited<ReturnType<typeof post>>;
