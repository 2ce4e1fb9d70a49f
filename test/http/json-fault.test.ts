import { describe, expect, it } from 'vitest';
import { parseJsonBody, jsonFaultAt } from '../../shared/http/json.ts';

describe('the place of a fault in a JSON body', () => {
  it.each([
    ['{"a":}', 5],
    ['{a:1}', 1],
    ['{"a":1', 6],
    ['{"a":1}x', 7],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['[1,2,,3]', 5],
    ['{"a":[1 2]}', 8],
    ['{"a":"x\ny"}', 7],
    ['{"a":"\\x"}', 6],
    ['{"a":01}', 6],
    ['{"a":tru}', 5],
    ['{"a":[}', 6],
    ['{"ä":}', 6],
    ['', 0],
  ])('%# is the number of bytes before it', (text, place) => {
    expect(() => {
      JSON.parse(text);
    }).toThrow();
    expect(jsonFaultAt(text)).toBe(place);
  });

  it('lies behind the end of a text that is JSON', () => {
    const text = ' {"a": [1, -2.5e3, true, null, {}, [], "\\u00e4\\""], "b": {"c": "d"}} ';
    expect(JSON.parse(text)).toBeDefined();
    expect(jsonFaultAt(text)).toBe(Buffer.byteLength(text));
  });

  it('is told in the answer, without a character of the body', () => {
    const read = parseJsonBody(Buffer.from('{"email": ada@example.org}'));
    expect(read.ok ? '' : read.error.detail).toBe('The body is not valid JSON: it goes wrong at byte 10.');
  });
});
