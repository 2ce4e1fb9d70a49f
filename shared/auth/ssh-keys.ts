/** SSH keys: parses and validates public keys in OpenSSH's format. */
import { createPublicKey, hash, type JsonWebKey } from 'node:crypto';
import { limits } from '../config/limits.ts';
import { isCleanIdentifier } from '../http/text.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { SshKey } from './credential-items.ts';

/** A parsed line of OpenSSH's public key format. */
export type ParsedKey = Omit<SshKey, 'added'>;

const { rsaBits, sshKeyLength } = limits.auth;

/**
 * Parses lines of OpenSSH's public key format, each `type base64 [comment]`; blank lines and `#` comments are
 * skipped. All lines or none: the error is a sentence that names the line and quotes nothing of it.
 */
export const parseKeys = (text: string): Result<readonly ParsedKey[], string> => {
  if (text.includes('PRIVATE KEY'))
    return err('This is a private key; give the public one, from the file that ends in .pub.');
  const keys: ParsedKey[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const parsed = parseLine(line.trim());
    if (!parsed.ok) return err(`Line ${index + 1} ${parsed.error}.`);
    keys.push(parsed.value);
  }
  return keys.length > 0 ? ok(keys) : err('There is no key in it.');
};

const parseLine = (line: string): Result<ParsedKey, string> => {
  const [type = '', encoded = '', ...comment] = line.split(/[ \t]+/);
  const read = readers.get(type);
  if (!read) return err(`begins with none of ${[...readers.keys()].join(', ')}`);
  const blob = Buffer.from(encoded, 'base64');
  if (line.length > sshKeyLength || blob.toString('base64') !== encoded) return err('is no OpenSSH key');
  const jwk = decode(blob, type, read);
  const fault = jwk ? faultOf(jwk) : 'is no OpenSSH key';
  if (fault !== undefined) return err(fault);
  const said = comment.join(' ');
  return ok({
    key: `${type} ${encoded}`,
    fingerprint: `SHA256:${hash('sha256', blob, 'base64').replace('=', '')}`,
    comment: isCleanIdentifier(said) ? said : '',
  });
};

/** Reads the fields of a key blob (RFC 4253, 6.6) after its type. `undefined` when they do not fit the type. */
type Read = (fields: readonly Buffer[]) => JsonWebKey | undefined;

// OpenSSL refuses a point of another length.
const readEd25519: Read = ([point, ...rest]) =>
  point && rest.length === 0 ? { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') } : undefined;

const readRsa: Read = ([e, n, ...rest]) =>
  e && n && rest.length === 0 && isPositive(e) && isPositive(n)
    ? { kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') }
    : undefined;

/**
 * Whether bytes are a positive integer in the canonical form of SSH (RFC 4251, 5): the first bit is the sign,
 * and a leading zero byte only keeps that bit clear. Another form of the same key has another fingerprint, and
 * no client signs in with it.
 */
const isPositive = ([first = 0, second = 0]: Buffer): boolean =>
  first === 0 ? second >= 0x80 : first < 0x80;

const readEcdsa =
  (curve: string, crv: string, bytes: number): Read =>
  ([name, point, ...rest]) => {
    if (name?.toString() !== curve || point?.length !== 2 * bytes + 1 || rest.length > 0) return undefined;
    // 4: both coordinates, uncompressed.
    if (point[0] !== 4) return undefined;
    const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
    return { kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') };
  };

/** The types that Transfer Family accepts. */
const readers: ReadonlyMap<string, Read> = new Map([
  ['ssh-ed25519', readEd25519],
  ['ecdsa-sha2-nistp256', readEcdsa('nistp256', 'P-256', 32)],
  ['ecdsa-sha2-nistp384', readEcdsa('nistp384', 'P-384', 48)],
  ['ecdsa-sha2-nistp521', readEcdsa('nistp521', 'P-521', 66)],
  ['ssh-rsa', readRsa],
]);

const decode = (blob: Buffer, type: string, read: Read): JsonWebKey | undefined => {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields[0]?.toString() === type ? read(fields.slice(1)) : undefined;
};

/** The fault of a key. OpenSSL itself refuses points that are not on their curve. */
const faultOf = (jwk: JsonWebKey): string | undefined => {
  try {
    const { modulusLength, publicExponent } =
      createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails ?? {};
    if (modulusLength === undefined) return undefined;
    if (modulusLength < rsaBits.least || modulusLength > rsaBits.most)
      return `is an RSA key of ${modulusLength} bits; it needs ${rsaBits.least} to ${rsaBits.most}`;
    return (publicExponent ?? 0n) < 65_537n ? 'is an RSA key with a small exponent' : undefined;
  } catch {
    return 'is no OpenSSH key';
  }
};
