import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { confirmAddress } from '../../shared/email/confirm-address.ts';
import { showConfirmation } from '../../shared/email/show-confirmation.ts';
import { path, people, ref, runAll } from './steps.ts';
import { bodyOf, exportsWorld, type ExportsWorld, PROPERTY, segment } from './world.ts';

const HOUR = 3_600_000;
const STRANGER = 'Stranger@bücher.example';

const finished = async (notification_email: string): Promise<ExportsWorld> => {
  const world = exportsWorld();
  people(world, 5);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(await world.create({ segment: [segment(2)], notification_email }));
  await runAll(world);
  return world;
};

const deliveries = v.array(v.looseObject({ kind: v.string(), state: v.string() }));
const emailOf = async (world: ExportsWorld) =>
  v.parse(deliveries, bodyOf(await world.readJob(path))['deliveries']).find(({ kind }) => kind === 'email');

const capabilityIn = (text: string | undefined): string =>
  /\/confirmations\/([\w-]{43})\r\n/.exec(text ?? '')?.[1] ?? '';

const opened = (world: ExportsWorld, capability: string, method: 'GET' | 'POST') =>
  (method === 'GET' ? showConfirmation : confirmAddress)(world, {
    requestId: 'r',
    now: world.world.now,
    sourceIp: '192.0.2.1',
    method,
    rawPath: '',
    headers: {},
    path: { capability },
    rawQuery: '',
    body: new Uint8Array(),
  });

