import { describe, expect, it } from 'vitest';
import { type BodyForm, readBody } from '../../shared/http/body.ts';
import { csvBody } from '../../shared/http/csv-body.ts';

/** The members of a body, or the status and the sentence of its refusal. */
const read = (type: string, body: Uint8Array | string, forms: readonly BodyForm[] = [csvBody]): unknown => {
  const parsed = readBody(type, Buffer.from(body), forms);
  return parsed.ok ? parsed.value : `${parsed.error.status} ${parsed.error.detail}`;
};

const text = 'name;note\r\nZoë;5 €\r\n';
const utf16le = Buffer.from(text, 'utf16le');
const utf16be = Buffer.from(text, 'utf16le').swap16();
const windows = Buffer.from(text.replace('€', '\u0080'), 'latin1');

describe('a body of text/csv', () => {
  it.each([
    ['UTF-8', 'text/csv', Buffer.from(text)],
    ['UTF-8 by its name', 'Text/CSV; charset="UTF-8"; header=present', Buffer.from(text)],
    ['Windows-1252', 'text/csv; charset=windows-1252', windows],
    ['Windows-1252 by the name iso-8859-1', 'text/csv;charset=ISO-8859-1', windows],
    ['UTF-16, little-endian', 'text/csv; charset=utf-16le', utf16le],
    ['UTF-16, big-endian', 'text/csv; charset=utf-16be', utf16be],
  ])('is read as %s', (_, type, bytes) => {
    expect(read(type, bytes)).toEqual({ csv: text });
  });

  it.each([
    ['UTF-8', 'text/csv', Buffer.from(`\ufeff${text}`)],
    ['UTF-16, little-endian', 'text/csv', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big-endian', 'text/csv; charset=utf-16', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('is read by the byte order mark of %s', (_, type, bytes) => {
    expect(read(type, bytes)).toEqual({ csv: `\ufeff${text}` });
  });

  it('is refused with the way out when its bytes are not text in its encoding', () => {
    const how = 'Name the encoding, for example Content-Type: text/csv; charset=windows-1252.';
    const notText = `400 The body is not text in the encoding of its Content-Type. ${how}`;
    expect(read('text/csv', windows)).toBe(notText);
    expect(read('text/csv; charset=utf-16le', utf16le.subarray(1))).toBe(notText);
    expect(read('text/csv; charset=utf-16be', utf16be.subarray(1))).toBe(notText);
    expect(read('text/csv', 'name\nZo\ufffd\n')).toBe(
      `400 Line 2 has U+FFFD, which stands for bytes that are not text in UTF-8. Correct the cell, or: ${how}`,
    );
    expect(read('text/csv; charset=utf-16', utf16le)).toBe(
      '400 The body has no byte order mark. Send charset=utf-16le or charset=utf-16be.',
    );
    for (const charset of ['koi8-r', 'constructor'])
      expect(read(`text/csv; charset=${charset}`, text)).toBe(
        '415 The charset must be utf-8, utf-16, utf-16le, utf-16be, windows-1252 or iso-8859-1.',
      );
  });

  it('is refused where the route takes JSON only, and another type is told what the route takes', () => {
    const json = '415 The body must be JSON in UTF-8: Content-Type: application/json.';
    expect(read('text/csv', text, [])).toBe(json);
    expect(read('text/plain', text)).toBe(`${json} Or: Content-Type: text/csv.`);
  });
});
