import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { openCursor, sealCursor } from '../../shared/http/cursor.ts';

const key = new Uint8Array(randomBytes(32));
const position = v.strictObject({ after: v.string() });
const cursor = sealCursor(key, 'imports', { after: 'ada@example.com' });
const open = (text: string, using = key, route = 'imports') => openCursor(using, route, text, position);

describe('a list cursor', () => {
  it('a cursor opens under its own list, and equal places have equal cursors', () => {
    expect(open(cursor)).toEqual({ after: 'ada@example.com' });
    expect(sealCursor(key, 'imports', { after: 'ada@example.com' })).toBe(cursor);
    expect(sealCursor(key, 'imports', { after: 'bob@example.com' })).not.toBe(cursor);
  });

  it('a cursor reveals nothing about its place', () => {
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('ada');
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it('a cursor does not open for another property or route', () => {
    expect(open(cursor, new Uint8Array(randomBytes(32)))).toBeUndefined();
    expect(open(cursor, key, 'exports')).toBeUndefined();
  });

  it('a cursor of an older shape does not open', () => {
    expect(open(sealCursor(key, 'imports', { page: 2 }))).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    'abc',
    '0',
    '-1',
    '__proto__',
    '{"after":"x"}',
    'A'.repeat(10_240),
    `${cursor}A`,
    `${cursor}=`,
  ])('the made-up cursor "%.20s" does not open', (text) => {
    expect(open(text)).toBeUndefined();
  });

  it('a cursor with a flipped bit or a cut end does not open', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(open(changed.toString('base64url'))).toBeUndefined();
    }
    for (let length = 0; length < cursor.length; length += 1)
      expect(open(cursor.slice(0, length))).toBeUndefined();
  });
});
