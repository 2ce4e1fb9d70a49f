/** Notice fields: the webhook and the address of a definition that are told when one of its jobs has ended. */
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { isSameMailbox, mailboxOf, mailboxes } from '../email/mailboxes.ts';
import type { ApiRequest } from '../http/api-types.ts';
import { described } from '../http/described.ts';
import type { ProblemError } from '../http/problem.ts';
import { rule } from '../http/rule.ts';
import { emailFault } from '../http/email-fault.ts';
import { isEmail } from '../http/text.ts';
import type { Ids } from '../runtime/ids.ts';
import type { KeyService } from '../runtime/ports.ts';
import type { Table } from '../table/table.ts';
import type { AddressSettings } from '../webhooks/address-settings.ts';
import { newSecret } from '../webhooks/signature.ts';
import { checkWebhookUrl, webhookUrlDetail } from '../webhooks/url.ts';

/** An optional text of a body. An empty text counts as absent, and so does null, as answers show it. */
const optionalText = (schema: v.GenericSchema<string, string>) =>
  v.nullish(
    v.pipe(
      schema,
      v.transform((text) => (text === '' ? null : text)),
    ),
    null,
  );

const blankOr = (holds: (value: string) => boolean) => (value: string) => value === '' || holds(value);

const sentences = {
  notification_email:
    'The address that gets a mail when a job has ended. An address that is not your own must first be confirmed by its owner.',
  webhook_url:
    'The https address that gets a signed call (Standard Webhooks) when a job has ended: complete or failed.',
} as const;

/** The fields in a body. */
export const noticeEntries = {
  notification_email: described(
    sentences.notification_email,
    optionalText(
      v.pipe(
        v.string(),
        rule(
          'not_an_email',
          blankOr((address) => isEmail(address.toLowerCase())),
          emailFault,
        ),
        rule(
          'not_a_mailbox',
          blankOr((address) => mailboxOf(address) !== undefined),
          'Must be ASCII before the @: the mail service takes no other letters there.',
        ),
      ),
    ),
  ),
  webhook_url: described(
    sentences.webhook_url,
    optionalText(v.pipe(v.string(), v.maxLength(limits.exports.urlLength))),
  ),
} as const;

/** The fields in an answer. */
export const shownNoticeEntries = {
  notification_email: described(sentences.notification_email, v.nullable(v.string())),
  webhook_url: described(sentences.webhook_url, v.nullable(v.string())),
} as const;

/** The secret of a new webhook in an answer. */
export const shownWebhookSecret = described(
  'The secret that signs the calls of the webhook. Only this answer shows it, and only when the webhook is new.',
  v.exactOptional(v.string()),
);

/** The fields of a checked body. */
export interface NoticeFields {
  readonly notification_email: string | null;
  readonly webhook_url: string | null;
}

/** The settings of the stage that decide which addresses it accepts. */
export interface NoticeStage extends AddressSettings {
  /** The sender address of mail; without it the stage sends no mail. */
  readonly sender?: string | undefined;
}

/** The faults of the fields that depend on the stage. */
export const noticeFaults = (
  { webhook_url, notification_email }: NoticeFields,
  stage: NoticeStage,
): readonly ProblemError[] => {
  return [
    ...(webhook_url === null ? [] : urlFaults(webhook_url, stage, '/webhook_url')),
    ...(notification_email === null || stage.sender !== undefined ? [] : [noSender]),
  ];
};

/** The faults of an address that the service shall call, at its place in the body. */
export const urlFaults = (url: string, stage: AddressSettings, pointer: string): readonly ProblemError[] => {
  const checked = checkWebhookUrl(url, stage);
  return checked.ok ? [] : [{ pointer, code: checked.error, detail: webhookUrlDetail(checked.error, stage) }];
};

const noSender: ProblemError = {
  pointer: '/notification_email',
  code: 'no_sender',
  detail: 'This service is not set up to send e-mail.',
};

interface SecretInput {
  /** Whether the service calls an address for the definition. */
  readonly isCalled: boolean;
  /** The secret of the definition that is replaced: it stays. */
  readonly before: Uint8Array | null;
  readonly context: Readonly<Record<string, string>>;
}

/** The encrypted secret of a definition whose address is called, and the secret itself if it is new. */
export const webhookSecret = async (
  { keyService, ids }: { readonly keyService: KeyService; readonly ids: Ids },
  { isCalled, before, context }: SecretInput,
): Promise<{ readonly stored: Uint8Array | null; readonly secret: Uint8Array | undefined }> => {
  const kept = isCalled ? before : null;
  if (!isCalled || kept !== null) return { stored: kept, secret: undefined };
  const secret = newSecret(ids);
  return { stored: await keyService.encrypt(secret, context), secret };
};

/**
 * Tells that a user names the address for notices. It counts as confirmed if it is the own address of the user: the
 * operator who created the user vouches for that address. Otherwise it may be asked again. A withdrawal stays in both cases if
 * the definition `before` had this address: whoever changes something else does not think of the address.
 */
export const nameAddress = async (
  table: Table,
  {
    property,
    user,
    body,
    now,
  }: Pick<ApiRequest<unknown, NoticeFields>, 'property' | 'user' | 'body' | 'now'>,
  before?: Pick<NoticeFields, 'notification_email'>,
): Promise<void> => {
  const address = body.notification_email;
  if (address === null) return;
  const isOwn = isSameMailbox(address, user.email);
  const isKept =
    before !== undefined &&
    before.notification_email !== null &&
    isSameMailbox(address, before.notification_email);
  if (isOwn || !isKept) await mailboxes(table).name(property.id, { address, isOwn, isKept, now });
};
