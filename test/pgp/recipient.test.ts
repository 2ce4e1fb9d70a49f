import { armor, createMessage, encrypt, enums, revokeKey, SecretKeyPacket } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { pgpKeyDetails, type PgpKeyFault } from '../../shared/pgp/key-faults.ts';
import { readRecipient } from '../../shared/pgp/recipient.ts';
import { KEY_DATE, newPgpKey, publicText } from '../support/pgp-keys.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const key = await newPgpKey();
const other = await newPgpKey();
const good = publicText(key);

/** Packets as a block that calls itself a public key. */
const block = (...packets: readonly Uint8Array[]): string =>
  armor(enums.armor.publicKey, Buffer.concat(packets));
const binary = (of: typeof key): Uint8Array => of.toPublic().write();
const weakRsa = () => newPgpKey({ type: 'rsa', rsaBits: 1_024, config: { minRSABits: 1_024 } });
const short = { keyExpirationTime: 3_600 };

const withSubkeyRevoked = async (): Promise<string> => {
  const made = await newPgpKey();
  const [subkey] = made.subkeys;
  if (!subkey || !(made.keyPacket instanceof SecretKeyPacket)) throw new Error('the key lacks its parts');
  made.subkeys[0] = await subkey.revoke(made.keyPacket, {}, KEY_DATE);
  return publicText(made);
};

const withoutSignatures = (): string => {
  const { publicKey, userID, publicSubkey } = enums.packet;
  return block(key.toPublic().toPacketList().filterByTag(publicKey, userID, publicSubkey).write());
};

const message = async (): Promise<string> =>
  String(await encrypt({ message: await createMessage({ text: 'x' }), encryptionKeys: key.toPublic() }));

const bad: readonly (readonly [title: string, fault: PgpKeyFault, make: () => string | Promise<string>])[] = [
  ['nothing', 'not_a_pgp_key', () => ''],
  ['a word', 'not_a_pgp_key', () => 'x'],
  ['an SSH key', 'not_a_pgp_key', () => 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGFhYWFhYWFh x@y'],
  ['an empty block', 'not_a_pgp_key', () => block()],
  ['a block cut off', 'not_a_pgp_key', () => good.slice(0, 300)],
  ['a block with a damaged middle', 'not_a_pgp_key', () => good.replace(/(\n\n[^]{40})[^]{60}/, '$1')],
  ['a key without its armour', 'not_a_pgp_key', () => Buffer.from(binary(key)).toString('base64')],
  ['a key with words around it', 'not_a_pgp_key', () => `Here it is:\n${good}\nBye`],
  ['a message', 'not_a_pgp_key', message],
  ['a private key', 'private_key', () => key.armor()],
  ['a private key called public', 'private_key', () => block(key.write())],
  ['a public key and a private one', 'private_key', () => good + other.armor()],
  ['two keys in a block', 'several_keys', () => block(binary(key), binary(other))],
  ['two blocks', 'several_keys', () => good + publicText(other)],
  [
    'a revoked key',
    'key_revoked',
    async () => (await revokeKey({ key, format: 'object', date: KEY_DATE })).publicKey.armor(),
  ],
  ['a key whose encrypting part is revoked', 'key_revoked', withSubkeyRevoked],
  ['an expired key', 'key_expired', async () => publicText(await newPgpKey(short))],
  [
    'a key whose encrypting part has expired',
    'key_expired',
    async () => publicText(await newPgpKey({ subkeys: [short] })),
  ],
  [
    'a key that only signs',
    'key_cannot_encrypt',
    async () => publicText(await newPgpKey({ subkeys: [{ sign: true }] })),
  ],
  ['a key of 1,024 bits', 'key_too_weak', async () => publicText(await weakRsa())],
  [
    'a key of tomorrow',
    'key_not_valid',
    async () => publicText(await newPgpKey({ date: new Date(now + 86_400_000) })),
  ],
  ['a key that nobody signed', 'key_not_valid', withoutSignatures],
];

describe('a PGP key', () => {
  it.each(bad)('%s is refused: %s', async (_, fault, make) => {
    const read = await readRecipient(await make(), now);
    expect(read).toEqual({ ok: false, error: fault });
    expect(pgpKeyDetails[fault]).toMatch(/\.$/);
  });

  it.each([
    ['of Curve25519, as GnuPG makes them', {}],
    ['of Curve25519, as the newer standard has them', { type: 'curve25519' }],
    ['of NIST P-256', { curve: 'nistP256' }],
    ['of RSA with 2,048 bits', { type: 'rsa', rsaBits: 2_048 }],
    ['that expires later', { keyExpirationTime: 366 * 86_400 }],
  ] as const)('%s is taken, with Windows line ends too', async (_, options) => {
    const text = publicText(await newPgpKey(options));
    expect(await readRecipient(text, now)).toMatchObject({ ok: true });
    expect(await readRecipient(`\r\n${text.replaceAll(/\r?\n/g, '\r\n')}`, now)).toMatchObject({ ok: true });
  });

  it('that was good is refused once it has expired', async () => {
    const text = publicText(await newPgpKey({ keyExpirationTime: 200 * 86_400 }));
    expect(await readRecipient(text, now)).toMatchObject({ ok: true });
    expect(await readRecipient(text, now + 60 * 86_400_000)).toEqual({ ok: false, error: 'key_expired' });
  });
});
