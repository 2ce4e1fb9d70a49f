/** PGP packets: rejects keys whose verification would be expensive, before a library computes with them. */
import { limits } from '../config/limits.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import type { PgpKeyFault } from './key-faults.ts';
import { countSignatures, minimalPackets, type Packet } from './minimal-key.ts';

/** Packet types (RFC 9580, 5). */
const PUBLIC_KEY = 6;
const PUBLIC_SUBKEY = 14;
const privateKeys = new Set([5, 7]);

const { keyBytes, keyPackets, keySignatures, rsaBits, rsaExponentBits } = limits.pgp;

/**
 * Checks the packets of a key by their sizes and algorithms, without any arithmetic: a key that a client chose may cost
 * minutes of arithmetic. Returns the bytes of the key without the parts that nobody needs to encrypt to it
 * (`minimalPackets`), which are cheap to verify.
 */
export const checkPackets = (bytes: Uint8Array): Result<Uint8Array, PgpKeyFault> => {
  if (bytes.length > keyBytes) return err('key_too_large');
  const packets = split(Buffer.from(bytes));
  if (!packets.ok) return packets;
  const tags = packets.value.map(({ tag }) => tag);
  if (tags.some((tag) => privateKeys.has(tag))) return err('private_key');
  if (tags[0] !== PUBLIC_KEY) return err('not_a_pgp_key');
  if (tags.lastIndexOf(PUBLIC_KEY) > 0) return err('several_keys');
  for (const { tag, body } of packets.value) {
    const fault = tag === PUBLIC_KEY || tag === PUBLIC_SUBKEY ? keyFault(body) : undefined;
    if (fault !== undefined) return err(fault);
  }
  const minimal = minimalPackets(packets.value);
  if (countSignatures(minimal) > keySignatures) return err('key_too_large');
  return ok(Buffer.concat(minimal.map(({ bytes: own }) => own)));
};

/** Splits bytes into packets (RFC 9580, 4.2). Keys have no packets of indeterminate or partial length. */
const split = (bytes: Buffer): Result<readonly Packet[], PgpKeyFault> => {
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length;) {
    if (packets.length === keyPackets) return err('key_too_large');
    const header = headerAt(bytes, at);
    if (!header || header.end > bytes.length) return err('not_a_pgp_key');
    const body = bytes.subarray(header.begin, header.end);
    packets.push({ tag: header.tag, body, bytes: bytes.subarray(at, header.end) });
    at = header.end;
  }
  return ok(packets);
};

/**
 * The body of the packet at an offset, by its begin and end; `undefined` when no packet of definite length begins
 * there.
 */
const headerAt = (
  bytes: Buffer,
  at: number,
): { readonly tag: number; readonly begin: number; readonly end: number } | undefined => {
  const first = bytes[at] ?? 0;
  if ((first & 0x80) === 0) return undefined;
  const isOld = (first & 0x40) === 0;
  const length = isOld ? oldLengths[first & 0x03] : newLengthOf(bytes[at + 1] ?? 0);
  const begin = at + 1 + (length ? length.skipped + length.bytes : 0);
  if (!length || begin > bytes.length) return undefined;
  const size = bytes.readUIntBE(at + 1 + length.skipped, length.bytes) - length.less;
  return { tag: isOld ? (first & 0x3c) >> 2 : first & 0x3f, begin, end: begin + size };
};

/** The encoding of a length: `bytes` behind `skipped` bytes hold a number that is larger than the length by `less`. */
interface Length {
  readonly skipped: number;
  readonly bytes: number;
  readonly less: number;
}

const oldLengths: readonly Length[] = [1, 2, 4].map((bytes) => ({ skipped: 0, bytes, less: 0 }));

const newLengthOf = (first: number): Length | undefined => {
  if (first < 192) return { skipped: 0, bytes: 1, less: 0 };
  // Two bytes: the first byte begins at 192, and the encoded lengths begin at 192.
  if (first < 224) return { skipped: 0, bytes: 2, less: 192 * 256 - 192 };
  return first === 255 ? { skipped: 1, bytes: 4, less: 0 } : undefined;
};

/** Checks the key material, which follows the algorithm. */
type CheckMaterial = (material: Buffer) => PgpKeyFault | undefined;

/** Each RSA number begins with its length in bits. */
const checkRsa: CheckMaterial = (material) => {
  if (material.length < 2) return 'not_a_pgp_key';
  const modulus = material.readUInt16BE(0);
  const exponentAt = 2 + Math.ceil(modulus / 8);
  if (material.length < exponentAt + 2) return 'not_a_pgp_key';
  const isLarge = modulus > rsaBits || material.readUInt16BE(exponentAt) > rsaExponentBits;
  return isLarge ? 'key_too_large' : undefined;
};

/** A curve is named by its object identifier, which follows its length. */
const checkCurve =
  (...curves: readonly string[]): CheckMaterial =>
  (material) =>
    curves.includes(material.subarray(1, 1 + (material[0] ?? 0)).toString('hex'))
      ? undefined
      : 'key_unsupported';

const nist = ['2a8648ce3d030107', '2b81040022', '2b81040023'];
const ed25519Legacy = '2b06010401da470f01';
const curve25519Legacy = '2b060104019755010501';
const isFixed: CheckMaterial = () => undefined;

/** The accepted algorithms. All others are refused: openpgp.js computes DSA and ElGamal of any size in JavaScript. */
const algorithms: ReadonlyMap<number, CheckMaterial> = new Map([
  [1, checkRsa],
  [2, checkRsa],
  [3, checkRsa],
  [18, checkCurve(...nist, curve25519Legacy)],
  [19, checkCurve(...nist)],
  [22, checkCurve(ed25519Legacy)],
  // X25519, X448, Ed25519, Ed448: the algorithm implies the curve.
  [25, isFixed],
  [26, isFixed],
  [27, isFixed],
  [28, isFixed],
]);

/** Checks a key or subkey by its version, its algorithm, and its curve or size (RFC 9580, 5.5.2 and 9.1). */
const keyFault: CheckMaterial = (body) => {
  const [version] = body;
  if (version !== 4 && version !== 6) return 'key_unsupported';
  const checkMaterial = algorithms.get(body[5] ?? 0);
  // The material follows the version, the time of creation (4) and the algorithm; in version 6 also its own length (4).
  return checkMaterial ? checkMaterial(body.subarray(version === 6 ? 10 : 6)) : 'key_unsupported';
};