describe('an address for notices that nobody has confirmed', () => {
  it('gets the link to confirm it, and nothing of the export', async () => {
    const world = await finished(STRANGER);
    expect(await world.sendEmail(ref)).toMatchObject({ delivered: false, exhausted: false });
    expect(await emailOf(world)).toMatchObject({ state: 'retrying', last_error: 'unconfirmed_address' });
    expect(world.mails).toMatchObject([{ to: STRANGER, subject: 'Confirm this address for export notices' }]);
    expect(JSON.stringify(world.mails)).not.toContain('/downloads/');
    expect(JSON.stringify(world.mails)).not.toContain(String(ref.export));
    expect(capabilityIn(world.mails[0]?.text)).not.toBe('');
  });

  it('is told once its owner has confirmed it, for every export of the property', async () => {
    const world = await finished(STRANGER);
    const { wait_seconds } = await world.sendEmail(ref);
    const capability = capabilityIn(world.mails[0]?.text);
    // Programs that check mails open each link: that confirms nothing.
    expect(await opened(world, capability, 'GET')).toMatchObject({ ok: true, value: { status: 200 } });
    expect(await world.mailboxes.isConfirmed(PROPERTY, STRANGER)).toBe(false);
    expect(await opened(world, capability, 'POST')).toMatchObject({ ok: true, value: { status: 200 } });
    world.world.now += wait_seconds * 1000;
    expect(await world.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(world.mails.at(-1)?.text).toContain('/downloads/');
    expect(await world.mailboxes.isConfirmed(PROPERTY, 'stranger@xn--bcher-kva.example')).toBe(true);
    expect(await world.mailboxes.isConfirmed(PROPERTY + 1, STRANGER)).toBe(false);
  });

  it('is asked again after a day, not at each attempt, and never once it is confirmed', async () => {
    const world = await finished(STRANGER);
    for (let attempt = 0; attempt < 12; attempt += 1)
      world.world.now += (await world.sendEmail(ref)).wait_seconds * 1000;
    expect(await emailOf(world)).toMatchObject({ state: 'exhausted', last_error: 'unconfirmed_address' });
    expect(world.mails.length).toBeGreaterThan(1);
    expect(world.mails.length).toBeLessThanOrEqual(4);
    await opened(world, capabilityIn(world.mails.at(-1)?.text), 'POST');
    expect(await world.mailboxes.claimAsking(PROPERTY, STRANGER, world.world.now + 99 * HOUR)).toBe(false);
  });

  it('is asked again when the mail did not go out', async () => {
    const world = await finished(STRANGER);
    world.world.mail = () =>
      Promise.resolve({ kind: 'failed', reason: 'the mail service answered Throttling' });
    world.world.now += (await world.sendEmail(ref)).wait_seconds * 1000;
    world.world.mail = () => Promise.resolve({ kind: 'sent' });
    await world.sendEmail(ref);
    expect(world.mails).toHaveLength(2);
  });
});

describe('a link that confirms an address', () => {
  const asked = async (): Promise<{ world: ExportsWorld; capability: string }> => {
    const world = await finished(STRANGER);
    await world.sendEmail(ref);
    return { world, capability: capabilityIn(world.mails[0]?.text) };
  };
  const closed = { ok: false, error: { status: 403, code: 'link_closed' } };

  it('works once', async () => {
    const { world, capability } = await asked();
    expect(await opened(world, capability, 'POST')).toMatchObject({ ok: true });
    for (const method of ['GET', 'POST'] as const)
      expect(await opened(world, capability, method)).toMatchObject(closed);
    expect(await world.mailboxes.isConfirmed(PROPERTY, STRANGER)).toBe(true);
  });

  it('is over after its time, and is none under another text', async () => {
    const { world, capability } = await asked();
    for (const wrong of ['A'.repeat(43), '', '../../x', `${capability}x`])
      expect(await opened(world, wrong, 'POST')).toMatchObject(closed);
    world.world.now += limits.exports.confirmationHours * HOUR;
    for (const method of ['GET', 'POST'] as const)
      expect(await opened(world, capability, method)).toMatchObject(closed);
    expect(await world.mailboxes.isConfirmed(PROPERTY, STRANGER)).toBe(false);
  });

  it('stands in no table, nor does the address', async () => {
    const { world, capability } = await asked();
    expect(JSON.stringify(world.table.items())).not.toContain(capability);
    const own = world.table.items().filter(({ pk }) => /MAILBOX|CONFIRMATION|MAILS/.test(pk));
    expect(own).toHaveLength(3);
    expect(JSON.stringify(own)).not.toMatch(/stranger|b(ü|xn--b)cher/i);
  });
});

describe('the own address of the user who names it', () => {
  it('is confirmed by naming it, also by a later PUT', async () => {
    const world = await finished('Ada@Example.test');
    expect(await world.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(world.mails).toMatchObject([{ subject: `Export ${ref.export} is ready` }]);
    const other = await finished(STRANGER);
    bodyOf(await other.replace(path, { segment: [segment(2)], notification_email: 'ada@example.test' }));
    expect(await other.mailboxes.isConfirmed(PROPERTY, 'ada@example.test')).toBe(true);
  });
});

describe('the mails of a property in a day', () => {
  it('are bounded: notices wait for the next day', async () => {
    const world = await finished('ada@example.test');
    for (let mail = 0; mail < limits.exports.mailsPerDay; mail += 1)
      await world.mailboxes.mayMail(PROPERTY, 'notice', world.world.now);
    const { wait_seconds } = await world.sendEmail(ref);
    expect(world.mails).toEqual([]);
    expect(await emailOf(world)).toMatchObject({ state: 'retrying', last_error: 'too_many_mails_today' });
    world.world.now += Math.max(wait_seconds * 1000, 24 * HOUR);
    expect(await world.sendEmail(ref)).toMatchObject({ delivered: true });
  });

  it('are bounded more tightly to strangers', async () => {
    const world = await finished(STRANGER);
    for (let mail = 0; mail < limits.exports.confirmationsPerDay; mail += 1)
      await world.mailboxes.mayMail(PROPERTY, 'confirmation', world.world.now);
    await world.sendEmail(ref);
    expect(world.mails).toEqual([]);
    expect(await emailOf(world)).toMatchObject({ last_error: 'unconfirmed_address' });
  });
});
