import { findFormerValues } from '../../shared/ingest/former-values.ts';
import { findDisclosures } from '../../shared/exports/disclosures/find-disclosures.ts';
import { exportRepository } from '../../shared/exports/model/repository.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import * as entries from '../../functions/profiles/entries.ts';
import { listProfileSegments as treeEntry } from '../../functions/segments/entries.ts';
import { objectionsOf } from '../../shared/profiles/objections.ts';
import type { Identity } from '../../shared/profiles/types.ts';
import type { PropertyScope } from '../../shared/properties/scope.ts';
import { propertyScopes } from '../../shared/properties/property-keys.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { createProfile } from '../../shared/ingest/create-profile.ts';
import { forgetProfile } from '../../shared/ingest/forget-profile.ts';
import { replayForgettings } from '../../shared/ingest/forgetting-log.ts';
import { findPeople } from '../../shared/profiles/find-people.ts';
import { getProfile } from '../../shared/profiles/get-profile.ts';
import type { SegmentsOf } from '../../shared/profiles/included.ts';
import { listProfileSegments } from '../../shared/segments/list-profile-segments.ts';
import { segmentsOfProfile } from '../../shared/segments/segments-of-profile.ts';
import { profileRepository } from '../../shared/profiles/profile-repository.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { momentMembers, momentsHolding } from '../../shared/membership/moments.ts';
import { accessRequest } from '../../shared/profiles/access-request.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { cachedEnrichers, enrichmentOf } from '../../shared/enrichment/enrichers.ts';
import { authHarness, makeAccount, tokenOf } from '../auth/harness.ts';
import { apiEvent } from '../support/api-event.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { unloadedBrands } from '../support/brands.ts';
import { profileWriter } from '../../shared/ingest/profile-writer.ts';

/** The routes of profiles on a table in memory, with segments; enrichment questions go to `enrichments`. */
export const profileRoutes = async (enrichments = new MemoryQueue()) => {
  const harness = authHarness();
  const { table, deps: auth } = harness;
  const { around } = harness;
  const deps = { table, clock: auth.clock, pause: () => Promise.resolve(), derivations: unloadedBrands };
  const profiles = profileRepository(deps);
  const scopeOf = propertyScopes(auth);
  const stores = profileWriter(deps);
  const exportFiles = new MemoryObjects();
  const disclosing = { table, exports: exportRepository(table), files: exportFiles, clock: auth.clock };
  const disclosuresOf = findDisclosures(disclosing);
  const writer = {
    enrichment: enrichmentOf({ enrichers: cachedEnrichers(deps), queue: enrichments, ids: auth.ids }),
    ...stores,
    scopeOf,
    moments: momentMembers(stores),
    forgotten: forgottenPeople(table),
    disclosuresOf,
  };
  const create = apiHandler(entries.createProfile, createProfile, () => writer, { runtime: around });
  const forgettings = new MemoryTable();
  const remove = apiHandler(entries.forgetProfile, forgetProfile, () => ({ ...writer, forgettings }), {
    runtime: around,
  });
  let replays = 0;
  const replay = (payload: unknown) =>
    replayForgettings({ ...writer, forgettings, attemptId: () => `replay${(replays += 1)}` }, payload);
  const segmentsOf: SegmentsOf = (property, profile, now) =>
    segmentsOfProfile({ ...deps, catalogue: stores.segments }, property, profile, now);
  const get = apiHandler(entries.getProfile, getProfile, () => ({ scopeOf, profiles, segmentsOf }), {
    runtime: around,
  });
  const findDeps = { table, scopeOf, readProfiles: profiles.readEach };
  const find = apiHandler(entries.findPeople, findPeople, () => findDeps, { runtime: around });
  const treeDeps = { ...deps, catalogue: stores.segments, scopeOf, profiles };
  const tree = apiHandler(treeEntry, listProfileSegments, () => treeDeps, { runtime: around });
  const work = new MemoryObjects();
  const ports = {
    scopeOf,
    profiles,
    segmentsOf,
    momentsOf: (property: number, ordinal: number) => momentsHolding(table, property, ordinal),
    objectionsOf: (scope: PropertyScope, identities: readonly Identity[]) =>
      objectionsOf(table, scope, identities),
    formerOf: findFormerValues({ work, clock: auth.clock }),
    disclosuresOf,
    work,
  };
  const access = apiHandler(entries.accessRequest, accessRequest, () => ports, { runtime: around });
  const [demo, other] = [await makeAccount(harness, 'demo'), await makeAccount(harness, 'other')];
  const as = async (account: typeof demo) => {
    const headers = { authorization: `Bearer ${await tokenOf(harness, account)}` };
    const common = { headers, parameters: { property_id: String(account.property) } };
    return {
      post: (body: unknown, more: Readonly<Record<string, string>> = {}) =>
        create(apiEvent({ ...common, headers: { ...headers, ...more }, method: 'POST', body })),
      access: (query: string) => access(apiEvent({ ...common, query })),
      lookup: (query: string) => get(apiEvent({ ...common, query })),
      find: (query: string) => find(apiEvent({ ...common, query })),
      tree: (query: string) => tree(apiEvent({ ...common, query })),
      forget: (query: string) => remove(apiEvent({ ...common, method: 'DELETE', query })),
    };
  };
  const idsOf = async (name: string): Promise<readonly number[]> =>
    (await stores.segments.find(demo.property, name, { limit: 2 })).items.map(({ id }) => id);
  const members = async (name: string): Promise<readonly number[]> => {
    const [segment] = (await stores.segments.find(demo.property, name, { limit: 2 })).items;
    if (!segment) return [];
    const ordinals: number[] = [];
    for await (const one of membersFrom(table, { property: demo.property, expression: segment.id }))
      ordinals.push(one);
    return ordinals;
  };
  const [asDemo, asOther] = [await as(demo), await as(other)];
  return {
    harness,
    table,
    work,
    enrichments,
    members,
    idsOf,
    forgettings,
    replay,
    property: demo.property,
    demo: asDemo,
    other: asOther,
  };
};
