/** Checksums: the algorithms of the x-amz-checksum-* headers. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ServiceError } from '../../core/service-error.ts';

/** A running checksum. `digest` returns base64, as in the headers. */
export interface Digest {
  update(bytes: Buffer): void;
  digest(): string;
}

const hashed = (algorithm: string): Digest => {
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') };
};

const crc = (step: (bytes: Buffer, value: number) => number): Digest => {
  let value = 0;
  return {
    update: (bytes) => {
      value = step(bytes, value);
    },
    digest: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value >>> 0);
      return bytes.toString('base64');
    },
  };
};

/** Castagnoli's polynomial, reflected. */
const CRC32C_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

const crc32c = (bytes: Buffer, start: number): number => {
  let value = ~start;
  for (const byte of bytes) value = (CRC32C_TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value;
};

/** The polynomial of NVM Express, reflected, in two halves. A table row has the high half and then the low half. */
const CRC64_TABLE = Uint32Array.from({ length: 512 }, (_, index) => {
  let value = BigInt(index >> 1);
  for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ 0x9a6c9329ac4bc9b5n : value >> 1n;
  return Number(index & 1 ? value & 0xffffffffn : value >> 32n);
});

const crc64nvme = (): Digest => {
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    update: (bytes) => {
      for (const byte of bytes) {
        const row = ((low ^ byte) & 0xff) << 1;
        low = ((low >>> 8) | (high << 24)) ^ (CRC64_TABLE[row + 1] ?? 0);
        high = (high >>> 8) ^ (CRC64_TABLE[row] ?? 0);
      }
    },
    digest: () => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt32BE(~high >>> 0, 0);
      bytes.writeUInt32BE(~low >>> 0, 4);
      return bytes.toString('base64');
    },
  };
};

/** The algorithms by their names in the headers. */
const ALGORITHMS: Readonly<Record<string, () => Digest>> = {
  crc64nvme,
  crc32: () => crc(crc32),
  crc32c: () => crc(crc32c),
  sha1: () => hashed('sha1'),
  sha256: () => hashed('sha256'),
};

/** A checksum that the caller declared. Its value is missing when it follows in a trailer. */
export interface Declared {
  readonly algorithm: string;
  readonly value?: string;
}

/** The checksum in a request's headers (or in the query of a presigned URL). Throws for an unknown algorithm. */
export const declaredChecksum = (header: (name: string) => string | undefined): Declared | undefined => {
  const trailer = /^x-amz-checksum-(\w+)$/i.exec(header('x-amz-trailer') ?? '')?.[1]?.toLowerCase();
  if (trailer !== undefined) return known({ algorithm: trailer });
  for (const algorithm of Object.keys(ALGORITHMS)) {
    const value = header(`x-amz-checksum-${algorithm}`);
    if (value !== undefined) return known({ algorithm, value });
  }
  return undefined;
};

const known = (declared: Declared): Declared => {
  if (ALGORITHMS[declared.algorithm]) return declared;
  throw new ServiceError(
    'NotImplemented',
    `Checksum ${declared.algorithm} is not known to the embedded cloud`,
    501,
  );
};

/** Starts the checksum of an algorithm. */
export const startDigest = (algorithm: string): Digest => {
  const start = ALGORITHMS[algorithm];
  if (!start) throw new ServiceError('InvalidRequest', `Unknown checksum algorithm ${algorithm}`);
  return start();
};
