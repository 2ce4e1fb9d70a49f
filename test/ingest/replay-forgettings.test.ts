import * as v from 'valibot';
import { beforeEach, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { logObjection } from '../../shared/ingest/objection-log.ts';
import { keys } from '../../shared/table/keys.ts';
import type { Attribute } from '../../shared/table/table.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import { profileRoutes } from '../profiles/routes.ts';

let routes: Awaited<ReturnType<typeof profileRoutes>>;
beforeEach(async () => {
  routes = await profileRoutes();
});

const MINUTE = 60_000;

/** A valid item consists of attributes, so the test may write a read item back. */
const attributes = v.record(
  v.string(),
  v.custom<Attribute>(() => true),
);

/** A backup of the table, with a function that restores it. */
const backupOf = (table: MemoryTable) => {
  const kept = table.items();
  return async (): Promise<void> => {
    const names = new Set(kept.map(({ pk, sk }) => `${pk}\n${sk}`));
    for (const { pk, sk, w } of table.items())
      if (!names.has(`${pk}\n${sk}`)) await table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
    for (const { pk, sk, ...set } of kept) await table.put({ pk, sk }, v.parse(attributes, set));
  };
};
const pass = (milliseconds: number): void => {
  routes.harness.time.now += milliseconds;
};
const now = (): string => new Date(routes.harness.time.now).toISOString();
/** Replays one page of the log; behind the last page of forgettings come the objections. */
const replay = (since: string, more: object = {}) =>
  routes.replay({ command: 'forgettings.replay', since, ...more });
const OBJECTIONS = 'objections:';
const status = async (query: string) => (await routes.demo.lookup(query)).statusCode;

it('the replay forgets again exactly the people who were forgotten after the time of the restore', async () => {
  await routes.demo.post({ unique_id: 'a', email: 'a@example.com' });
  await routes.demo.post({ email: 'b@example.com' });
  await routes.other.post({ email: 'a@example.com' });
  const restore = backupOf(routes.table);
  const since = now();
  pass(30 * MINUTE);
  await routes.demo.forget('email=a@example.com');
  await restore();
  expect(await status('unique_id=a')).toBe(200);

  expect(await replay(since)).toEqual({ ok: true, value: { looked: 1, forgotten: 1, next: OBJECTIONS } });
  expect([await status('unique_id=a'), await status('email=a@example.com')]).toEqual([404, 404]);
  expect(await status('email=b@example.com')).toBe(200);
  expect((await routes.other.lookup('email=a@example.com')).statusCode).toBe(200);
  expect(await routes.members('everyone')).toHaveLength(1);
  expect(await replay(since)).toEqual({ ok: true, value: { looked: 1, forgotten: 0, next: OBJECTIONS } });
});

it('the replay forgets a person whose forgetting was logged just before the time of the restore', async () => {
  await routes.demo.post({ unique_id: 'a' });
  // The log comes first, then the tombstone: a restore to a time in between has the person.
  const restore = backupOf(routes.table);
  await routes.demo.forget('unique_id=a');
  pass(MINUTE);
  const since = now();
  await restore();
  expect(await replay(since)).toMatchObject({ value: { forgotten: 1 } });
});

it('the replay keeps another person who had an identity of a forgotten person before', async () => {
  await routes.demo.post({ unique_id: 'a', email: 'shared@example.com' });
  const restore = backupOf(routes.table);
  const since = now();
  pass(30 * MINUTE);
  await routes.demo.post({ unique_id: 'a', email: 'own@example.com' });
  await routes.demo.post({ unique_id: 'b', email: 'shared@example.com' });
  await routes.demo.forget('unique_id=b');
  await restore();
  expect(await replay(since)).toMatchObject({ value: { looked: 1, forgotten: 0 } });
  expect(await status('unique_id=a')).toBe(200);
});

it('the replay keeps a person who got the ordinal of a forgotten person after the restore', async () => {
  await routes.demo.post({ unique_id: 'first' });
  const restore = backupOf(routes.table);
  const since = now();
  pass(30 * MINUTE);
  await routes.demo.post({ unique_id: 'a' });
  await routes.demo.forget('unique_id=a');
  await restore();
  await routes.demo.post({ unique_id: 'b' });
  // This process issues later ordinals; another process may issue the same ordinals again.
  const ordinal = (await routes.members('everyone')).at(-1) ?? 0;
  expect(ordinal).toBeGreaterThan(0);
  const [noted] = routes.forgettings.items();
  if (!noted) throw new Error('nothing was noted');
  const { pk, sk, ...set } = noted;
  await routes.forgettings.put({ pk, sk }, { ...v.parse(attributes, set), ordinal });
  expect(await replay(since)).toMatchObject({ value: { looked: 1, forgotten: 0 } });
  expect(await status('unique_id=b')).toBe(200);
});

it('the replay keeps a person who came back before the time of the restore', async () => {
  await routes.demo.post({ email: 'a@example.com' });
  await routes.demo.forget('email=a@example.com');
  pass(limits.audit.forgettingMarginSeconds * 1_000 + MINUTE);
  await routes.demo.post({ email: 'a@example.com' });
  const since = now();
  expect(await replay(since)).toMatchObject({ value: { looked: 0 } });
  expect(await status('email=a@example.com')).toBe(200);
});

it('the replay continues page by page', async () => {
  const since = now();
  const many = limits.audit.forgettingsPerCall + 1;
  for (let index = 0; index < many; index += 1) {
    await routes.demo.post({ unique_id: `u${index}` });
    await routes.demo.forget(`unique_id=u${index}`);
  }
  const first = await replay(since);
  expect(first).toMatchObject({ ok: true, value: { looked: many - 1 } });
  const after = first.ok ? first.value.next : null;
  expect(await replay(since, { after })).toMatchObject({ value: { looked: 1, next: OBJECTIONS } });
  expect(await replay(since, { after: OBJECTIONS })).toMatchObject({ value: { looked: 0, next: null } });
});

it('the replay makes objections again, page by page', async () => {
  const since = now();
  const many = limits.audit.forgettingsPerCall + 1;
  for (let index = 0; index < many; index += 1) {
    const claim = keys.claim(routes.property, 'email', `h${index}`);
    const at = { now: routes.harness.time.now, attemptId: `a${index}` };
    await logObjection(routes, routes.property, { ...objection, id: `h${index}`, claim }, at);
  }
  const first = await replay(since, { after: OBJECTIONS });
  expect(first).toMatchObject({ value: { looked: many - 1, forgotten: 0 } });
  const after = first.ok ? first.value.next : null;
  expect(await replay(since, { after })).toMatchObject({ value: { looked: 1, next: null } });
  const { items } = await routes.table.query(keys.objections(routes.property));
  expect(items).toHaveLength(many);
});

const objection = {
  kind: 'email',
  objection: { scope: 'storage', created: 0, created_by: 1 },
} as const;

it('the list of forgettings contains no identity, and is kept longer than a table can be restored', async () => {
  await routes.demo.post({ email: 'a@example.com' });
  await routes.demo.forget('email=a@example.com');
  const [noted] = routes.forgettings.items();
  expect(JSON.stringify(noted)).not.toContain('example');
  expect(Number(noted?.['ttl']) * 1_000).toBeGreaterThan(routes.harness.time.now + 35 * 86_400_000);
});

it.each([{}, { since: 'yesterday' }, { command: 'forgettings.replay', since: '2026', x: 1 }])(
  'the replay refuses the payload %j',
  async (payload) => {
    expect(await routes.replay(payload)).toMatchObject({ ok: false, error: { code: 'invalid' } });
  },
);
