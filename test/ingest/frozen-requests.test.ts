import { describe, expect, it } from 'vitest';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { limits } from '../../shared/config/limits.ts';
import { httpHandler } from '../../shared/edge/http-handler.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { forgetPerson } from '../../shared/ingest/forget-person.ts';
import type { SentRecord } from '../../shared/profiles/record-schema.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import type { Key } from '../../shared/table/keys.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Table } from '../../shared/table/table.ts';
import { apiEvent } from '../support/api-event.ts';
import { fenced } from '../support/fenced.ts';
import { frozenAt } from '../support/frozen.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { expectIndexed, indexedHarness, processOf } from './indexed-harness.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { requestOf } from '../support/requests.ts';

/*
 * A late route answers 503 by itself. Lambda then freezes its process together with the pending work of the route, and thaws
 * the process at another request, minutes or hours later.
 */

/** The first access of a record to the table. */
const isClaimRead = (operation: string, { pk }: Key): boolean =>
  kindOfKey(pk) === 'claim' && operation === 'getMany';
const isProfileWrite = (operation: string, { pk }: Key): boolean =>
  kindOfKey(pk) === 'profile' && (operation === 'insert' || operation === 'update');

/**
 * One process of `POST profiles`. Its calls stay within the deadlines of its requests; a call may hang before it
 * starts.
 */
const requestsOf = (table: Table, clock: { now: number }) => {
  const surroundings = { table, clock: () => clock.now, pause: () => Promise.resolve() };
  const deps = processOf(surroundings);
  const useCase = (asked: Parameters<typeof createProfile>[1]) =>
    createProfile(
      {
        ...deps,
        scopeOf: () => Promise.resolve(scope),
        enrichment: { asksAboutNew: () => Promise.resolve(false), request: () => Promise.resolve() },
      },
      asked,
    );
  let end: (outcome: unknown) => void = () => undefined;
  /** The final outcome of the first request. */
  const ended = new Promise<unknown>((resolve) => (end = resolve));
  const post = (body: SentRecord, remaining: number) => {
    const around = { clock: () => clock.now, ids: systemIds, log: () => undefined };
    const handler = httpHandler('POST profiles', around, (_, { requestId, now }) => {
      const answer = useCase(requestOf({ property: scope.id, query: {}, body, requestId, now }));
      answer.then(end, end);
      return answer;
    });
    return handler(apiEvent({ method: 'POST', path: '/v1/7/profiles' }), {
      getRemainingTimeInMillis: () => remaining,
    });
  };
  const forget = (ordinal: number) => forgetPerson(deps, scope, ordinal, `forget-${systemIds.uuid()}`);
  return { post, forget, ended, profiles: profileRepository(surroundings) };
};

const ann = { kind: 'email', value: 'ann@example.org' } as const;

describe('a POST profiles that was answered 503 and is thawed later', () => {
  const places = [
    ['after a hang at its first read', isClaimRead],
    ['after a hang at the write of its profile', isProfileWrite],
  ] as const;

  it.each(places)('does not restore a person who was forgotten meanwhile, %s', async (_, isIt) => {
    const table = new MemoryTable();
    const clock = { now: NOW };
    const alive = requestsOf(table, clock);
    expect((await alive.post({ email: ann.value, first_name: 'Ann' }, 30_000)).statusCode).toBe(201);
    clock.now += 1_000;
    const { view, thaw, reached } = frozenAt(fenced(table), isIt);
    const frozen = requestsOf(view, clock);
    const late = frozen.post({ email: ann.value, last_name: 'Anders', phone_number: '555' }, 750);
    await reached;
    expect((await late).statusCode).toBe(503);
    clock.now += 900_000;
    expect(await alive.forget(0)).toMatchObject({ identities: 1 });
    expect(await alive.profiles.findByIdentity(scope, ann)).toBeUndefined();
    clock.now += 3_600_000;
    thaw();
    await frozen.ended;
    expect(await alive.profiles.findByIdentity(scope, ann)).toBeUndefined();
  });

  it.each(places)('does not overwrite the values of a later call, %s', async (_, isIt) => {
    const table = new MemoryTable();
    const clock = { now: NOW };
    const alive = requestsOf(table, clock);
    await alive.post({ email: ann.value, phone_number: '1' }, 30_000);
    clock.now += 1_000;
    const { view, thaw, reached } = frozenAt(fenced(table), isIt);
    const frozen = requestsOf(view, clock);
    const late = frozen.post({ email: ann.value, phone_number: '2' }, 750);
    await reached;
    expect((await late).statusCode).toBe(503);
    clock.now += 60_000;
    expect((await alive.post({ email: ann.value, phone_number: '3' }, 30_000)).statusCode).toBe(200);
    clock.now += 3_600_000;
    thaw();
    await frozen.ended;
    const found = await alive.profiles.findByIdentity(scope, ann);
    expect(found?.fields.phone_number).toBe('3');
  });

  it('begins no further round after its deadline, although its calls still succeed', async () => {
    const table = new MemoryTable();
    const clock = { now: NOW };
    const alive = requestsOf(table, clock);
    await alive.post({ email: ann.value, phone_number: '1' }, 30_000);
    const { view, thaw, reached } = frozenAt(table, isProfileWrite);
    const slow = requestsOf(view, clock);
    const late = slow.post({ email: ann.value, phone_number: '2' }, 3_600_000);
    await reached;
    expect((await alive.post({ email: ann.value, phone_number: '3' }, 30_000)).statusCode).toBe(200);
    clock.now += limits.http.timeoutSeconds * 1000;
    thaw();
    expect((await late).statusCode).toBe(503);
    const found = await alive.profiles.findByIdentity(scope, ann);
    expect(found?.fields.phone_number).toBe('3');
  });

  it('leaves no profile that is neither indexed nor announced in the journal', async () => {
    const table = new MemoryTable();
    const clock = { now: NOW };
    const harness = indexedHarness(table);
    const { view, thaw, reached } = frozenAt(fenced(table), isProfileWrite);
    // If the profile were written, its process would be frozen again and would never index it.
    const dying: Table = {
      ...view,
      writeMany: async (writes) => {
        const outcomes = await view.writeMany(writes);
        return writes.some(({ kind, key }) => isProfileWrite(kind, key))
          ? Promise.reject(new Error('gone'))
          : outcomes;
      },
    };
    const frozen = requestsOf(dying, clock);
    const late = frozen.post({ email: ann.value, gender: 'Female' }, 750);
    await reached;
    expect((await late).statusCode).toBe(503);
    harness.clock.now = clock.now;
    await harness.sweep();
    clock.now = harness.clock.now;
    expect(table.items().filter(({ pk }) => pk.startsWith('J#'))).toEqual([]);
    thaw();
    await frozen.ended;
    await harness.sweep();
    await expectIndexed(table, clock.now);
  });
});
