import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { property } from '../segments/fixture.ts';
import { HOUR, START, taggedPeople } from './harness.ts';
import { timelineScheduler } from './scheduler.ts';

const setUp = () => taggedPeople([0]);

describe('a request that is repeated under its Idempotency-Key', () => {
  it('is answered with its moment, though another moment has come since', async () => {
    const { harness, clock, tag } = await setUp();
    const { id } = await harness().created('t', tag);
    clock.now += HOUR;
    const first = await harness().add(id, 'request key');
    expect(first.status).toBe(201);
    expect(await harness().add(id, 'request key')).toEqual(first);
    expect(await harness().add(id)).toMatchObject({ status: 429 });
    clock.now += HOUR;
    await harness().added(id);
    clock.now += HOUR;
    expect(await harness().add(id, 'request key')).toEqual(first);
    expect((await harness().counted(id)).moments).toHaveLength(3);
  });

  it('is answered with its timeline, though it has another moment and another name now', async () => {
    const { harness, clock, tag } = await setUp();
    const first = await harness().create('t', tag, '', 'request key');
    expect(await harness().create('t', tag, '', 'request key')).toEqual(first);
    const [made] = (await harness().list()).timelines;
    clock.now += 2 * HOUR;
    await harness().added(made?.id ?? 0);
    expect(await harness().create('t', tag, '', 'request key')).toEqual(first);
    expect(await harness().create('t', tag, '', 'another')).toMatchObject({ status: 409 });
    await harness().rename(made?.id ?? 0, 'u');
    expect(await harness().create('t', tag, '', 'request key')).toMatchObject({
      status: 201,
      body: { id: made?.id },
    });
    expect((await harness().list()).timelines).toHaveLength(1);
  });

  it('side by side, by tries that do not know of each other, makes one timeline and one moment', async () => {
    const { harness, clock, tag, fixture } = await setUp();
    const timelines = await Promise.all([1, 2, 3].map(() => harness().create('t', tag, '', 'request key')));
    expect(new Set(timelines.map(({ status }) => status))).toEqual(new Set([201]));
    const [made] = (await harness().list()).timelines;
    const id = made?.id ?? 0;
    expect((await harness().counted(id)).moments).toHaveLength(1);
    clock.now += HOUR;
    const moments = await Promise.all([1, 2, 3].map(() => harness().add(id, 'other request key')));
    expect(moments.map(({ status }) => status)).toContain(201);
    expect((await harness().counted(id)).moments).toHaveLength(2);
    expect(fixture.table.items().filter(({ pk }) => pk.startsWith('TASKS#'))).toEqual([]);
  });
});

describe('a scheduled moment that has come', () => {
  it('does not come again, when it is told again after another one has come since', async () => {
    const { harness, clock, tag } = await setUp();
    const { body } = await harness().schedule('t', tag, { hour: '2' });
    const { id: timeline } = v.parse(v.object({ id: v.number() }), body);
    const { run } = timelineScheduler({ clock, deps: () => harness().deps });
    const told = { property, timeline, time: '2026-01-01T02:00:00Z', catches_up: false };
    clock.now = START + 2 * HOUR;
    await run(told);
    expect((await harness().counted(timeline)).moments).toHaveLength(2);
    clock.now += HOUR;
    await harness().added(timeline);
    clock.now += HOUR;
    await run(told);
    expect((await harness().counted(timeline)).moments).toHaveLength(3);
  });
});
