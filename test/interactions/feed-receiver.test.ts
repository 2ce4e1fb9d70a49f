/** A feed of changes whose people come and go by all means, also by a birthday, and a receiver that is in trouble. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createExport } from '../../shared/exports/definitions/create-export.ts';
import { deliverChanges } from '../../shared/exports/delivery/deliver-changes.ts';
import { createdExportAnswer } from '../../shared/exports/model/answers.ts';
import { segmentChanges } from '../../shared/exports/model/export-events.ts';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { newExportBody } from '../../shared/exports/model/schemas.ts';
import { keys } from '../../shared/table/keys.ts';
import { systemResolve, webhookSender } from '../../shared/webhooks/sender.ts';
import { columnsOf } from '../exports/steps.ts';
import { scope } from '../profiles/harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import { listening } from '../support/listening.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { answered } from '../support/requests.ts';
import { protocolCalendars } from './protocol-calendars.ts';
import { serviceInMemory, type ServiceInMemory } from './service-in-memory.ts';
import { exporting, runExport } from './watch.ts';

/** What the receiver does with its next call, if it does not just take it. */
type Trouble = 'loses the answer' | 'is away';

const row = v.looseObject({ profile_uuid: v.string(), email: v.string(), current_age: v.number() });
const signed = v.looseObject({
  'webhook-id': v.string(),
  'webhook-timestamp': v.string(),
  'webhook-signature': v.string(),
});

/** A receiver that applies each call once, by its id, and discards what it knows when a job builds on nothing. */
const openReceiver = async () => {
  const people = new Map<string, v.InferOutput<typeof row>>();
  const applied: string[] = [];
  const faults: unknown[] = [];
  const now: { secret: string; troubles: Trouble[]; isClosed: boolean; calls: number } = {
    ...{ secret: '', troubles: [], isClosed: false, calls: 0 },
  };
  const apply = (id: string, body: string): void => {
    if (applied.includes(id)) return;
    applied.push(id);
    const { delta_from, part, changes } = v.parse(segmentChanges, JSON.parse(body));
    if (delta_from === null && part === 1) people.clear();
    for (const { change, profile } of changes)
      if (change === 'removed') people.delete(profile.profile_uuid);
      else people.set(profile.profile_uuid, v.parse(row, profile));
  };
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      now.calls += 1;
      const trouble = now.troubles.shift();
      if (trouble === 'is away' || (trouble === undefined && now.isClosed))
        return response.writeHead(503).end();
      try {
        const headers = v.parse(signed, request.headers);
        const id = headers['webhook-id'];
        const at = new Date(Number(headers['webhook-timestamp']) * 1000);
        // `verify` would compare the time with the clock of the machine.
        expect(headers['webhook-signature']).toBe(new Webhook(now.secret).sign(id, at, bytes.toString()));
        apply(id, bytes.toString());
      } catch (error) {
        faults.push(error);
      }
      return trouble === 'loses the answer' ? request.socket.destroy() : response.writeHead(204).end();
    });
  });
  const at = await listening(server);
  const close = () => at[Symbol.asyncDispose]();
  return { url: `${at.url}/crm`, people, faults, now, close };
};

let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => void (receiver = await openReceiver()));
afterAll(() => receiver.close());

const HOUR = 3_600_000;
const BAND = 'Age: 25-34';
const consent = { channel: 'email', state: 'given' };

/** The members of the export as the service answers them. */
const membersOf = async (service: ServiceInMemory) => {
  const [band, given] = await Promise.all(
    [BAND, 'email: given'].map(async (name) => service.membersOf(await service.segmentNamed(name))),
  );
  const uuids = new Set(given?.map(({ profile_uuid }) => profile_uuid));
  const members = band?.filter(({ profile_uuid }) => uuids.has(profile_uuid)) ?? [];
  return members.map(({ profile_uuid, email }) => [profile_uuid, email]).toSorted();
};

/** An export of the changes of an age band, for the receiver. */
const openFeed = async (service: ServiceInMemory) => {
  const { clock, ask } = service;
  const own = exporting(service);
  const { deps } = own;
  const send = webhookSender({ resolve: systemResolve, privateTargets: 'loopback', timeoutMs: 5_000 });
  const body = v.parse(newExportBody, {
    ...{ segment: [await service.segmentNamed(BAND)], consent, start: false },
    ...{ scope: 'delta', data_format: 'jsonl', ...columnsOf('email', 'current_age') },
    changes: { url: receiver.url, first: 'all', kinds: ['added', 'removed', 'changed'] },
  });
  const stage = { ...deps.stage, privateTargets: 'loopback' as const };
  const made = await answered(createExport({ ...deps, stage }, ask({}, {}, body)), createdExportAnswer);
  receiver.now.secret = made.webhook_secret ?? '';
  /** Makes attempts, each when it is due, until the receiver has taken everything or the job is given up. */
  const tell = async (ref: JobRef): Promise<boolean> => {
    for (let attempts = 0; attempts < 100; attempts += 1) {
      const told = await deliverChanges({ ...deps, send, attemptSeconds: 780 }, ref);
      if (told.delivered || told.exhausted) return told.delivered;
      clock.now += told.wait_seconds * 1000;
    }
    throw new Error('the delivery does not end');
  };
  return {
    /** Runs the export and tells its changes. Returns whether the receiver has taken all of them. */
    run: async (): Promise<boolean> => tell(await runExport(service, own, made.id)),
  };
};

