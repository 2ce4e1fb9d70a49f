/** Addresses of a property: whose confirmation is withdrawn, and what that means until a user names them anew. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { listNotificationEmails, withdrawAddress } from '../../shared/deliveries/notice-addresses.ts';
import { addressMark } from '../../shared/email/mailboxes.ts';
import { exportNotices } from '../../shared/exports/model/notice-definitions.ts';
import { importNotices } from '../../shared/imports/repository/stored-items.ts';
import { bodyOf, type ExportsHarness, PROPERTY, request, segment } from './harness.ts';
import { path, ran, ref, openConfirmation } from './steps.ts';

const OWN = 'ada@example.test';
const OTHER = 'bo@example.net';
const QUIET = limits.auth.quietSeconds * 1_000;
const DAY = 86_400_000;

const withdraw = async (harness: ExportsHarness, notification_email: string) =>
  bodyOf(await withdrawAddress(harness, request(harness.fakes.now, { notification_email }, undefined)));

const statusOf = async (harness: ExportsHarness, address: string) =>
  (await harness.mailboxes.states(PROPERTY, [address]))[0]?.status;

describe('an address whose confirmation is withdrawn', () => {
  it('gets neither mail nor a question, however long', async () => {
    const harness = await ran({ notification_email: OWN });
    expect(await withdraw(harness, 'ADA@Example.test')).toMatchObject({ status: 'withdrawn' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await harness.sendEmail(ref);
      harness.fakes.now += DAY;
    }
    expect(harness.mails).toEqual([]);
    const read = v.parse(v.array(v.looseObject({})), bodyOf(await harness.readJob(path))['deliveries']);
    expect(read).toMatchObject([{ kind: 'email', last_error: 'withdrawn_address' }]);
    expect(await statusOf(harness, OWN)).toBe('withdrawn');
    expect((await harness.mailboxes.states(PROPERTY + 1, [OWN]))[0]?.status).toBe('unconfirmed');
  });

  it('is not asked either when nobody had confirmed it', async () => {
    const harness = await ran({ notification_email: OTHER });
    await withdraw(harness, OTHER);
    await harness.sendEmail(ref);
    expect(harness.mails).toEqual([]);
  });

  it('counts as confirmed again once its user names it, but not by a request that was under way', async () => {
    const harness = await ran({ notification_email: OWN });
    await withdraw(harness, OWN);
    const without = { segment: [segment(2)] };
    const again = { ...without, notification_email: OWN };
    bodyOf(await harness.replace(path, without));
    harness.fakes.now += QUIET - 1;
    bodyOf(await harness.replace(path, again));
    expect(await statusOf(harness, OWN)).toBe('withdrawn');
    harness.fakes.now += 1;
    bodyOf(await harness.replace(path, again));
    // The definition only keeps it: who changes something else does not name it.
    expect(await statusOf(harness, OWN)).toBe('withdrawn');
    bodyOf(await harness.replace(path, without));
    bodyOf(await harness.replace(path, again));
    expect(await harness.sendEmail(ref)).toMatchObject({ delivered: true });
  });

  it('is asked again once a user names it anew, not when a definition keeps it', async () => {
    const harness = await ran({ notification_email: OTHER });
    await withdraw(harness, OTHER);
    harness.fakes.now += QUIET;
    bodyOf(
      await harness.replace(path, { segment: [segment(2)], name: 'x', notification_email: 'Bo@example.net' }),
    );
    expect(await statusOf(harness, OTHER)).toBe('withdrawn');
    bodyOf(await harness.replace(path, { segment: [segment(2)] }));
    bodyOf(await harness.replace(path, { segment: [segment(2)], notification_email: OTHER }));
    expect(await statusOf(harness, OTHER)).toBe('unconfirmed');
    await harness.sendEmail(ref);
    expect(harness.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [OTHER, 'May Harbour <Hall> send you mail?'],
    ]);
    expect(await openConfirmation(harness)).toMatchObject({ ok: true });
    expect(await statusOf(harness, OTHER)).toBe('confirmed');
  });

  it('is not confirmed by a link that was sent before, even after it is named anew', async () => {
    const harness = await ran({ notification_email: OTHER });
    await harness.sendEmail(ref);
    harness.fakes.now += 1_000;
    await withdraw(harness, OTHER);
    harness.fakes.now += QUIET;
    await harness.mailboxes.name(PROPERTY, { address: OTHER, isOwn: false, now: harness.fakes.now });
    expect(await openConfirmation(harness)).toMatchObject({
      ok: false,
      error: { status: 403, code: 'link_closed' },
    });
    expect(await statusOf(harness, OTHER)).toBe('unconfirmed');
  });

  it('is not confirmed by a link that was opened before and pressed after', async () => {
    const harness = await ran({ notification_email: OTHER });
    await harness.sendEmail(ref);
    const { link } = harness.mailboxes;
    const pressed = async (...input: Parameters<typeof link>) => {
      const found = await link(...input);
      await withdraw(harness, OTHER);
      return found;
    };
    const { mailboxes } = harness;
    harness.mailboxes = { ...mailboxes, link: pressed };
    expect(await openConfirmation(harness)).toMatchObject({ ok: false });
    expect(await statusOf(harness, OTHER)).toBe('withdrawn');
  });
});

it('the audit log has the confirmation of an address, with a mark instead of the address', async () => {
  const harness = await ran({ notification_email: OTHER });
  await harness.sendEmail(ref);
  expect(await openConfirmation(harness)).toMatchObject({ ok: true });
  const [entry] = harness.auditLog.items();
  const facts = { action: 'POST /confirmations/{capability}', property: PROPERTY, source: '192.0.2.1' };
  expect(entry).toMatchObject({ ...facts, outcome: '200', ids: { address: addressMark(OTHER) } });
  expect(JSON.stringify(entry)).not.toContain(OTHER);
  const removed = await withdrawAddress(
    harness,
    request(harness.fakes.now, { notification_email: OTHER }, undefined),
  );
  expect(removed.ok && removed.value.audited).toEqual(entry?.['ids']);
});

it('the list has each definition that names an address, with its state, page by page', async () => {
  const harness = await ran({ notification_email: OWN });
  bodyOf(await harness.create({ segment: [segment(2)] }));
  const deps = { ...harness, imports: importNotices(harness.table), exports: exportNotices(harness.table) };
  const listed = async (query: object) => {
    const body = bodyOf(await listNotificationEmails(deps, request(harness.fakes.now, query, undefined)));
    return v.parse(v.looseObject({ notification_emails: v.array(v.unknown()) }), body);
  };
  const named = { notification_email: OWN, import_id: null, export_id: path.export_id };
  const confirmed = new Date(harness.fakes.now).toISOString();
  expect((await listed({})).notification_emails).toMatchObject([
    { ...named, status: 'confirmed', confirmed },
  ]);
  await withdraw(harness, OWN);
  expect(await listed({ limit: 1 })).toMatchObject({
    notification_emails: [{ ...named, status: 'withdrawn', confirmed: null }],
  });
});
