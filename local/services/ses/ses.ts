/**
 * SES of the embedded cloud (API v2): SendEmail puts the mail into an inbox in memory.
 *
 *     const ses = createSes();
 *     gateway.addService(ses.service);
 *     ses.inbox();      // [{ to, from, subject, text, html, date }], oldest first: the content of `inbox_url`
 *
 * Accepts simple and raw content. No mail leaves the machine. With `identities` (addresses or domains) the service
 * refuses other senders as unverified, like the real service. The account is in the sandbox of SES, as every account
 * begins: IAM then also decides about the identity of each recipient, and `identities` bounds the recipients too.
 */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../../core/types.ts';
import { inputAs, jsonBody, jsonResponse } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import { decodeWords, parseMime } from './mime.ts';

/** One mail in the inbox. `date` is in ISO 8601. */
export interface Mail {
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The further headers of a simple mail, by name. Those of a raw mail are not shown. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly date: string;
}

/** Options of the service. */
export interface SesOptions {
  readonly identities?: readonly string[];
  /** Default configuration set of the identities, about which IAM decides too. */
  readonly configurationSet?: string;
  readonly now?: () => Date;
}

/** Opens the service. */
export const createSes = (options: SesOptions = {}) => {
  const mails: Mail[] = [];
  const now = options.now ?? (() => new Date());
  return {
    service: {
      name: 'ses',
      permissions: (request) => permissionsOf(options, request),
      handle: (request) =>
        Promise.resolve(
          handle(options, request, (mail) => mails.push({ ...mail, date: now().toISOString() })),
        ),
    } satisfies AwsService,
    inbox: (): readonly Mail[] => [...mails],
    clear: () => void mails.splice(0),
  };
};

const Part = v.object({ Data: v.string() });
const Addresses = v.optional(v.array(v.string()), []);
const SendInput = v.object({
  FromEmailAddress: v.optional(v.string()),
  ConfigurationSetName: v.optional(v.string()),
  Destination: v.optional(
    v.object({ ToAddresses: Addresses, CcAddresses: Addresses, BccAddresses: Addresses }),
  ),
  Content: v.object({
    Simple: v.optional(
      v.object({
        Subject: Part,
        Body: v.object({ Text: v.optional(Part), Html: v.optional(Part) }),
        Headers: v.optional(v.array(v.object({ Name: v.string(), Value: v.string() }))),
      }),
    ),
    Raw: v.optional(Part),
  }),
});

const inputOf = (request: AwsRequest): v.InferOutput<typeof SendInput> =>
  inputAs(SendInput, jsonBody(request), 'BadRequestException');

type Draft = Omit<Mail, 'date'>;

const draftOf = (request: AwsRequest): Draft => {
  const { FromEmailAddress, Destination, Content } = inputOf(request);
  const recipients = Destination
    ? [...Destination.ToAddresses, ...Destination.CcAddresses, ...Destination.BccAddresses]
    : [];
  if (Content.Raw) {
    const mail = parseMime(Buffer.from(Content.Raw.Data, 'base64').toString('utf8'));
    return { ...mail, from: FromEmailAddress ?? mail.from, to: recipients.length > 0 ? recipients : mail.to };
  }
  const headers = Content.Simple?.Headers;
  return {
    to: recipients,
    from: decodeWords(FromEmailAddress ?? ''),
    subject: Content.Simple?.Subject.Data ?? '',
    text: Content.Simple?.Body.Text?.Data ?? '',
    html: Content.Simple?.Body.Html?.Data ?? '',
    ...(headers && { headers: Object.fromEntries(headers.map(({ Name, Value }) => [Name, Value])) }),
  };
};

/** `name@example.com` of `Name <name@example.com>`. */
const addressOf = (from: string): string => (/<([^<>]+)>/.exec(from)?.[1] ?? from).trim();

/**
 * The resources about which IAM decides: the identity of the sender (a verified address, otherwise its domain), the
 * configuration set, and the identities of the recipients, because the account is in the sandbox. AWS documents the
 * first two (Service Authorization Reference, SES v2); the third is what its refusals name.
 */
const permissionsOf = (options: SesOptions, request: AwsRequest): NeededPermission[] => {
  const { Content, ConfigurationSetName } = inputOf(request);
  const { from, to } = draftOf(request);
  const address = addressOf(from);
  const identity = options.identities?.includes(address) ? address : (address.split('@')[1] ?? address);
  const set = ConfigurationSetName ?? options.configurationSet;
  const action = Content.Raw ? 'ses:SendRawEmail' : 'ses:SendEmail';
  const context = { 'ses:FromAddress': [address] };
  return [
    `identity/${identity}`,
    ...(set === undefined ? [] : [`configuration-set/${set}`]),
    ...to.map((recipient) => `identity/${addressOf(recipient)}`),
  ].map((resource) => ({ action, resource: arn('ses', resource), context }));
};

const handle = (options: SesOptions, request: AwsRequest, deliver: (mail: Draft) => void): AwsResponse => {
  if (request.method !== 'POST' || request.path !== '/v2/email/outbound-emails')
    throw new ServiceError('NotFoundException', 'Only SendEmail is known here', 404);

  const mail = draftOf(request);
  for (const address of [mail.from, ...mail.to]) refuseUnverified(options, addressOf(address));
  if (mail.to.length === 0) throw new ServiceError('BadRequestException', 'The mail has no recipient');
  mail.to.forEach(refuseOtherLetters);
  deliver(mail);
  return jsonResponse({ MessageId: randomUUID() });
};

/** SES does not support SMTPUTF8. An address is ASCII before the @, and its domain is in Punycode. */
const refuseOtherLetters = (recipient: string): void => {
  const address = addressOf(recipient);
  const at = address.lastIndexOf('@');
  if (!/^[!-~]+$/.test(address.slice(0, at)))
    throw new ServiceError('BadRequestException', 'Local address contains control or whitespace');
  if (!/^[a-z\d.-]+$/i.test(address.slice(at + 1)))
    throw new ServiceError('BadRequestException', 'Domain contains illegal character');
};

const refuseUnverified = ({ identities }: SesOptions, address: string): void => {
  if (!identities || identities.includes(address) || identities.includes(address.split('@')[1] ?? '')) return;
  throw new ServiceError(
    'MessageRejected',
    `Email address is not verified. The following identities failed the check: ${address}`,
  );
};
