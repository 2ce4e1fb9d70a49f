import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailFault } from '../../shared/http/email-fault.ts';

describe('the sentence about a text that is no e-mail address', () => {
  it.each([
    ['unbekannt', 'it has no "@"'],
    ['besucher.58(at)example.org', 'it has no "@"'],
    ['a@b@example.org', 'it has two "@"'],
    ['a@example.org, b@example.org, c@example.org', 'it has several "@"'],
    ['bob @example.org', 'it has a space in it'],
    ['bob@exam\u00a0ple.org', 'it has a space in it'],
    ['bob@example,org', 'it has "," in it'],
    ['bob@exa_mple.org', 'it has "_" in it'],
    ['"bob"@example.org', 'it has a quote in it'],
    ['bob\u00b4s@example.org', 'it has a sign that no address has in it'],
    ['@example.org', 'nothing stands before the "@"'],
    ['bob@', 'nothing follows the "@"'],
    ['bob@example', 'its domain has no dot'],
    ['bob@example.org.', 'a dot stands at an end or beside another dot'],
    ['.bob@example.org', 'a dot stands at an end or beside another dot'],
    ['bob@example..org', 'a dot stands at an end or beside another dot'],
    ['bob@10.0.0.1', 'such a domain cannot exist'],
    ['bob@example.o', 'such a domain cannot exist'],
    [`${'b'.repeat(65)}@example.org`, 'over 64 characters stand before the "@"'],
    [`bob@${'example.'.repeat(40)}org`, 'it has over 320 characters'],
  ])('%s', (text, wrong) => {
    expect(emailFault(text)).toBe(`Is not an e-mail address: ${wrong}.`);
  });

  it('holds nothing of the text but one sign', () => {
    const named = /it has (?:"[!-~]"|a space|a quote|a sign that no address has) in it/;
    const said = new Set<string>();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', 'ß', '1', '@', '.', ' ', ',', '"', '-') }),
        (text) => {
          said.add(emailFault(text).replace(named, ''));
        },
      ),
    );
    // Each sentence of the table above, and no other.
    expect(said.size).toBeGreaterThan(5);
    expect(said.size).toBeLessThan(12);
  });
});
