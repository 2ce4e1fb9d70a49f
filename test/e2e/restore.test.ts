import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { wholeList } from '../../cli/admin-list.ts';
import { runAudit } from '../../cli/audit.ts';
import { deleteWhole } from '../../cli/delete-property.ts';
import type { RestoreState } from '../../cli/restore-state.ts';
import { runSteps } from '../../cli/restore-steps.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { serviceOf, type Service } from '../support/service.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import { putItem } from '../support/items.ts';
import { deployed, type Deployed } from './restore-harness.ts';
import { completeJobs, defineExport, defineImport, importFile, segmentId } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';

const dataDir = newFolders(ofCheckout)();
const TARGET = 'tidemark-local-restored';
const OLD_PASSWORD = 'the password before the leak';
const NEW_PASSWORD = 'the password after the leak';

const created = v.looseObject({ profile_uuid: v.string() });
const found = v.looseObject({ profile: v.looseObject({ profile_uuid: v.string() }) });

const post = async ({ client, property }: Service, email: string, to = property): Promise<string> =>
  (
    await client.post(
      `/v1/${to}/profiles`,
      { email, tags: [{ datetime: '2026-01-01 00:00:00', tag: ['Jazz'] }] },
      created,
    )
  ).profile_uuid;

const lookUp = (service: Service, email: string, of = service.property) =>
  service.call('GET', `/v1/${of}/profile?email=${encodeURIComponent(email)}`);

const uuidOf = async (service: Service, email: string): Promise<string> =>
  v.parse(found, JSON.parse((await lookUp(service, email)).text)).profile.profile_uuid;

/** Imports people. Returns the id of the definition. */
const importPeople = async (service: Service, ...emails: readonly string[]): Promise<number> => {
  const path = await defineImport(service, definitionOf(['email']));
  const { counts } = await importFile(service, path, ['email', ...emails].join('\n'));
  expect(counts).toMatchObject({ status: 'complete', completed: emails.length });
  return Number(path.split('/').at(-1));
};

/** Makes a definition of an export of everyone. Returns its id. */
const exportEveryone = async (service: Service, more: object = {}): Promise<string> =>
  defineExport(service, { segment: [await segmentId(service)], ...more });

/** Makes an export, and waits for its end. */
const exportPeople = async (service: Service) => completeJobs(service, await exportEveryone(service));

