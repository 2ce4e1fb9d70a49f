import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { enums, readMessage, type PrivateKey } from 'openpgp';
import { afterAll, describe, expect, it } from 'vitest';
import { beginMessage, messageState, resumeMessage } from '../../shared/pgp/message.ts';
import { readRecipient, type Recipient } from '../../shared/pgp/recipient.ts';
import * as v from 'valibot';
import { describeWith } from '../../local/test/support/installed.ts';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const run = promisify(execFile);

const recipientOf = async (key: PrivateKey): Promise<Recipient> => {
  const recipient = await readRecipient(publicText(key), now);
  if (!recipient.ok) throw new Error(recipient.error);
  return recipient.value;
};

/** Encrypts pieces. With `suspends`, another message goes on from the stored state after each piece. */
const encrypted = async (
  key: PrivateKey,
  pieces: readonly Uint8Array[],
  { suspends = false }: { readonly suspends?: boolean } = {},
): Promise<Buffer> => {
  const { head, message: first } = await beginMessage(await recipientOf(key));
  let message = first;
  const output = [head];
  for (const piece of pieces) {
    if (suspends)
      message = await resumeMessage(v.parse(messageState, JSON.parse(JSON.stringify(message.state()))));
    output.push(message.write(piece));
  }
  return Buffer.concat([...output, message.end()]);
};

/** Keys of both versions of encrypted data. */
const kinds = [
  ['version 1', {}],
  ['version 2 with OCB', { config: { aeadProtect: true, preferredAEADAlgorithm: enums.aead.ocb } }],
  ['version 2 with GCM', { config: { aeadProtect: true, preferredAEADAlgorithm: enums.aead.gcm } }],
  [
    'version 2 for a key of version 6',
    {
      type: 'curve25519',
      config: { v6Keys: true, aeadProtect: true, preferredAEADAlgorithm: enums.aead.ocb },
    },
  ],
] as const;

/** Lengths around the borders of blocks, chunks and packet lengths. */
const sizes = [0, 1, 9, 10, 15, 16, 17, 185, 186, 187, 500, 8_377, 65_499, 65_530, 65_536, 131_072, 200_001];

describe.each(kinds)('a message of %s', (_, options) => {
  it('is read by its recipient alone, whatever its length', async () => {
    const key = await newPgpKey(options);
    for (const size of sizes) {
      const plain = randomBytes(size);
      expect((await decryptWith(key, await encrypted(key, [plain]))).equals(plain), `${size} bytes`).toBe(
        true,
      );
    }
    await expect(decryptWith(await newPgpKey(), await encrypted(key, [randomBytes(9)]))).rejects.toThrow();
  });

  it('is the same whether it was suspended after each piece or not', async () => {
    const key = await newPgpKey(options);
    const pieces = [1, 0, 70_000, 15, 65_536, 33, 200_000].map((size) => randomBytes(size));
    const file = await encrypted(key, pieces, { suspends: true });
    expect((await decryptWith(key, file)).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('that was cut off or changed is refused', async () => {
    const key = await newPgpKey(options);
    const file = await encrypted(key, [randomBytes(100_000)]);
    await expect(decryptWith(key, file.subarray(0, -30))).rejects.toThrow();
    const changed = Buffer.from(file);
    changed[50_000] = (changed[50_000] ?? 0) ^ 1;
    await expect(decryptWith(key, changed)).rejects.toThrow();
  });
});

it('a resumed message goes on with equal bytes', async () => {
  const { message } = await beginMessage(await recipientOf(await newPgpKey()));
  message.write(randomBytes(70_000));
  const state = v.parse(messageState, JSON.parse(JSON.stringify(message.state())));
  const plain = randomBytes(100_001);
  const outputs = await Promise.all(
    [1, 2].map(async () => {
      const resumed = await resumeMessage(state);
      return Buffer.concat([resumed.write(plain), resumed.end()]);
    }),
  );
  expect(outputs[0]?.equals(outputs[1] ?? Buffer.alloc(0))).toBe(true);
});

it('two messages of one text share neither key nor first bytes', async () => {
  const key = await newPgpKey();
  const [one, other] = [await encrypted(key, [Buffer.from('x')]), await encrypted(key, [Buffer.from('x')])];
  expect(one.equals(other)).toBe(false);
});

it('has the versions that its keys ask for', async () => {
  const versions = await Promise.all(
    kinds.map(async ([, options]) => {
      const key = await newPgpKey(options);
      const { packets } = await readMessage({ binaryMessage: await encrypted(key, [randomBytes(9)]) });
      const data: unknown = packets.findPacket(enums.packet.symEncryptedIntegrityProtectedData);
      return v.parse(v.looseObject({ version: v.number() }), data).version;
    }),
  );
  expect(versions).toEqual([1, 2, 2, 2]);
});

describeWith('gpg', 'GnuPG', (gpg) => {
  const home = newFolders()();
  afterAll(async () => {
    await run(gpg.replace(/gpg$/, 'gpgconf'), ['--homedir', home, '--kill', 'all']).catch(() => undefined);
  });

  it.each([
    ['RSA', { type: 'rsa', rsaBits: 2_048 }],
    ['Curve25519', {}],
  ] as const)('opens a suspended file for a key of %s', async (_, options) => {
    const key = await newPgpKey(options);
    await writeFile(join(home, 'key.asc'), key.armor());
    const quiet = ['--homedir', home, '--batch', '--quiet', '--no-tty'];
    await run(gpg, [...quiet, '--import', join(home, 'key.asc')]);
    const pieces = Array.from({ length: 20_000 }, (_unused, index) => Buffer.from(`Zoë ${index}\r\n`));
    const halves = [Buffer.concat(pieces.slice(0, 9_999)), Buffer.concat(pieces.slice(9_999))];
    await writeFile(join(home, 'file.pgp'), await encrypted(key, halves, { suspends: true }));
    const { stdout } = await run(gpg, [...quiet, '--decrypt', join(home, 'file.pgp')], {
      maxBuffer: 10_000_000,
    });
    expect(stdout).toBe(Buffer.concat(pieces).toString());
  });
});
