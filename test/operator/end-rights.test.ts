/** What was given in a user's name ends with the user: addresses, links, and the names in what the user made. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { thingsMadeBy } from '../../shared/auth/made-things.ts';
import { creatorView } from '../../shared/http/api-user.ts';
import { parseCollection } from '../../shared/collections/repository.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { keys } from '../../shared/table/keys.ts';
import { operate } from '../../shared/operator/operator-commands.ts';
import { createChartLink } from '../../shared/timelines/chart-links.ts';
import {
  momentSet,
  parseTimeline,
  parseTimelineMoment,
  type Moment,
} from '../../shared/timelines/timeline-items.ts';
import { authHarness, must, PASSWORD, type AuthHarness } from '../auth/harness.ts';
import { bodyOf, type ExportsHarness, PROPERTY, request, segment } from '../exports/harness.ts';
import { locationParts, path, ref, runAll, withPeople } from '../exports/steps.ts';

const ADA = { id: 1, email: 'ada@example.test', first_name: 'Ada', last_name: 'L' };
const BO = { id: 2, email: 'bo@example.test', first_name: 'Bo', last_name: 'M' };
const MINUTE = 60_000;

let exports: ExportsHarness;
let harness: AuthHarness;

/** The operations of the table until the process dies. */
let left = Infinity;

beforeEach(async () => {
  const before = (operation: string) => {
    if (!operation.startsWith('table ')) return;
    if (left === 0) throw new Error('killed');
    left -= 1;
  };
  exports = withPeople({ before });
  harness = authHarness({ table: exports.table });
  harness.time.now = exports.fakes.now;
  const { account } = must(await harness.run({ command: 'account.create', name: 'Harbour' }));
  for (const { id, ...person } of [ADA, BO]) {
    const user = {
      command: 'user.create',
      account,
      username: person.first_name.padEnd(3, '_'),
      ...person,
      password: PASSWORD,
    };
    expect(must(await harness.run(user))).toMatchObject({ user: id });
  }
  const { credentials } = harness;
  await credentials.write({
    kind: 'insert',
    key: credentialKeys.accountProperty(1, PROPERTY),
    set: { property: PROPERTY },
  });
  const owned = { account: 1, name: 'Hall', busy_until: 0 };
  await credentials.write({ kind: 'insert', key: credentialKeys.property(PROPERTY), set: owned });
});

const run = async (command: string, more: object = {}) =>
  must(await harness.run({ command, username: 'Ada', ...more }));

/** Ada's export, whose notices go to an address, after its first run. */
const exported = async (notification_email: string | null = ADA.email) => {
  bodyOf(await exports.create({ segment: [segment(2)], notification_email }));
  await runAll(exports);
};
const isOpen = async () => {
  const { location } = v.parse(
    v.looseObject({ location: v.nullable(v.string()) }),
    bodyOf(await exports.readJob(path)),
  );
  return location !== null && (await exports.open(locationParts(location))).ok;
};
const later = (milliseconds: number) => {
  exports.fakes.now += milliseconds;
  harness.time.now = exports.fakes.now;
};

describe.each(['user.delete', 'user.disable', 'user.password'])('after %s', (command) => {
  it('a run by a colleague mails nothing to the address, and asks nothing', async () => {
    await exported();
    expect(await run(command)).toMatchObject({ addresses: 1, links: 1, next: null });
    for (let day = 0; day < 3; day += 1) {
      await exports.sendEmail(ref);
      later(24 * 60 * MINUTE);
    }
    expect(exports.mails).toEqual([]);
  });

  it('the location of the file that the user made is closed, unless links are to stay', async () => {
    await exported(null);
    await run(command, { keep_links: true });
    expect(await isOpen()).toBe(true);
    await harness.run({ command: 'user.disable', username: 'Ada' });
    if (command !== 'user.delete') expect(await isOpen()).toBe(false);
  });

  it('the location that was mailed to the user is closed, whoever started the job', async () => {
    await exported();
    for (const { pk, sk } of exports.table.items().filter((item) => item.pk.includes('#USER#')))
      await exports.table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
    expect(await isOpen()).toBe(true);
    expect(await run(command)).toMatchObject({ links: 1 });
    expect(await isOpen()).toBe(false);
  });

  it('the links to charts that the user made are closed, and no others', async () => {
    const [own, other] = [await timeline(11, ADA), await timeline(12, BO)];
    const make = (id: number, user: typeof ADA) =>
      createChartLink(exports, {
        ...request(exports.fakes.now, {}, { days: 3 }, { timeline_id: String(id) }),
        user,
      });
    bodyOf(await make(own, ADA));
    bodyOf(await make(other, BO));
    expect(await run(command)).toMatchObject({ links: 1 });
    const generation = async (id: number) =>
      parseTimeline((await exports.table.get(keys.timeline(PROPERTY, id))) ?? never()).chart_links;
    expect([await generation(own), await generation(other)]).toEqual([1, 0]);
  });
});

