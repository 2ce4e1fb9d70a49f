import { type PrivateKey, readKey, reformatKey, revokeKey, SignaturePacket } from 'openpgp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readRecipient } from '../../shared/pgp/recipient.ts';
import { block, packet } from '../support/crafted-pgp-keys.ts';
import { KEY_DATE, newPgpKey, publicText } from '../support/pgp-keys.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Desk ${index}` }));

const verified = vi.spyOn(SignaturePacket.prototype, 'verify');
afterEach(() => void verified.mockClear());

/** The binary form of a public key. */
const bytesOf = async (armored: string): Promise<Uint8Array> =>
  (await readKey({ armoredKey: armored })).write();

const ownKey = (count = 1): Promise<PrivateKey> => newPgpKey({ type: 'curve25519', userIDs: names(count) });

describe('a key of a partner', () => {
  it('is taken with twenty names', async () => {
    const key = await newPgpKey({ type: 'curve25519', userIDs: names(20) });
    expect(await readRecipient(publicText(key), now)).toMatchObject({ ok: true });
  });

  it('is taken with a photograph of 40 KB and its signatures', async () => {
    const key = publicText(await newPgpKey({ type: 'curve25519' }));
    const photograph = packet(17, Buffer.alloc(40_000, 1));
    const signature = packet(2, Buffer.of(4, 0x13, 27, 8, 0, 0, 0, 0, 0, 0));
    const photographs = Array.from({ length: 40 }, () => signature);
    const text = block(Buffer.from(await bytesOf(key)), photograph, ...photographs);
    expect(await readRecipient(text, now)).toMatchObject({ ok: true });
    expect(verified.mock.calls.length).toBeLessThanOrEqual(10);
  });

  it('is taken with a signature of its own for each of forty earlier changes, of which the newest counts', async () => {
    const key = await ownKey();
    const [user] = key.users;
    for (let day = 1; day <= 40; day += 1) {
      const date = new Date(Date.parse('2026-01-02T00:00:00Z') + day * 86_400_000);
      const { privateKey } = await reformatKey({
        privateKey: key,
        userIDs: names(1),
        date,
        format: 'object',
      });
      user?.selfCertifications.push(...(privateKey.users[0]?.selfCertifications ?? []));
    }
    const text = key.toPublic().armor();
    verified.mockClear();
    expect(await readRecipient(text, now)).toMatchObject({ ok: true });
    expect(verified.mock.calls.length).toBeLessThanOrEqual(10);
  });

  it('is taken with signatures of fifty other people, which are not verified', async () => {
    const friends = await Promise.all(Array.from({ length: 5 }, () => ownKey()));
    let key = (await ownKey()).toPublic();
    for (let round = 0; round < 10; round += 1) key = await key.signAllUsers(friends);
    const text = key.armor();
    verified.mockClear();
    expect(await readRecipient(text, now)).toMatchObject({ ok: true });
    expect(verified.mock.calls.length).toBeLessThanOrEqual(10);
  });

  it('stays revoked, and stays expired, whatever else it holds', async () => {
    const revoked = await newPgpKey({ type: 'curve25519', userIDs: names(9) });
    const { publicKey } = await revokeKey({ key: revoked, date: KEY_DATE, format: 'armored' });
    expect(await readRecipient(publicKey, now)).toEqual({ ok: false, error: 'key_revoked' });
    const short = await newPgpKey({ type: 'curve25519', userIDs: names(9), keyExpirationTime: 60 });
    expect(await readRecipient(publicText(short), now + 400 * 86_400_000)).toEqual({
      ok: false,
      error: 'key_expired',
    });
  });
});
