import { decrypt, generateKey, readMessage, type PrivateKey } from 'openpgp';
import * as v from 'valibot';

/** When the keys of tests are made: the clock of exports stands later. */
export const KEY_DATE = new Date('2026-01-01T00:00:00Z');

/** A key pair to encrypt to, of the form that all versions of GnuPG read. */
export const newPgpKey = async (
  options: Partial<Parameters<typeof generateKey>[0]> = {},
): Promise<PrivateKey> => {
  const { privateKey } = await generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [{ name: 'Receiver', email: 'receiver@example.org' }],
    date: KEY_DATE,
    ...options,
    format: 'object',
  });
  return privateKey;
};

const opened = v.looseObject({ data: v.instance(Uint8Array) });

/** Decrypts a file. Throws when it is for another key, or damaged. */
export const decryptWith = async (key: PrivateKey, file: Uint8Array): Promise<Buffer> => {
  const message = await readMessage({ binaryMessage: file });
  const options = { message, decryptionKeys: key, format: 'binary' } as const;
  const answer: unknown = await decrypt(options);
  return Buffer.from(v.parse(opened, answer).data);
};

/** The public half as a text. */
export const publicText = (key: PrivateKey): string => key.toPublic().armor();
