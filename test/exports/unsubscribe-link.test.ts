import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { senderOfName } from '../../shared/email/sender-name.ts';
import { openUnsubscribeLink } from '../../shared/email/unsubscribe-link.ts';
import { NoPropertyDataError } from '../../shared/properties/items.ts';
import { decodeWords } from '../../local/services/ses/mime.ts';
import { type ExportsHarness, PROPERTY } from './harness.ts';
import { confirmationIn, openConfirmation, ran, ref } from './steps.ts';

const READER = 'Reader@example.org';

/** An export that has mailed a confirmed address, and the end of the unsubscribe link in its newest mail. */
const mailed = async () => {
  const harness = await ran({ notification_email: READER });
  await harness.sendEmail(ref);
  await openConfirmation(harness, 'POST', confirmationIn(harness));
  harness.fakes.now += 3_600_000;
  await harness.sendEmail(ref);
  const mail = harness.mails.at(-1);
  const [, token = ''] = /\/confirmations\/(\d+\.[\w-]+)$/.exec(mail?.unsubscribe ?? '') ?? [];
  return { harness, mail, token };
};

const isConfirmed = (harness: ExportsHarness) => harness.mailboxes.isConfirmed(PROPERTY, READER);

describe('the unsubscribe link of a mail', () => {
  it('is in each mail about a job, and changes nothing until its button is pressed', async () => {
    const { harness, mail, token } = await mailed();
    expect(mail?.text).toContain(`Unsubscribe from these mails:\r\n${mail?.unsubscribe ?? ''}\r\n`);
    expect(mail?.html).toContain(`href="${mail?.unsubscribe ?? ''}"`);
    expect(mail?.unsubscribe).not.toContain('eader');
    const shown = await openConfirmation(harness, 'GET', token);
    expect(shown).toMatchObject({ ok: true, value: { status: 200 } });
    const page = shown.ok ? String(shown.value.body) : '';
    expect(page).toContain('Unsubscribe from mail from Harbour &lt;Hall&gt;?');
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(await isConfirmed(harness)).toBe(true);
  });

  it('ends the mails: also for the button of a mail program, and once more when it is pressed again', async () => {
    const { harness, token } = await mailed();
    for (let press = 0; press < 2; press += 1)
      expect(await openConfirmation(harness, 'POST', token)).toMatchObject({ ok: true });
    expect(await harness.mailboxes.states(PROPERTY, [READER])).toMatchObject([{ status: 'withdrawn' }]);
    const before = harness.mails.length;
    harness.fakes.now += 3_600_000;
    await harness.sendEmail(ref);
    expect(harness.mails).toHaveLength(before);
  });

  it('does not renew the withdrawal when it is pressed for ever', async () => {
    const { harness, token } = await mailed();
    await openConfirmation(harness, 'POST', token);
    harness.fakes.now += limits.auth.quietSeconds * 1_000;
    await openConfirmation(harness, 'POST', token);
    const naming = { address: READER, isOwn: false, now: harness.fakes.now };
    await harness.mailboxes.name(PROPERTY, naming);
    expect(await harness.mailboxes.states(PROPERTY, [READER])).toMatchObject([{ status: 'unconfirmed' }]);
  });

  it('opens nothing if a sign of it was changed, for another property, or without one', async () => {
    const { harness, token } = await mailed();
    const sealed = token.slice(token.indexOf('.') + 1);
    const forged = Array.from(
      sealed,
      (sign, at) => sealed.slice(0, at) + (sign === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
    );
    for (const text of [
      ...forged.map((one) => `${PROPERTY}.${one}`),
      `${PROPERTY}.`,
      '.',
      `${PROPERTY}.${sealed}A`,
    ])
      expect(await openConfirmation(harness, 'POST', text)).toMatchObject({ error: { code: 'link_closed' } });
    const gone = () => Promise.reject(new NoPropertyDataError('gone'));
    expect(await openUnsubscribeLink(gone, token)).toBeUndefined();
    expect(await isConfirmed(harness)).toBe(true);
  });

  it('is closed once its account is gone', async () => {
    const { harness, token } = await mailed();
    harness.fakes.accountName = undefined;
    for (const method of ['GET', 'POST'] as const)
      expect(await openConfirmation(harness, method, token)).toMatchObject({
        error: { code: 'link_closed' },
      });
    expect(await isConfirmed(harness)).toBe(true);
  });
});

describe('the name of a sender', () => {
  it.each([
    ['Harbour Hall', 'Harbour Hall <a@b.example>'],
    ['', 'a@b.example'],
    ['Hall\r\nBcc: eve@example.org', undefined],
    ['"Hall" <eve@example.org>,', undefined],
    ['Müller & Söhne, Köln: '.repeat(9), undefined],
    ['🏟️'.repeat(40), undefined],
  ])('%j is one word or more of a header', (name, expected) => {
    const sender = senderOfName(name, 'a@b.example');
    if (expected !== undefined) expect(sender).toBe(expected);
    expect(sender).toMatch(/^(?:[\w -]+ <|(?:=\?utf-8\?B\?[\w+/=]{1,63}\?= ?)+<|)a@b\.example>?$/);
    const decoded = decodeWords(sender);
    expect(decoded).not.toContain('\ufffd');
    expect(decoded.startsWith(name.replace('\r\n', ' ').trim().slice(0, 30))).toBe(true);
  });
});
