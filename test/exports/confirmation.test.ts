import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../shared/config/limits.ts';
import { DECLINE, writeProblemPage } from '../../shared/email/confirmation-page.ts';
import { problems } from '../../shared/http/problem.ts';
import { path, ran, ref, confirmationIn, openConfirmation } from './steps.ts';
import { bodyOf, type ExportsHarness, PROPERTY, segment } from './harness.ts';

const HOUR = 3_600_000;
const STRANGER = 'Stranger@bücher.example';

const finished = (notification_email: string) => ran({ notification_email });

const deliveries = v.array(v.looseObject({ kind: v.string(), state: v.string() }));
const emailOf = async (harness: ExportsHarness) =>
  v.parse(deliveries, bodyOf(await harness.readJob(path))['deliveries']).find(({ kind }) => kind === 'email');

describe('an e-mail address that nobody has confirmed', () => {
  it('gets the link to confirm it, and nothing of the export', async () => {
    const harness = await finished(STRANGER);
    expect(await harness.sendEmail(ref)).toMatchObject({ delivered: false, exhausted: false });
    expect(await emailOf(harness)).toMatchObject({ state: 'retrying', last_error: 'unconfirmed_address' });
    expect(harness.mails).toMatchObject([{ to: STRANGER, subject: 'May Harbour <Hall> send you mail?' }]);
    expect(harness.mails[0]?.text).toContain(`Harbour <Hall> wants to send mail to ${STRANGER}`);
    expect(harness.mails[0]?.html).toContain('Each mail has a link for that');
    // A single question has none.
    expect(harness.mails[0]).toMatchObject({ house: 'Harbour <Hall>', unsubscribe: null });
    expect(JSON.stringify(harness.mails)).not.toContain('/downloads/');
    expect(JSON.stringify(harness.mails)).not.toContain(String(ref.export));
    expect(confirmationIn(harness)).not.toBe('');
  });

  it('is told once its owner has confirmed it, for every export of the property', async () => {
    const harness = await finished(STRANGER);
    const { wait_seconds } = await harness.sendEmail(ref);
    // Programs that check mails open each link: that confirms nothing.
    expect(await openConfirmation(harness, 'GET')).toMatchObject({ ok: true, value: { status: 200 } });
    expect(await harness.mailboxes.isConfirmed(PROPERTY, STRANGER)).toBe(false);
    expect(await openConfirmation(harness)).toMatchObject({ ok: true, value: { status: 200 } });
    harness.fakes.now += wait_seconds * 1000;
    expect(await harness.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(harness.mails.at(-1)?.text).toContain('/downloads/');
    expect(await harness.mailboxes.isConfirmed(PROPERTY, 'stranger@xn--bcher-kva.example')).toBe(true);
    expect(await harness.mailboxes.isConfirmed(PROPERTY + 1, STRANGER)).toBe(false);
  });

  it('reads on the page who asks, and for what', async () => {
    const harness = await finished(STRANGER);
    await harness.sendEmail(ref);
    const shown = await openConfirmation(harness, 'GET');
    const page = shown.ok ? String(shown.value.body) : '';
    expect(page).toContain('Harbour &lt;Hall&gt; wants to send mail to the address that got this link.');
    expect(page).toContain('Each mail has a link for that');
  });

  it('gets no question of a property that is gone, and is asked once it is there again', async () => {
    const harness = await finished(STRANGER);
    const { accountName } = harness.fakes;
    harness.fakes.accountName = undefined;
    const { wait_seconds } = await harness.sendEmail(ref);
    expect(harness.mails).toEqual([]);
    harness.fakes.accountName = accountName;
    harness.fakes.now += wait_seconds * 1000;
    await harness.sendEmail(ref);
    expect(harness.mails).toHaveLength(1);
  });

  it('is asked again after a day, not at each attempt, and never once it is confirmed', async () => {
    const harness = await finished(STRANGER);
    for (let attempt = 0; attempt < 12; attempt += 1)
      harness.fakes.now += (await harness.sendEmail(ref)).wait_seconds * 1000;
    expect(await emailOf(harness)).toMatchObject({ state: 'exhausted', last_error: 'unconfirmed_address' });
    expect(harness.mails.length).toBeGreaterThan(1);
    expect(harness.mails.length).toBeLessThanOrEqual(4);
    await openConfirmation(harness);
    expect(await harness.mailboxes.claimAsking(PROPERTY, STRANGER, harness.fakes.now + 99 * HOUR)).toBe(
      false,
    );
  });

  it('is asked again when the mail did not go out', async () => {
    const harness = await finished(STRANGER);
    harness.fakes.mail = () =>
      Promise.resolve({ kind: 'failed', reason: 'the mail service answered Throttling' });
    harness.fakes.now += (await harness.sendEmail(ref)).wait_seconds * 1000;
    harness.fakes.mail = () => Promise.resolve({ kind: 'sent' });
    await harness.sendEmail(ref);
    expect(harness.mails).toHaveLength(2);
  });
});

describe('a link that confirms an address', () => {
  const asked = async (): Promise<ExportsHarness> => {
    const harness = await finished(STRANGER);
    await harness.sendEmail(ref);
    return harness;
  };
  const closed = { ok: false, error: { status: 403, code: 'link_closed' } };

  it('works once', async () => {
    const harness = await asked();
    expect(await openConfirmation(harness)).toMatchObject({ ok: true });
    for (const method of ['GET', 'POST'] as const)
      expect(await openConfirmation(harness, method)).toMatchObject(closed);
    expect(await harness.mailboxes.isConfirmed(PROPERTY, STRANGER)).toBe(true);
  });

  it('is over after its time, and is none under another text', async () => {
    const harness = await asked();
    for (const wrong of ['A'.repeat(43), '', '../../x', `${confirmationIn(harness)}x`])
      expect(await openConfirmation(harness, 'POST', wrong)).toMatchObject(closed);
    harness.fakes.now += limits.exports.confirmationHours * HOUR;
    for (const method of ['GET', 'POST'] as const)
      expect(await openConfirmation(harness, method)).toMatchObject(closed);
    expect(await harness.mailboxes.isConfirmed(PROPERTY, STRANGER)).toBe(false);
  });

  it('takes no for an answer: the address gets nothing, not even a question, until a user names it anew', async () => {
    const harness = await asked();
    const declined = await openConfirmation(harness, 'POST', confirmationIn(harness), DECLINE);
    expect(declined).toMatchObject({ ok: true, value: { status: 200 } });
    expect(declined.ok && declined.value.body).toContain('You get no mail');
    expect(await openConfirmation(harness)).toMatchObject(closed);
    expect(await harness.mailboxes.states(PROPERTY, [STRANGER])).toMatchObject([{ status: 'withdrawn' }]);
    harness.fakes.now += 99 * HOUR;
    await harness.sendEmail(ref);
    expect(harness.mails).toHaveLength(1);
    await harness.mailboxes.name(PROPERTY, { address: STRANGER, isOwn: false, now: harness.fakes.now });
    expect(await harness.mailboxes.states(PROPERTY, [STRANGER])).toMatchObject([{ status: 'unconfirmed' }]);
  });

  it('has a page with buttons for yes and no, which sends forms to this host alone and loads nothing', async () => {
    const harness = await asked();
    const shown = await openConfirmation(harness, 'GET');
    const { body, headers = {} } = shown.ok ? shown.value : expect.unreachable();
    expect(body).toMatch(
      /<form method="post"><button[^>]*>Yes[^<]*<\/button><button formaction="\?answer=no">No/,
    );
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(String(body)) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(body).not.toMatch(/<(script|img|link)|\d{7}/);
  });

  it('tells a browser on a page that it is closed, and a program as every route does', () => {
    const problem = { status: 403, code: 'link_closed', detail: 'Used.' } as const;
    const shown = writeProblemPage('request-1', problem, 'text/html,application/xhtml+xml');
    expect(shown).toMatchObject({ statusCode: 403, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(shown.body).toContain('This link no longer works');
    expect(shown.headers['content-security-policy']).toContain("default-src 'none'");
    expect(JSON.parse(writeProblemPage('request-1', problem, '*/*').body)).toMatchObject({
      code: 'link_closed',
    });
  });

  it.each([problems.unavailable(), problems.internal()])(
    'tells a browser of the failure $code',
    (problem) => {
      const { body } = writeProblemPage('request-1', { ...problem, detail: 'Busy <now>.' }, 'text/html');
      expect(body).toContain('Busy &lt;now&gt;.');
      expect(body).toContain('Open the link again in a minute.');
    },
  );

  it('stands in no table, nor does the address', async () => {
    const harness = await asked();
    expect(JSON.stringify(harness.table.items())).not.toContain(confirmationIn(harness));
    const own = harness.table.items().filter(({ pk }) => /MAILBOX|CONFIRMATION|MAILS/.test(pk));
    expect(own).toHaveLength(3);
    expect(JSON.stringify(own)).not.toMatch(/stranger|b(ü|xn--b)cher/i);
  });
});

describe('the own address of the user who names it', () => {
  it('is confirmed by naming it, also by a later PUT', async () => {
    const harness = await finished('Ada@Example.test');
    expect(await harness.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(harness.mails).toMatchObject([{ subject: 'Your export: 2 people' }]);
    const other = await finished(STRANGER);
    bodyOf(await other.replace(path, { segment: [segment(2)], notification_email: 'ada@example.test' }));
    expect(await other.mailboxes.isConfirmed(PROPERTY, 'ada@example.test')).toBe(true);
  });
});

describe('the mails of a property in a day', () => {
  it('are bounded: notices wait for the next day', async () => {
    const harness = await finished('ada@example.test');
    for (let mail = 0; mail < limits.exports.mailsPerDay; mail += 1)
      await harness.mailboxes.mayMail(PROPERTY, 'notice', harness.fakes.now);
    const { wait_seconds } = await harness.sendEmail(ref);
    expect(harness.mails).toEqual([]);
    expect(await emailOf(harness)).toMatchObject({ state: 'retrying', last_error: 'too_many_mails_today' });
    harness.fakes.now += Math.max(wait_seconds * 1000, 24 * HOUR);
    expect(await harness.sendEmail(ref)).toMatchObject({ delivered: true });
  });

  it('are bounded more tightly to strangers', async () => {
    const harness = await finished(STRANGER);
    for (let mail = 0; mail < limits.exports.confirmationsPerDay; mail += 1)
      await harness.mailboxes.mayMail(PROPERTY, 'confirmation', harness.fakes.now);
    await harness.sendEmail(ref);
    expect(harness.mails).toEqual([]);
    expect(await emailOf(harness)).toMatchObject({ last_error: 'unconfirmed_address' });
  });
});
