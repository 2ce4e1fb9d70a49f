/** Mailer from the environment, for the functions that send notices. */
import { type Mailer, senderOf } from '../shared/email/mailer.ts';
import { sesMailer } from '../shared/email/ses-mailer.ts';
import type { Env } from '../shared/runtime/env.ts';

/** The address of the console, to which mails lead; `undefined` in a stage without it. */
export const consoleUrlFromEnv = (env: Env<'BASE_URL' | 'CONSOLE'>): string | undefined =>
  env('CONSOLE') === 'true' ? `${env('BASE_URL')}/console` : undefined;

/** The mailer of the stage. */
export const mailerFromEnv = (env: Env<'SENDER_EMAIL'>): Mailer => {
  const sender = senderOf(env('SENDER_EMAIL'));
  return sender === undefined ? unsendable : sesMailer(sender);
};

/** Fails the delivery: the stage has lost its sender address since the client named the address. */
const unsendable: Mailer = () => Promise.resolve({ kind: 'failed', reason: 'there is no sender address' });