/** Signs in. Returns the status, and the token when there is one. */
const signIn = async ({ cloud }: Service, username: string, password: string) => {
  const body = { grant_type: 'password', client_id: cloud.endpoints.client_id, username, password };
  const answer = await fetch(`${cloud.endpoints.auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { access_token: token = '' } = v.parse(
    v.looseObject({ access_token: v.optional(v.string()) }),
    await answer.json(),
  );
  return { status: answer.status, token };
};

const statusWith = async ({ cloud }: Service, token: string): Promise<number> =>
  (await fetch(`${cloud.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status;

const mustBe = (answer: AdminAnswer): AdminAnswer => {
  if (!answer.ok) throw new Error(answer.error.message);
  return answer;
};

/** Posts people until it is stopped. Returns what was answered. */
const writer = (service: Service, name: string) => {
  const handedOut: { readonly uuid: string; readonly at: number }[] = [];
  const stopped = new AbortController();
  const work = async (): Promise<void> => {
    for (let count = 0; !stopped.signal.aborted; count += 1)
      handedOut.push({ uuid: await post(service, `${name}${count}@example.org`), at: Date.now() });
  };
  const ended = work();
  return {
    handedOut,
    end: async () => {
      stopped.abort();
      await ended;
      return handedOut;
    },
  };
};

const listedProperties = v.looseObject({
  properties: v.array(v.looseObject({ id: v.number(), status: v.string() })),
});

describe('a restore of a running service from its own backup', () => {
  const lines: string[] = [];
  const before = {
    early: '',
    handedOut: new Set<string>(),
    importId: 0,
    doomed: 0,
    late: 0,
    tokens: { disabled: '', revoked: '', kept: '' },
  };
  let stage: Deployed;
  let service: Service;
  let state: RestoreState | undefined;

  const operate = async (command: Readonly<Record<string, unknown>>, asked?: string) =>
    mustBe(await stage.ports.ask(command, asked));

  const makeProperty = async (name: string): Promise<number> =>
    v.parse(
      v.looseObject({ property: v.number() }),
      await operate({ command: 'property.create', account: 1, name }),
    ).property;

  /** Deletes a property to its end. The last pass is due at once, instead of in an hour. */
  const deleteProperty = async (property: number, name: string): Promise<void> => {
    const command = { command: 'property.delete', property, confirm: String(property) };
    const erase = (payload: Readonly<Record<string, unknown>>) => stage.ports.ask(payload, 'deleteProperty');
    expect(await deleteWhole(command, erase, () => undefined)).toMatchObject({ state: 'waiting' });
    const pass = { phase: 'rest', after: null, began: 1, found: 0, last_from: 1, items: 1, objects: 1 };
    const deletion = { ...pass, table: tableNames.table };
    const owned = { account: 1, name, deletion, busy_until: 0 };
    await putItem(service, credentialKeys.property(property), owned, tableNames.credentials);
    expect(await deleteWhole(command, erase, () => undefined)).toMatchObject({ state: 'deleted' });
  };

  beforeAll(async () => {
    stage = await deployed(dataDir, (line) => lines.push(line));
    service = await serviceOf(stage.cloud());
    before.early = await post(service, 'early@example.org');
    await post(service, 'forgotten@example.org');
    await importPeople(service, ...Array.from({ length: 50 }, (_, index) => `i${index}@example.org`));
    await exportPeople(service);
    before.doomed = await makeProperty('Doomed');
    await post(service, 'doomed@example.org', before.doomed);
    for (const username of ['disabled', 'revoked', 'leaked']) {
      await operate({
        command: 'user.create',
        ...{ account: 1, username: `${username}-user`, email: 'a@example.org', password: OLD_PASSWORD },
        ...{ first_name: 'A', last_name: 'User' },
      });
    }
    before.tokens.disabled = (await signIn(service, 'disabled-user', OLD_PASSWORD)).token;
    before.tokens.revoked = (await signIn(service, 'revoked-user', OLD_PASSWORD)).token;
    const [steady, importing] = [writer(service, 'steady'), writer(service, 'other')];
    await until('some people', () => (steady.handedOut.length > 5 ? true : undefined));
    // The second of the backup passes while clients write.
    const to = Math.ceil(Date.now() / 1_000) * 1_000;
    await until('people after the second', () =>
      steady.handedOut.filter(({ at }) => at > to).length > 5 ? true : undefined,
    );
    await service.call('DELETE', `/v1/${service.property}/profile?email=forgotten%40example.org`);
    await operate({ command: 'user.disable', username: 'disabled-user' });
    await operate({ command: 'token.revoke', token: before.tokens.revoked });
    await operate({ command: 'user.password', username: 'leaked-user', password: NEW_PASSWORD });
    before.late = await makeProperty('Late');
    await post(service, 'late@example.org', before.late);
    await deleteProperty(before.doomed, 'Doomed');
    before.importId = await importPeople(service, 'lost@example.org');
    await exportEveryone(service, { schedule: { minute: '0' } });
    for (const { uuid } of [...(await steady.end()), ...(await importing.end())]) before.handedOut.add(uuid);
    const begun: RestoreState = {
      ...{ stage: 'local', to: new Date(to).toISOString(), source: tableNames.table, target: TARGET },
      ...{ lost: false, done: [], left: {} },
    };
    const ended = await runSteps(stage.ports, begun, (reached) => (state = reached));
    if (!ended.ok) throw new Error([...lines, ended.error].join('\n'));
    service = await serviceOf(stage.cloud());
  }, 400_000);

  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  it('people of the time of the restore have their ids, and later people are gone', async () => {
    expect(await uuidOf(service, 'early@example.org')).toBe(before.early);
    expect(await uuidOf(service, 'i7@example.org')).toBeTypeOf('string');
    expect((await lookUp(service, 'lost@example.org')).status).toBe(404);
  });

  it('a person who was forgotten since stays forgotten', async () => {
    expect((await lookUp(service, 'forgotten@example.org')).status).toBe(404);
  });

  it('a revoked token, a disabled user and an old password stay refused, and the new password is good', async () => {
    expect(await statusWith(service, before.tokens.revoked)).toBe(401);
    expect(await statusWith(service, before.tokens.disabled)).toBe(401);
    expect((await signIn(service, 'leaked-user', OLD_PASSWORD)).status).toBe(400);
    expect((await signIn(service, 'leaked-user', NEW_PASSWORD)).status).toBe(200);
  });

  it('a property that was deleted since is deleted again, and one that was made since is told', async () => {
    const { properties } = v.parse(
      listedProperties,
      await wholeList({ command: 'property.list' }, (command) => operate(command)),
    );
    const statusOf = (id: number) => properties.find((one) => one.id === id)?.status;
    expect([statusOf(before.doomed), statusOf(before.late)]).toEqual(['being deleted', 'without data']);
    expect((await lookUp(service, 'doomed@example.org', before.doomed)).status).toBe(404);
    expect((await lookUp(service, 'late@example.org', before.late)).status).toBe(404);
    expect(state?.left['compare']).toEqual([
      expect.stringMatching(new RegExp(`^Property ${before.doomed} was deleted since`)),
      expect.stringMatching(new RegExp(`^Property ${before.late} \\(Late\\) .* was made since`)),
    ]);
  });

  it('what went back with the data is told: the definitions that were made since', () => {
    const told = state?.left['report']?.filter((line) => line.includes(' creation: POST ')) ?? [];
    expect(told.map((line) => /\/(imports|exports) /.exec(line)?.[1])).toEqual(['imports', 'exports']);
  });

  it('new people and definitions get ids that nobody had before', async () => {
    const again = await Promise.all(['n1', 'n2', 'n3'].map((name) => post(service, `${name}@example.org`)));
    expect(again.filter((uuid) => before.handedOut.has(uuid))).toEqual([]);
    expect(await importPeople(service, 'n4@example.org')).toBeGreaterThan(before.importId);
  });

  it('what was switched off is on again, and no setting is left but the name of the table', () => {
    expect(stage.settings()).toEqual({ tableName: TARGET });
    const { deployment, parts } = stage.cloud();
    expect(parts.mappings).toHaveLength(deployment.mappings.length);
    const functions = deployment.functions.map(({ properties }) => properties.ReservedConcurrentExecutions);
    expect(functions.filter((reserved) => reserved === 0)).toEqual([]);
    expect(deployment.schedules.map(({ properties }) => properties.State)).not.toContain('DISABLED');
  });

  it('the restored table has what a restore leaves out', async () => {
    const { account } = stage.ports;
    expect(await account.table(TARGET)).toMatchObject({
      ...{ status: 'ACTIVE', refusesDeletion: true, readUnits: 20_000, writeUnits: 20_000 },
    });
    expect(await account.window(TARGET)).toBeDefined();
  });

  it('schedules of exports that are gone are gone', async () => {
    expect(await stage.ports.account.schedules('tidemark-local-exports')).toEqual([]);
  });

  it('imports and exports work, and afterwards the index has no difference', async () => {
    await importPeople(service, 'lost@example.org', 'early@example.org');
    await exportPeople(service);
    const ask = (command: Readonly<Record<string, unknown>>) => stage.ports.ask(command, 'auditIndex');
    const differences = v.looseObject({ missing: v.number(), extra: v.number() });
    await until('an index without differences', async () => {
      const command = { command: 'audit', property: service.property };
      const { missing, extra } = v.parse(differences, await runAudit(command, ask, true));
      return missing + extra === 0 ? true : undefined;
    });
    expect(stage.cloud().gateway.denials.list()).toEqual([]);
  });
});
