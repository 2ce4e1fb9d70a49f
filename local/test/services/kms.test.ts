import {
  DecryptCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { KeyCall } from '../../services/events/key-call.ts';
import { createKms } from '../../services/kms/kms.ts';
import { addCaller, allow, clientOf, startGateway } from '../gateway/cloud.ts';
import { newFolders } from '../support/folders.ts';

const EncryptionContext = { property: '7', use: 'uuid' };
const Plaintext = Buffer.from('secret');
const kms = createKms();
kms.createKey('main', ['alias/tidemark']);
kms.createKey('other');
const gateway = await startGateway([kms.service]);
const client = new KMSClient(clientOf(gateway));
afterAll(() => gateway.close());
const newFolder = newFolders();

const encrypt = async (KeyId = 'main') =>
  (await client.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }))).CiphertextBlob;

it('a data key opens under its context, whose order does not matter', async () => {
  const made = await client.send(
    new GenerateDataKeyCommand({ KeyId: 'alias/tidemark', KeySpec: 'AES_256', EncryptionContext }),
  );
  expect(made.Plaintext).toHaveLength(32);
  expect(made.KeyId).toBe('arn:aws:kms:us-east-1:000000000000:key/main');
  const opened = await client.send(
    new DecryptCommand({
      CiphertextBlob: made.CiphertextBlob,
      EncryptionContext: { use: 'uuid', property: '7' },
    }),
  );
  expect(opened.Plaintext).toEqual(made.Plaintext);
  const sealed = new GenerateDataKeyWithoutPlaintextCommand({ KeyId: 'main', NumberOfBytes: 16 });
  const { CiphertextBlob } = await client.send(sealed);
  expect((await client.send(new DecryptCommand({ CiphertextBlob }))).Plaintext).toHaveLength(16);
});

it.each([
  ['another context', { EncryptionContext: { ...EncryptionContext, property: '8' } }],
  ['no context', {}],
])('a blob does not open with %s', async (_name, more) => {
  const CiphertextBlob = await encrypt();
  await expect(client.send(new DecryptCommand({ CiphertextBlob, ...more }))).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
  });
});

it('a call that names another key than the blob is refused', async () => {
  const CiphertextBlob = await encrypt();
  const call = client.send(new DecryptCommand({ CiphertextBlob, KeyId: 'other', EncryptionContext }));
  await expect(call).rejects.toMatchObject({ name: 'IncorrectKeyException' });
});

it('a changed blob does not open, wherever it was changed', async () => {
  const blob = (await encrypt()) ?? new Uint8Array();
  for (let at = 0; at < blob.length; at++) {
    const CiphertextBlob = Uint8Array.from(blob, (byte, index) => (index === at ? byte ^ 1 : byte));
    await expect(
      client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext })),
    ).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
  }
});

it('keys are described; unknown ones are not found', async () => {
  const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: 'alias/tidemark' }));
  expect(KeyMetadata).toMatchObject({ KeyId: 'main', Enabled: true });
  await expect(encrypt('nobody')).rejects.toMatchObject({ name: 'NotFoundException' });
});

it('a disabled key answers nothing but its state, and CloudTrail tells who disabled it', async () => {
  const calls: KeyCall[] = [];
  const kms = createKms({ onKeyCall: (call) => void calls.push(call) });
  const { arn } = kms.createKey('switched');
  const other = await startGateway([kms.service]);
  const keys = new KMSClient(clientOf(other));
  const { CiphertextBlob } = await keys.send(new EncryptCommand({ KeyId: 'switched', Plaintext }));
  await keys.send(new DisableKeyCommand({ KeyId: arn }));
  const refused = { name: 'DisabledException' };
  await expect(keys.send(new DecryptCommand({ CiphertextBlob }))).rejects.toMatchObject(refused);
  await expect(keys.send(new EncryptCommand({ KeyId: arn, Plaintext }))).rejects.toMatchObject(refused);
  const { KeyMetadata } = await keys.send(new DescribeKeyCommand({ KeyId: 'switched' }));
  expect(KeyMetadata).toMatchObject({ Enabled: false, KeyState: 'Disabled' });
  await keys.send(new EnableKeyCommand({ KeyId: 'switched' }));
  expect(await keys.send(new DecryptCommand({ CiphertextBlob }))).toMatchObject({ KeyId: arn });
  expect(calls.map(({ name, keyArn }) => [name, keyArn])).toEqual([
    ['DisableKey', arn],
    ['EnableKey', arn],
  ]);
  await other.close();
});

it('a policy may require an encryption context', async () => {
  const conditions = { StringEquals: { 'kms:EncryptionContext:property': ['7'] } };
  addCaller(gateway, 'sealer', [{ ...allow(['kms:Encrypt']), conditions }]);
  const sealer = new KMSClient(clientOf(gateway, 'sealer'));
  await sealer.send(new EncryptCommand({ KeyId: 'main', Plaintext, EncryptionContext }));
  await expect(
    sealer.send(new EncryptCommand({ KeyId: 'main', Plaintext, EncryptionContext: { property: '8' } })),
  ).rejects.toThrow('perform: kms:Encrypt');
});

it('keys survive a restart with a data directory, readable by their owner alone', async () => {
  const dataDir = newFolder();
  const open = async () => {
    const kms = createKms({ dataDir });
    kms.createKey('kept');
    const restarted = await startGateway([kms.service]);
    return { restarted, keys: new KMSClient(clientOf(restarted)) };
  };
  const before = await open();
  const { CiphertextBlob } = await before.keys.send(new EncryptCommand({ KeyId: 'kept', Plaintext }));
  await before.restarted.close();
  const after = await open();
  const opened = await after.keys.send(new DecryptCommand({ CiphertextBlob }));
  expect(Buffer.from(opened.Plaintext ?? '')).toEqual(Plaintext);
  expect((await stat(join(dataDir, 'keys.json'))).mode & 0o777).toBe(0o600);
  await after.restarted.close();
});
