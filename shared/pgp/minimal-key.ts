/**
 * Minimal key: the packets of a public key that matter to those who encrypt to it. What a key costs are the signatures that
 * are verified, not its bytes: old keys come with photographs, with signatures of other people, and with a signature of
 * their own for each change of their preferences.
 */
import { createHash } from 'node:crypto';

/** A packet of a key: its type, its body, and all its bytes. */
export interface Packet {
  readonly tag: number;
  readonly body: Buffer;
  readonly bytes: Buffer;
}

/** Packet types (RFC 9580, 5). */
const SIGNATURE = 2;
const USER_ATTRIBUTE = 17;

/** Signatures of one kind under one key or name that stay: the newest, and one before it in case the newest is no good. */
const NEWEST = 2;

/**
 * The packets without photographs, without signatures of other keys, and without all but the two newest of the key's own
 * signatures of one kind under one key or name. Packets that cannot be read stay: the library judges them.
 */
export const minimalPackets = (packets: readonly Packet[]): readonly Packet[] => {
  const [primary] = packets;
  if (!primary) return packets;
  const own = keyId(primary.body);
  return componentsOf(packets).flatMap(([head, ...signatures]) => {
    if (head === undefined || head.tag === USER_ATTRIBUTE) return [];
    const read = signatures.map((packet) => ({ packet, ...readSignature(packet.body) }));
    const kinds = Map.groupBy(
      read.filter(({ issuer }) => issuer === undefined || issuer === own),
      ({ kind }) => kind,
    );
    const kept = [...kinds.values()].flatMap((some) =>
      some.toSorted((a, b) => b.created - a.created).slice(0, NEWEST),
    );
    return [head, ...read.filter((one) => kept.includes(one)).map(({ packet }) => packet)];
  });
};

/** The number of signatures among packets. */
export const countSignatures = (packets: readonly Packet[]): number =>
  packets.filter(({ tag }) => tag === SIGNATURE).length;

/** Each key, name or photograph with the signatures behind it. Other packets, such as markers, are dropped. */
const componentsOf = (packets: readonly Packet[]): readonly (readonly Packet[])[] => {
  const components: Packet[][] = [];
  for (const packet of packets) {
    if (packet.tag === SIGNATURE) components.at(-1)?.push(packet);
    else if (heads.has(packet.tag)) components.push([packet]);
  }
  return components;
};

/** Public keys, public subkeys, names and photographs. */
const heads: ReadonlySet<number> = new Set([6, 14, 13, USER_ATTRIBUTE]);

/** The id of a key of version 4 or 6 (RFC 9580, 5.5.4), in hexadecimal. */
const keyId = (body: Buffer): string => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return body[0] === 6
    ? createHash('sha256')
        .update(Buffer.concat([Buffer.of(0x9b), length, body]))
        .digest('hex')
        .slice(0, 16)
    : createHash('sha1')
        .update(Buffer.concat([Buffer.of(0x99), length.subarray(2), body]))
        .digest('hex')
        .slice(-16);
};

interface SignatureFacts {
  /** What it says: certificates of a name are one kind. -1 for a signature that cannot be read. */
  readonly kind: number;
  /** Seconds since 1970; 0 when it does not say. */
  readonly created: number;
  /** The id of the key that made it, in hexadecimal, if it says so. */
  readonly issuer: string | undefined;
}

/** Types of subpackets (RFC 9580, 5.2.3.7). */
const CREATED = 2;
const ISSUER = 16;
const ISSUER_FINGERPRINT = 33;

/** Reads what a signature of version 4 or 6 says of itself (RFC 9580, 5.2.3). */
const readSignature = (body: Buffer): SignatureFacts => {
  const [version = 0, type = 0] = body;
  const width = { 4: 2, 6: 4 }[version];
  if (width === undefined || body.length < 4 + width) return { kind: -1, created: 0, issuer: undefined };
  const hashedEnd = 4 + width + body.readUIntBE(4, width);
  const hashed = subpackets(body.subarray(4 + width, hashedEnd));
  const rest = body.subarray(hashedEnd);
  const unhashed =
    rest.length < width ? [] : subpackets(rest.subarray(width, width + rest.readUIntBE(0, width)));
  const created = hashed.find((one) => one.type === CREATED)?.data;
  return {
    // The four certificates of a name (0x10 to 0x13) differ in care only.
    kind: type >= 0x10 && type <= 0x13 ? 0x10 : type,
    created: created?.length === 4 ? created.readUInt32BE(0) : 0,
    issuer: issuerOf([...hashed, ...unhashed]),
  };
};

interface Subpacket {
  readonly type: number;
  readonly data: Buffer;
}

const issuerOf = (all: readonly Subpacket[]): string | undefined => {
  const id = all.find(({ type, data }) => type === ISSUER && data.length === 8)?.data;
  if (id) return id.toString('hex');
  const print = all.find(({ type, data }) => type === ISSUER_FINGERPRINT && data.length > 20)?.data;
  if (!print) return undefined;
  const hex = print.subarray(1).toString('hex');
  return print[0] === 6 ? hex.slice(0, 16) : hex.slice(-16);
};

/** Splits an area of subpackets (5.2.3.7); what is cut off is left out. */
const subpackets = (area: Buffer): readonly Subpacket[] => {
  const found: Subpacket[] = [];
  for (let at = 0; at < area.length;) {
    const first = area[at] ?? 0;
    const size = sizeOfLength(first);
    if (at + size > area.length) return found;
    const length = lengthAt(area, at, size);
    const end = at + size + length;
    if (length === 0 || end > area.length) return found;
    found.push({ type: (area[at + size] ?? 0) & 0x7f, data: area.subarray(at + size + 1, end) });
    at = end;
  }
  return found;
};

/** Bytes of a length by its first byte. */
const sizeOfLength = (first: number): 1 | 2 | 5 => {
  if (first < 192) return 1;
  return first < 255 ? 2 : 5;
};

const lengthAt = (area: Buffer, at: number, size: number): number => {
  if (size === 1) return area[at] ?? 0;
  return size === 2 ? area.readUInt16BE(at) - 192 * 256 + 192 : area.readUInt32BE(at + 1);
};
