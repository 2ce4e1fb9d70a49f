import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { partition } from '@aws-sdk/core/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { domainOf } from '../../shared/runtime/aws-environment.ts';
import { signerOf } from '../../shared/runtime/signed-service.ts';
import { objectPath } from '../../shared/runtime/s3-object-store.ts';

const region = 'eu-central-1';
const signingDate = new Date('2026-11-25T12:00:00Z');

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT'),
  path: fc
    .tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.string({ unit: 'grapheme', minLength: 1 }))
    .map(([bucket, key]) => objectPath(bucket, key)),
  query: fc.dictionary(fc.stringMatching(/^[a-z-]{1,8}$/), fc.string(), { maxKeys: 3 }),
  body: fc.uint8Array({ maxLength: 2_000 }),
});

const credentials = fc.record(
  {
    accessKeyId: fc.stringMatching(/^AKIA[A-Z0-9]{16}$/),
    secretAccessKey: fc.stringMatching(/^[\w+/]{40}$/),
    sessionToken: fc.stringMatching(/^[\w+/=]{20,60}$/),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);

describe.each(['dynamodb', 's3'])('a request to %s', (service) => {
  it('is signed as the SDK signs it with its own hash, as a call and as an address', async () => {
    const isS3 = service === 's3';
    await fc.assert(
      fc.asyncProperty(request, credentials, async (parts, role) => {
        const ours = signerOf(service, region, role);
        const sdk = new SignatureV4({
          service,
          region,
          credentials: role,
          sha256: Sha256,
          uriEscapePath: !isS3,
          applyChecksum: isS3,
        });
        const made = () =>
          new HttpRequest({
            ...parts,
            protocol: 'https:',
            hostname: 'aws.example',
            headers: { host: 'aws.example' },
          });
        // Twice, because the second signature takes the kept key.
        for (let time = 0; time < 2; time += 1)
          expect((await ours.sign(made(), { signingDate })).headers).toEqual(
            (await sdk.sign(made(), { signingDate })).headers,
          );
        const expiresIn = 60;
        expect((await ours.presign(made(), { signingDate, expiresIn })).query).toEqual(
          (await sdk.presign(made(), { signingDate, expiresIn })).query,
        );
      }),
    );
  });
});

it.each([
  ...['us-east-1', 'eu-west-1', 'ap-southeast-7', 'mx-central-1', 'us-gov-west-1', 'cn-north-1'],
  ...['eusc-de-east-1', 'us-iso-east-1', 'us-isob-east-1', 'eu-isoe-west-1', 'us-isof-south-1'],
])('the services of %s have the domain that the SDK knows', (name) => {
  expect(domainOf(name)).toBe(partition(name).dnsSuffix);
});