const listed = definitionOf([
  ...['unique_id', 'email', 'birthday'],
  fieldMap('consent.email', 'Newsletter', {
    transformations: [{ name: 'map', values: { yes: 'given', no: 'withdrawn' } }],
  }),
]);
type Row = readonly [name: string, birthday: string, newsletter: 'yes' | 'no'];
const fileOf = (rows: readonly Row[]): string => {
  const lines = rows.map(([name, ...cells]) => [name, `${name}@x.org`, ...cells].join(','));
  return ['unique_id,email,birthday,Newsletter', ...lines, ''].join('\n');
};

const begun = async () => {
  const table = new MemoryTable();
  const service = serviceInMemory({ table });
  const created = service.clock.now;
  await table.put(keys.listedProperty(scope.id), { property: scope.id });
  const wrappedKey = new Uint8Array(1);
  await table.put(keys.property(scope.id), { account: 1, name: 'P', created, wrappedKey });
  const importId = await service.define(listed);
  const send = (...rows: readonly Row[]) => service.importFile(importId, fileOf(rows));
  return { service, send, calendars: protocolCalendars(service) };
};

it('ends with the members as the service answers them, whatever the receiver, the people and the days do', async () => {
  const { service, send, calendars } = await begun();
  await send(
    ['ann', '1996-06-01', 'yes'],
    ['ben', '1996-02-03', 'yes'],
    ['cyd', '2001-02-03', 'yes'],
    ['dan', '1991-02-03', 'yes'],
    ['eve', '1996-06-01', 'no'],
  );
  const feed = await openFeed(service);
  const { now, people, faults } = receiver;
  /** Runs the export, compares what its receiver knows with the members, and returns whom it knows. */
  const told = async (...troubles: readonly Trouble[]): Promise<readonly string[]> => {
    now.troubles = [...troubles];
    expect(await feed.run()).toBe(true);
    expect(faults).toEqual([]);
    const known = [...people.values()].map(({ profile_uuid, email }) => [profile_uuid, email]).toSorted();
    expect(known).toEqual(await membersOf(service));
    expect(now.troubles).toEqual([]);
    return [...people.values()].map(({ email, current_age }) => `${email} ${current_age}`).toSorted();
  };
  /** Runs the export while its receiver is away for days. */
  const givenUp = async (...troubles: readonly Trouble[]): Promise<void> => {
    [now.troubles, now.isClosed] = [[...troubles], true];
    const before = service.clock.now;
    expect(await feed.run()).toBe(false);
    expect(service.clock.now - before).toBeGreaterThan(48 * HOUR);
    now.isClosed = false;
  };
  expect(await told('loses the answer')).toEqual(['ann@x.org 29', 'ben@x.org 29', 'dan@x.org 34']);

  // The receiver takes a call whose answer is lost, and is then away until the job is given up.
  const second = await send(['fay', '1996-06-01', 'yes'], ['gia', '1996-06-01', 'yes']);
  await givenUp('loses the answer');
  expect(people.size).toBe(5);
  // Whom the import brought is gone with it, though no job that was told has named them.
  await service.undo(second);
  expect(await told('is away')).toEqual(['ann@x.org 29', 'ben@x.org 29', 'dan@x.org 34']);

  // Nobody says anything: the day alone moves people. The receiver hears nothing of the job that tells it first.
  service.clock.now = Date.parse('2026-02-03T00:05:00Z');
  await calendars.followed();
  await givenUp();
  expect(people.size).toBe(3);
  const birthday = ['ann@x.org 29', 'ben@x.org 30', 'cyd@x.org 25'];
  expect(await told('is away', 'loses the answer', 'is away', 'is away')).toEqual(birthday);

  await service.post({ unique_id: 'ben', consent: [{ ...consent, state: 'withdrawn' }] });
  expect(await told('loses the answer', 'loses the answer')).toEqual(['ann@x.org 29', 'cyd@x.org 25']);

  await service.forget({ unique_id: 'ann' });
  expect(await told('is away', 'loses the answer')).toEqual(['cyd@x.org 25']);

  // Nothing has changed: the receiver hears nothing.
  const { calls } = now;
  expect(await told()).toEqual(['cyd@x.org 25']);
  expect(now.calls).toBe(calls);
});