const never = (): never => {
  throw new Error('there is no such item');
};

/** A timeline with two moments, as a user has made it. */
const timeline = async (n: number, user: typeof ADA): Promise<number> => {
  const id = segment(n);
  const moment: Moment = {
    ...{ segment: segment(n + 100), previous: null, name: 'T', created: 1, created_by: user, comments: '' },
  };
  const newest = { ...moment, segment: segment(n + 200), previous: moment.segment };
  const set = {
    ...{ id, name: `T${n}`, renaming: null, reference_tile: segment(2), created: 1, created_by: { ...user } },
    ...{ chart_links: 0, schedule: null, latest: momentSet(newest), lease_segment: 5, lease_until: 9 },
  };
  await exports.table.write({ kind: 'insert', key: keys.timeline(PROPERTY, id), set });
  const key = keys.timelineMoment(PROPERTY, id, moment.segment);
  await exports.table.write({ kind: 'insert', key, set: momentSet(moment) });
  return id;
};

describe('an address that another user of the account has, too', () => {
  it('stays confirmed while the other user can sign in', async () => {
    const team = { command: 'user.create', account: 1, username: 'team', first_name: 'T', last_name: 'T' };
    must(await harness.run({ ...team, email: 'ADA@example.test', password: PASSWORD }));
    await exported();
    expect(await run('user.disable')).toMatchObject({ addresses: 0 });
    expect(await exports.sendEmail(ref)).toMatchObject({ delivered: true });
    await run('user.disable', { username: 'team' });
    expect((await exports.mailboxes.states(PROPERTY, [ADA.email]))[0]?.status).toBe('withdrawn');
  });
});

