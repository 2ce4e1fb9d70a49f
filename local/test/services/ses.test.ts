import { afterAll, beforeEach, expect, it } from 'vitest';
import { createSes } from '../../services/ses/ses.ts';
import { signedFetch } from '../support/signed-fetch.ts';
import { addCaller, allow, clientOf, startGateway } from '../gateway/cloud.ts';

const date = '2026-08-01T12:00:00.000Z';
const ses = createSes({
  identities: ['example.com', 'example.org', 'xn--bcher-kva.example'],
  configurationSet: 'statistics',
  now: () => new Date(date),
});
const gateway = await startGateway([ses.service]);
addCaller(gateway, 'silent', []);
const arn = 'arn:aws:ses:us-east-1:000000000000';
addCaller(gateway, 'by-domain', [allow(['ses:SendEmail'], [`${arn}:identity/example.com`])]);
addCaller(gateway, 'by-set', [
  allow(['ses:SendEmail'], [`${arn}:identity/example.com`, `${arn}:configuration-set/statistics`]),
]);
addCaller(gateway, 'by-sender', [
  {
    ...allow(['ses:SendEmail'], [`${arn}:identity/*`, `${arn}:configuration-set/*`]),
    conditions: { StringEquals: { 'ses:FromAddress': ['jobs@example.com'] } },
  },
]);

afterAll(() => gateway.close());
beforeEach(() => ses.clear());

/** The SES client is no dependency of this project; its REST call is one POST. */
const send = (body: object, caller = 'tester') =>
  signedFetch(`${gateway.url}/v2/email/outbound-emails`, {
    service: 'ses',
    credentials: clientOf(gateway, caller).credentials,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const simple = {
  FromEmailAddress: 'Tidemark <jobs@example.com>',
  Destination: { ToAddresses: ['anna@example.org'] },
  Content: {
    Simple: { Subject: { Data: 'Done – ä' }, Body: { Text: { Data: 'text' }, Html: { Data: '<p>' } } },
  },
};

it('a simple mail lands in the inbox', async () => {
  const response = await send(simple);
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveProperty('MessageId');
  expect(ses.inbox()).toEqual([
    {
      to: ['anna@example.org'],
      from: 'Tidemark <jobs@example.com>',
      subject: 'Done – ä',
      text: 'text',
      html: '<p>',
      date,
    },
  ]);
});

it.each(['zoë@example.org', 'anna@bücher.example', 'an na@example.org'])(
  'a mail to %s is refused: SES takes ASCII and Punycode',
  async (address) => {
    const response = await send({ ...simple, Destination: { ToAddresses: [address] } });
    expect(response.status).toBe(400);
    expect(ses.inbox()).toEqual([]);
    const encoded = { ToAddresses: ['anna@xn--bcher-kva.example'] };
    expect((await send({ ...simple, Destination: encoded })).status).toBe(200);
  },
);

it.each([
  ['Subject: one\r\n two', 'one two'],
  ['Subject: one\r\n  two', 'one  two'],
  ['Subject: =?utf-8?Q?sch=C3=B6?=\r\n =?utf-8?Q?n_lang?=', 'schön lang'],
  ['Subject: =?utf-8?Q?sch=C3=B6n?=\r\n lang', 'schön lang'],
])('a folded subject is read as it was: %j', async (header, subject) => {
  const raw = `From: jobs@example.com\r\nTo: anna@example.org\r\n${header}\r\n\r\ntext`;
  await send({ Content: { Raw: { Data: Buffer.from(raw).toString('base64') } } });
  expect(ses.inbox()).toMatchObject([{ subject }]);
});

it('a raw mail is read', async () => {
  const raw = [
    'From: Tidemark <jobs@example.com>',
    'To: anna@example.org,',
    ' bert@example.org',
    'Subject: =?utf-8?B?RG9uZSDigJMgw6Q=?=',
    'Content-Type: multipart/alternative; boundary="seam"',
    '',
    '--seam',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'sch=C3=B6n =',
    'lang',
    '--seam',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('<p>schön</p>').toString('base64'),
    '--seam--',
  ].join('\r\n');
  await send({ Content: { Raw: { Data: Buffer.from(raw).toString('base64') } } });
  expect(ses.inbox()).toMatchObject([
    {
      to: ['anna@example.org', 'bert@example.org'],
      subject: 'Done – ä',
      text: 'schön lang',
      html: '<p>schön</p>',
    },
  ]);
});

it.each([
  ['an unverified sender', { ...simple, FromEmailAddress: 'jobs@example.net' }, 400, 'MessageRejected'],
  [
    'an unverified recipient in the sandbox',
    { ...simple, Destination: { ToAddresses: ['anna@example.net'] } },
    400,
    'MessageRejected',
  ],
  ['no recipient', { ...simple, Destination: {} }, 400, 'BadRequestException'],
  ['no content', { FromEmailAddress: 'jobs@example.com' }, 400, 'BadRequestException'],
])('a mail with %s is refused', async (_name, body, status, code) => {
  const response = await send(body);
  expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([status, code]);
  expect(ses.inbox()).toEqual([]);
});

it('a denial names the identity', async () => {
  const response = await send(simple, 'silent');
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(
    'perform: ses:SendEmail on resource: arn:aws:ses:us-east-1:000000000000:identity/example.com because',
  );
});

it.each([
  ['by-domain', 'configuration-set/statistics'],
  ['by-set', 'identity/anna@example.org'],
])('a grant %s alone is refused for the %s', async (caller, resource) => {
  const response = await send(simple, caller);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain(
    `perform: ses:SendEmail on resource: arn:aws:ses:us-east-1:000000000000:${resource} because`,
  );
  expect(ses.inbox()).toEqual([]);
});

it('a grant by sender sends to every recipient, but from no other address of the domain', async () => {
  expect((await send(simple, 'by-sender')).status).toBe(200);
  const other = await send({ ...simple, FromEmailAddress: 'boss@example.com' }, 'by-sender');
  expect(other.status).toBe(403);
  expect(ses.inbox()).toHaveLength(1);
});

it('a simple mail may have further headers, and a sender in encoded words', async () => {
  const Headers = [{ Name: 'List-Unsubscribe', Value: '<https://example.com/stop>' }];
  const Content = { Simple: { ...simple.Content.Simple, Headers } };
  const FromEmailAddress = '=?utf-8?B?SMO8dHRl?= <jobs@example.com>';
  expect((await send({ ...simple, FromEmailAddress, Content }, 'by-sender')).status).toBe(200);
  expect(ses.inbox()).toMatchObject([
    { from: 'Hütte <jobs@example.com>', headers: { 'List-Unsubscribe': '<https://example.com/stop>' } },
  ]);
});
