import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { loggedDeliveryAnswer } from '../../shared/exports/model/schemas.ts';
import type { SendOutcome } from '../../shared/webhooks/sender.ts';
import { path, people, ref, runAll } from './steps.ts';
import { bodyOf, exportsWorld, type ExportsWorld, segment } from './world.ts';

const at = (kind: string): Record<string, string> => ({ ...path, delivery: `${ref.job}-${kind}` });

const ran = async (): Promise<ExportsWorld> => {
  const world = exportsWorld();
  people(world, 5);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(
    await world.create({
      segment: [segment(2)],
      webhook_url: 'https://hooks.example.com/secret-path',
      notification_email: 'ada@example.test',
      destination_credentials: { domain: 'files.example.com', client_id: 'receiver' },
    }),
  );
  await runAll(world);
  return world;
};

const read = async (world: ExportsWorld, kind: string) =>
  v.parse(v.strictObject(loggedDeliveryAnswer.entries), bodyOf(await world.readDelivery(at(kind))));

/** Makes one attempt, when it is due, that takes 250 ms and ends so. */
const attempt = async (world: ExportsWorld, outcome: SendOutcome): Promise<void> => {
  world.world.send = () => {
    world.world.now += 250;
    return Promise.resolve(outcome);
  };
  const { wait_seconds } = await world.deliver(ref);
  world.world.now += wait_seconds * 1000;
};
const answered = (status: number): SendOutcome => ({ kind: 'answered', status, retryAfter: undefined });

describe('the log of a delivery', () => {
  it('shows each attempt, the newest first: time, duration and outcome', async () => {
    const world = await ran();
    expect(await read(world, 'webhook')).toMatchObject({ state: 'waiting', log: [] });
    await attempt(world, answered(503));
    await attempt(world, { kind: 'failed', failure: 'late', reason: 'connection failed: ECONNRESET' });
    await attempt(world, { kind: 'refused' });
    await attempt(world, answered(204));
    const { log, ...delivery } = await read(world, 'webhook');
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 4, last_error: null });
    const common = { replay: 0, duration_ms: 250 };
    expect(log).toMatchObject([
      { ...common, number: 4, outcome: 'delivered', http_status: 204, error: null },
      {
        ...common,
        number: 3,
        outcome: 'failed',
        http_status: null,
        error: 'no HTTPS server can be reached there',
      },
      {
        ...common,
        number: 2,
        outcome: 'failed',
        http_status: null,
        error: 'the connection broke, or no answer came in time',
      },
      { ...common, number: 1, outcome: 'failed', http_status: 503, error: 'answered 503' },
    ]);
    expect(
      log
        .map(({ started }) => started)
        .toSorted()
        .toReversed(),
    ).toEqual(log.map(({ started }) => started));
  });

  it('shows an interrupted attempt, and continues through replays', async () => {
    const world = await ran();
    world.world.mail = () => Promise.reject(new Error('killed'));
    await expect(world.sendEmail(ref)).rejects.toThrow('killed');
    expect((await read(world, 'email')).log).toMatchObject([{ outcome: 'sending', duration_ms: null }]);
    world.world.mail = () => Promise.resolve({ kind: 'sent' });
    world.world.now += 60_000;
    bodyOf(await world.replay(at('email')));
    expect((await read(world, 'email')).log).toMatchObject([{ outcome: 'interrupted', duration_ms: null }]);
    await world.sendEmail(ref);
    expect((await read(world, 'email')).log).toMatchObject([
      { number: 2, replay: 1, outcome: 'delivered', duration_ms: 0 },
      { number: 1, replay: 0, outcome: 'interrupted' },
    ]);
  });

  it('shows paused attempts and permanent failures', async () => {
    const world = await ran();
    world.world.push = () => Promise.resolve({ kind: 'paused', readBack: 'sampled' });
    await world.pushFile(ref);
    const file = (await world.exports.job(ref))?.value.file;
    await world.files.remove(file?.key ?? '');
    world.world.now += 1000;
    await world.pushFile(ref);
    expect((await read(world, 'sftp')).log).toMatchObject([
      { number: 2, outcome: 'failed', error: 'the file is no longer kept', read_back: null },
      { number: 1, outcome: 'paused', error: null, read_back: 'sampled' },
    ]);
  });

  it('keeps the newest attempts, in an item that stays small', async () => {
    const world = await ran();
    for (let replay = 0; replay < 10; replay += 1) {
      for (let number = 0; number < 8; number += 1) await attempt(world, answered(500));
      bodyOf(await world.replay(at('webhook')));
    }
    const { log, attempts } = await read(world, 'webhook');
    expect(attempts).toBe(0);
    expect(log.map(({ number }) => number)).toEqual(
      Array.from({ length: limits.exports.attemptsKept }, (_, index) => 80 - index),
    );
    const item = world.table.items().find(({ sk }) => sk.includes('#webhook'));
    expect(JSON.stringify(item).length).toBeLessThan(4_500);
  });

  it('holds no secret, no address and no word of the other side', async () => {
    const world = await ran();
    await attempt(world, { kind: 'answered', status: 302, retryAfter: 'PEER, not a date' });
    await world.sendEmail(ref);
    const told = JSON.stringify([await read(world, 'webhook'), await read(world, 'email')]);
    for (const word of ['PEER', 'secret-path', 'hooks.example', 'ada@', 'whsec'])
      expect(told).not.toContain(word);
  });

  it('is of this job alone, and of an export that is there', async () => {
    const world = await ran();
    for (const wrong of [at('fax'), { ...at('email'), job_id: '1' }, { ...at('email'), export_id: '1' }])
      expect(await world.readDelivery(wrong)).toMatchObject({ ok: false, error: { status: 404 } });
    bodyOf(await world.remove(path));
    for (const answer of [
      world.readDelivery(at('email')),
      world.listDeliveries(path),
      world.replay(at('email')),
    ])
      expect(await answer).toMatchObject({ ok: false, error: { status: 404 } });
  });
});

describe('deliveries of an export that was deleted', () => {
  it('end, whatever was to come', async () => {
    const world = await ran();
    await attempt(world, answered(500));
    const calls = world.sent.length;
    bodyOf(await world.remove(path));
    world.world.now += 10_000;
    for (const deliver of [world.deliver, world.sendEmail, world.pushFile])
      expect(await deliver(ref)).toEqual({ delivered: true, exhausted: false, wait_seconds: 0 });
    expect([world.sent.length, world.mails]).toEqual([calls, []]);
  });

  it('and of a job that is too long ago are given up', async () => {
    const world = await ran();
    for (const { pk, sk, w } of world.table.items().filter((item) => item.sk.startsWith('DEFINITION#')))
      await world.table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
    expect(await world.sendEmail(ref)).toMatchObject({ exhausted: true });
    expect(await read(world, 'email')).toMatchObject({
      state: 'exhausted',
      last_error: 'the job is too long ago',
    });
  });
});

describe('the copy of a definition that a job works by', () => {
  it('ends when its file has ended, also after the export was deleted', async () => {
    const world = await ran();
    bodyOf(await world.remove(path));
    const copies = world.table.items().filter(({ sk }) => sk.startsWith('DEFINITION#'));
    const days = copies.map(({ ttl }) => (Number(ttl) * 1000 - world.world.now) / 86_400_000);
    expect(days).toEqual([36]);
  });
});