describe('a deleted user', () => {
  const collection = async (user: typeof ADA) => {
    const id = segment(user.id + 20);
    const set = { id, name: 'C', segments: [], created: 1, created_by: { ...user } };
    await exports.table.write({ kind: 'insert', key: keys.collection(PROPERTY, id), set });
    return async () => parseCollection((await exports.table.get(keys.collection(PROPERTY, id))) ?? never());
  };

  it('keeps its id in what it made, and loses names and address; others keep theirs', async () => {
    const own = await timeline(11, ADA);
    const other = await timeline(12, BO);
    const [ours, theirs] = [await collection(ADA), await collection(BO)];
    expect(await run('user.disable')).toMatchObject({ names: 0 });
    expect(await run('user.delete')).toMatchObject({ user: 'deleted', names: 3, next: null });
    const left = exports.table.items().filter((item) => JSON.stringify(item).includes(ADA.email));
    expect(left).toEqual([]);
    const nameless = { id: 1, email: null, first_name: null, last_name: null };
    expect(creatorView((await ours()).created_by)).toEqual(nameless);
    expect(creatorView((await theirs()).created_by)).toEqual(BO);
    const stored = parseTimeline((await exports.table.get(keys.timeline(PROPERTY, own))) ?? never());
    expect(creatorView(stored.created_by)).toEqual(nameless);
    expect(creatorView(stored.latest.created_by)).toEqual(nameless);
    const first = await exports.table.get(keys.timelineMoment(PROPERTY, own, segment(111)));
    expect(creatorView(parseTimelineMoment(first ?? never()).created_by)).toEqual(nameless);
    const spared = parseTimeline((await exports.table.get(keys.timeline(PROPERTY, other))) ?? never());
    expect(spared.created_by).toEqual(BO);
  });

  it('stays, shut out, while a command that died is repeated', async () => {
    await exported();
    await timeline(11, ADA);
    let answer;
    for (let deaths = 0; answer === undefined && deaths < 100; deaths += 1) {
      left = deaths;
      answer = await harness.run({ command: 'user.delete', username: 'Ada' }).catch(() => undefined);
      left = Infinity;
      const isThere = await harness.run({ command: 'user.show', username: 'Ada' });
      if (!answer && deaths > 0) expect(isThere).toMatchObject({ ok: true, status: 'disabled' });
    }
    expect(answer).toMatchObject({ user: 'deleted', next: null });
    expect(await isOpen()).toBe(false);
    expect(await harness.run({ command: 'user.delete', username: 'Ada' })).toMatchObject({ ok: false });
    const named = exports.table.items().filter((item) => JSON.stringify(item).includes('"last_name":"L"'));
    expect(named).toEqual([]);
  });

  it('goes on behind a property when the time of a call is over', async () => {
    must(await harness.run({ command: 'property.create', account: 1, name: 'Second' }));
    const slow = harness.deps.clock;
    let calls = 0;
    const deps = { ...harness.deps, clock: () => slow() + (calls += 1) * limits.operator.endSeconds * 1_000 };
    const command = { command: 'user.delete', username: 'Ada' };
    const first = must(await operate(deps, command));
    expect(first).toMatchObject({ user: 'disabled', next: PROPERTY });
    expect(must(await operate(deps, { ...command, after: PROPERTY }))).toMatchObject({
      user: 'deleted',
      next: null,
    });
  });
});

describe('user erase', () => {
  const erase = { command: 'user.erase', account: 1, user: ADA.id, email: ADA.email };

  it('takes back what a restore has brought back of a user who is gone', async () => {
    await run('user.delete');
    await exported();
    await timeline(11, ADA);
    expect(await isOpen()).toBe(true);
    expect(must(await harness.run(erase))).toMatchObject({
      user: 'erased',
      addresses: 0,
      links: 1,
      names: 2,
    });
    expect(await isOpen()).toBe(false);
    expect((await exports.mailboxes.states(PROPERTY, [ADA.email]))[0]?.status).toBe('withdrawn');
    const left = exports.table.items().filter((item) => JSON.stringify(item).includes('"last_name":"L"'));
    expect(left).toEqual([]);
  });

  it('refuses a user who is there, and an unknown account', async () => {
    expect(await harness.run(erase)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await harness.run({ ...erase, account: 99 })).toMatchObject({
      error: { code: 'unknown_account' },
    });
  });
});

describe('user show', () => {
  it('names the definitions that the user made or that mail the user, and what they send', async () => {
    await exported();
    const body = {
      segment: [segment(2)],
      notification_email: BO.email,
      webhook_url: 'https://hook.example.org/',
    };
    bodyOf(await exports.create({ ...body, schedule: { hour: '3' } }));
    const { definitions } = await run('user.show');
    expect(definitions).toMatchObject([
      { property: PROPERTY, export: ref.export, made: 'yes', has: 'mail to the user' },
      { property: PROPERTY, made: 'yes', has: 'mail, webhook, schedule' },
    ]);
    expect(await run('user.show', { username: 'Bo_' })).toMatchObject({
      definitions: [{ property: PROPERTY, made: 'no', has: 'mail to the user, webhook, schedule' }],
    });
    const made = await thingsMadeBy(exports.table, PROPERTY, ADA.id);
    expect(made.map(({ kind }) => kind)).toEqual(['export', 'export', 'job']);
    const again = bodyOf(await exports.runAgain(path));
    expect(await thingsMadeBy(exports.table, PROPERTY, ADA.id)).toContainEqual({
      ...{ kind: 'job', export: ref.export, job: Number(again['id']) },
    });
    expect(await thingsMadeBy(exports.table, PROPERTY, ADA.id)).toHaveLength(4);
  });
});
