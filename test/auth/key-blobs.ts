import { parseKeys } from '../../shared/auth/ssh-keys.ts';

/** Fields of a key blob (RFC 4253, 6.6), each behind its length. */
export const blobOf = (...fields: readonly Buffer[]): Buffer =>
  Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(field.length);
      return [length, field];
    }),
  );

/** A public key line of any bytes. */
export const lineOf = (type: string, blob: Buffer): string => `${type} ${blob.toString('base64')}`;

/** An RSA key line of any numbers, in hex. */
export const rsaLine = (e: string, n: string): string =>
  lineOf('ssh-rsa', blobOf(Buffer.from('ssh-rsa'), Buffer.from(e, 'hex'), Buffer.from(n, 'hex')));

/** The reason for which a text of keys is refused. */
export const refusalOf = (text: string): string => {
  const parsed = parseKeys(text);
  return parsed.ok ? 'taken' : parsed.error;
};
