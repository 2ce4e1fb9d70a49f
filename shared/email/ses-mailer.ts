import { SendEmailCommand, SESv2Client, SESv2ServiceException } from '@aws-sdk/client-sesv2';
import { clientOptions } from '../runtime/aws-client.ts';
import { isAccessDenied } from '../runtime/aws-errors.ts';
import { mailboxOf } from './mailboxes.ts';
import type { Mailer } from './mailer.ts';
import { senderOfName } from './sender-name.ts';

/** Mail programs show a button for these, which sends a POST to the link (RFC 8058). */
const unsubscribeHeaders = (link: string) => [
  { Name: 'List-Unsubscribe', Value: `<${link}>` },
  { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
];

let client: SESv2Client | undefined;

/**
 * Sends mail with SES. SES has no idempotency key, so the SDK does not retry: the caller decides about retries. Throws
 * when the function has no permission to send.
 */
export const sesMailer = (from: string): Mailer => {
  client ??= new SESv2Client({ ...clientOptions('SESV2'), maxAttempts: 1 });
  const ses = client;
  return async ({ to, house, unsubscribe, subject, text, html }) => {
    const body = { Text: { Data: text, Charset: 'UTF-8' }, Html: { Data: html, Charset: 'UTF-8' } };
    try {
      await ses.send(
        new SendEmailCommand({
          FromEmailAddress: senderOfName(house, from),
          Destination: { ToAddresses: [mailboxOf(to) ?? to] },
          Content: {
            Simple: {
              Subject: { Data: subject, Charset: 'UTF-8' },
              Body: body,
              ...(unsubscribe !== null && { Headers: unsubscribeHeaders(unsubscribe) }),
            },
          },
        }),
      );
      return { kind: 'sent' };
    } catch (error) {
      if (isAccessDenied(error)) throw error;
      // Only the name of the error: its message quotes addresses.
      const name = error instanceof SESv2ServiceException ? error.name : 'no answer';
      return { kind: 'failed', reason: `the mail service answered ${name}` };
    }
  };
};
