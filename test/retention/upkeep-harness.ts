/** A property with rules and erasures, and the reconciliation of their tasks, on one table. */
import * as v from 'valibot';
import { expect } from 'vitest';
import { segmentCatalogue } from '../../shared/catalogue/catalogue.ts';
import { limits } from '../../shared/config/limits.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { importRepository } from '../../shared/imports/repository/repository.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { createErasure, getErasure, listErasures } from '../../shared/retention/erasures.ts';
import { erasureBody, erasuresAnswer, shownErasure } from '../../shared/retention/schemas.ts';
import { upkeepKinds } from '../../shared/retention/upkeep-kinds.ts';
import { listUpkeep } from '../../shared/retention/upkeep-tasks.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { keys } from '../../shared/table/keys.ts';
import { begun, betweenAllOf } from '../ingest/objections-harness.ts';
import { drainRequested, indexedHarness, processOf } from '../ingest/indexed-harness.ts';
import { scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { dyingAnywhere } from '../support/death.ts';
import { lookAtDue } from '../support/look-at-tasks.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { answered, requestOf } from '../support/requests.ts';

export const DAY = 86_400_000;
const user = { id: 3, email: 'api@example.org', first_name: 'A', last_name: 'P' };

/** A look that stood still until another call took its task may find that its time is over. */
const tooLate = (failure: unknown): void => {
  expect(failure).toBeInstanceOf(UnavailableError);
};

/** The scene; `before` is called ahead of each operation of the table and of the work bucket. */
export const upkeepScene = (before?: (operation?: string) => Promise<void> | void) => {
  const scene = begun(before);
  const { table, log, clock, deps: writer } = scene;
  const work = new MemoryObjects(before);
  const [uploads, exported] = [new MemoryObjects(), new MemoryObjects()];
  const catalogue = () =>
    segmentCatalogue({
      table,
      clock: () => clock.now,
      derivations: unloadedBrands,
      pause: () => Promise.resolve(),
    });
  let requests = 0;
  const request = <Body>(body: Body, path = {}, key?: string) => {
    const name = key ?? `request-${(requests += 1)}`;
    return requestOf({
      ...{ requestId: `id-${(requests += 1)}`, requestKey: name, keyed: key !== undefined },
      ...{ property: scope.id, now: clock.now, user, body, query: {}, path },
    });
  };
  const idOf = async (type: string, name: string): Promise<number> => {
    const { items: segments } = await catalogue().find(scope.id, name, { limit: 10 });
    return segments.find((one) => one.type === type)?.id ?? 0;
  };
  const drains = new MemoryQueue();
  /** Runs the drains that were asked for. */
  const drain = (): Promise<void> => {
    const process = processOf({ table, clock: () => clock.now, pause: () => Promise.resolve() });
    return drainRequested(process, drains);
  };
  /** Asks for an erasure; the status of a refusal. `waits` runs while the request waits for the index. */
  const erase = async (body: object, key?: string, waits = drain) => {
    const deps = { ...writer(), catalogue: catalogue(), work, ids: systemIds, drains, pause: waits };
    const answer = await createErasure(deps, request(v.parse(erasureBody, body), {}, key));
    return answer.ok ? v.parse(shownErasure, answer.value.body) : answer.error.code;
  };
  const shown = async (id: number) => {
    const answer = await getErasure({ table }, request(undefined, { erasure_id: String(id) }));
    return answer.ok ? v.parse(shownErasure, answer.value.body) : answer.error.code;
  };
  const receipts = async () => {
    const deps = { table, scopeOf: () => Promise.resolve(scope), baseUrl: 'https://api.example.test' };
    return (await answered(listErasures(deps, request(undefined)), erasuresAnswer)).erasures;
  };
  /** The next look at what is due, two minutes later. Returns how many tasks it has looked at. */
  const keep = (mayGoOn?: () => boolean): Promise<number> => {
    clock.now += limits.rules.pauseSeconds * 1_000;
    const own = writer();
    const kinds = upkeepKinds({
      ...own,
      ...{ ids: systemIds, moments: momentMembers(own), forgettings: log, work },
      forgotten: forgottenPeople(table),
      buckets: { uploads, work, exports: exported },
      imports: importRepository(own),
      exports: exportRepository(table),
    });
    return lookAtDue({ table, clock: own.clock }, kinds, mayGoOn);
  };
  /** Changes rules, as the operator's command does, and waits until they are due. */
  const follow = async (rules: Partial<typeof scene.rules>): Promise<void> => {
    Object.assign(scene.rules, rules);
    await listUpkeep({ table, pause: () => Promise.resolve() }, scope.id, clock.now);
    clock.now += limits.rules.settleSeconds * 1_000;
  };
  /** The function's calls until nothing is due; it ends a pass at most in this many. */
  const settle = async (): Promise<void> => {
    for (let call = 0; call < 10; call += 1) await keep();
    const people = indexedHarness(table);
    people.clock.now = clock.now;
    await people.sweep();
  };
  const isThere = async (email: string): Promise<boolean> => (await scene.find(email)) !== undefined;
  /** Gives the property its item, as its creation does. */
  const create = () =>
    table.put(keys.property(scope.id), { account: 1, created: clock.now, wrappedKey: Buffer.of(1) });
  return { ...scene, work, uploads, idOf, erase, shown, receipts, keep, follow, settle, isThere, create };
};
export type UpkeepScene = ReturnType<typeof upkeepScene>;

type Begin = (scene: UpkeepScene) => Promise<UpkeepScene>;
type Check = (scene: UpkeepScene) => Promise<void>;

/** What has begun ends as it should wherever the function dies, and leaves an index that agrees with the profiles. */
export const endsAfterDeaths = (begin: Begin, check: Check): Promise<unknown> =>
  dyingAnywhere<UpkeepScene>({
    begin: (tick) => begin(upkeepScene(tick)),
    run: (scene) => scene.keep(),
    check: async (scene) => {
      await check(scene);
      await scene.segments();
    },
  });

/** The same with a second call of the function ahead of each operation. */
export const endsBesideItself = (begin: Begin, check: Check): Promise<void> =>
  betweenAllOf(upkeepScene, {
    begin,
    work: (scene) => scene.keep().catch(tooLate),
    between: (scene) => scene.keep(),
    check,
  });
