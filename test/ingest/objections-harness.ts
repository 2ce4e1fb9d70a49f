/** People who object, with writers and the routes of objections on one table. */
import * as v from 'valibot';
import { applyRecords } from '../../shared/ingest/apply-records.ts';
import { forgetPerson } from '../../shared/ingest/forget-person.ts';
import { forgetProfile } from '../../shared/ingest/forget-profile.ts';
import { createObjection, endObjection, listObjections } from '../../shared/ingest/objections.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';
import { undoCleanups } from '../../shared/ingest/undo-cleanups.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { allPermissions } from '../../shared/http/permissions.ts';
import {
  objectionAnswer,
  objectionBody,
  objectionsAnswer,
  objectionsQuery,
} from '../../shared/profiles/objection-schemas.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { forgetQuery, forgottenAnswer } from '../../shared/profiles/schemas.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { unloadedBrands } from '../support/brands.ts';
import { lookAtDue } from '../support/look-at-tasks.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { expectIndexed, indexedHarness } from './indexed-harness.ts';
import { noDisclosures } from '../support/no-disclosures.ts';
import { answered, requestOf } from '../support/requests.ts';

/** A person, as records say. */
export const ann = { email: 'ann@example.org', first_name: 'Ann', source: 'shop' };
const user = { id: 3, email: 'api@example.org', first_name: 'A', last_name: 'P' };

/** A property with writers and the routes of objections. */
export const begun = (before?: (operation?: string) => Promise<void> | void) => {
  const table = new MemoryTable(before);
  const log = new MemoryTable();
  const clock = { now: NOW };
  /** The rules as processes read them next. */
  const rules = { ...scope.rules };
  const scopeNow = (): PropertyScope => ({ ...scope, rules: { ...rules } });
  let calls = 0;
  const call = (): string => `call-${(calls += 1)}-${clock.now}`;
  const deps = () => ({
    ...profileWriter({
      ...{ table, clock: () => clock.now, pause: () => Promise.resolve(), derivations: unloadedBrands },
    }),
    ...{ scopeOf: () => Promise.resolve(scopeNow()), forgettings: log },
    ...{ baseUrl: 'https://api.example.test', attemptId: call },
  });
  const request = <Body, Query>(body: Body, query: Query, path = {}) =>
    requestOf({
      ...{
        property: scope.id,
        requestId: call(),
        requestKey: call(),
        now: clock.now,
        user,
        body,
        query,
        path,
      },
    });
  const store = (sent: object, at = 0, index: 'now' | 'later' = 'now') => {
    const record = accepted({ ...sent }, 0, { stamp: `${clock.now + at}.000000000` });
    return applyRecords(deps(), scopeNow(), [record], { attemptId: call(), index });
  };
  const object = async (body: object) => {
    const answer = await createObjection(deps(), request(v.parse(objectionBody, body), {}));
    if (!answer.ok) throw new Error(answer.error.code);
    return { status: answer.value.status, ...v.parse(objectionAnswer, answer.value.body) };
  };
  const end = async (id: string) => {
    const answer = await endObjection(deps(), request(undefined, {}, { objection: id }));
    return answer.ok ? answer.value.status : answer.error.status;
  };
  const askList = (query: object, permissions = allPermissions) =>
    listObjections(deps(), { ...request(undefined, v.parse(objectionsQuery, query)), permissions });
  const list = async (query: object = {}) => (await answered(askList(query), objectionsAnswer)).objections;
  const find = (value = ann.email) =>
    profileRepository({ table }).findByIdentity(scope, { kind: 'email', value });
  const findId = (value: string) =>
    profileRepository({ table }).findByIdentity(scope, { kind: 'unique_id', value });
  const forget = (ordinal: number) => {
    const own = deps();
    return forgetPerson({ ...own, moments: momentMembers(own) }, scope, ordinal, call());
  };
  /** Forgets the person with an identity, and refuses later records with all of theirs. */
  const forgetAndRefuse = async (query: object) => {
    const own = deps();
    const ports = {
      moments: momentMembers(own),
      forgotten: forgottenPeople(table),
      disclosuresOf: noDisclosures,
    };
    const asked = request(undefined, v.parse(forgetQuery, { ...query, refuse_later: 'true' }));
    const answer = await forgetProfile({ ...own, ...ports }, asked);
    return answer.ok ? v.parse(forgottenAnswer, answer.value.body) : answer.error.status;
  };
  /** Looks after what is left of forgettings, some hours later. */
  const cleanUp = async (): Promise<void> => {
    clock.now += 3 * 3_600_000;
    const own = { ...deps(), forgotten: forgottenPeople(table), work: new MemoryObjects(), ids: systemIds };
    await lookAtDue(own, { 'undo-cleanup': undoCleanups(own) });
    const index = indexedHarness(table);
    index.clock.now = clock.now;
    await index.sweep();
  };
  const segments = async (): Promise<readonly string[]> => Object.keys(await expectIndexed(table, clock.now));
  return {
    table,
    log,
    clock,
    rules,
    scopeNow,
    deps,
    store,
    object,
    end,
    askList,
    list,
    find,
    findId,
    forget,
    forgetAndRefuse,
    cleanUp,
    segments,
  };
};
/** A property with people who object. */
export type Scene = ReturnType<typeof begun>;

interface Interleaving<S> {
  readonly begin: (scene: S) => Promise<unknown>;
  readonly work: (scene: S) => Promise<unknown>;
  /** Runs as a whole ahead of one operation of the work. */
  readonly between: (scene: S) => Promise<unknown>;
  readonly check: (scene: S) => Promise<void>;
}

/** Plays a scene with another process ahead of each operation of its work in turn, and behind the last. */
export const betweenAll = (story: Interleaving<Scene>): Promise<void> => betweenAllOf(begun, story);

/** The same for a scene of another kind. */
export const betweenAllOf = async <S>(
  make: (before: () => Promise<void>) => S | Promise<S>,
  { begin, work, between, check }: Interleaving<S>,
): Promise<void> => {
  for (let at = 0, more = true; more; at += 1) {
    let left = Number.POSITIVE_INFINITY;
    const scene: S = await make(async () => {
      left -= 1;
      if (left !== -1) return;
      await between(scene);
    });
    await begin(scene);
    left = at;
    await work(scene);
    more = left < 0;
    left = Number.POSITIVE_INFINITY;
    if (!more) await between(scene);
    await check(scene);
  }
};

/** What became of records; the codes of those that were refused. */
export const kindsOf = (outcomes: Awaited<ReturnType<ReturnType<typeof begun>['store']>>) =>
  outcomes.map((one) => (one.kind === 'refused' ? one.refusal.code : one.kind));
