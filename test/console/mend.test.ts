import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../console/src/screens/import/mend-facts.ts';
import { MOST_ROWS, reportFile } from '../../console/src/screens/import/report-file.ts';
import { rowsIn as rowsOf, withEdits } from '../../console/src/screens/import/report-rows.ts';
import { rowsIn, suggestedFor } from '../../console/src/screens/import/replacements.ts';
import { titleOf, wordsOfRow } from '../../console/src/screens/import/row-words.ts';
import { plainWords } from '../../console/src/screens/import/targets.ts';
import { texts as de } from '../../console/src/texts/de.ts';
import { en } from '../../console/src/texts/en.ts';
import { emailFault, oddLetters } from '../../shared/http/email-fault.ts';
import { valueFaults } from '../../shared/http/fault-codes.ts';
import { rowFaults, rowWarnings } from '../../shared/http/row-codes.ts';

const path = { import_id: 1, job_id: 2 };
const reasons = 'batch_job_uuid,row,line,field,column,code,message';
const refusedRow = (cell: string, row: number, code = 'not_an_email'): string =>
  `"${cell}",b,${row},${row},email,Mail,${code},"Mail (email): No."\r\n`;

/** The group of the rows with these addresses. */
const groupOf = (cells: readonly string[]) => {
  const csv = [`Mail,${reasons}\r\n`, ...cells.map((cell, at) => refusedRow(cell, at))].join('');
  const [group] = groupsOf([], { ...rowsOf(csv), next: undefined }, undefined);
  if (group === undefined) throw new Error('no group');
  return group;
};

describe('the words for refused rows', () => {
  it('are there in both languages, for codes that the service has', () => {
    const known = { ...valueFaults, identity_missing: {}, ...rowFaults, ...rowWarnings };
    expect(Object.keys(de.rows.codes)).toEqual(Object.keys(en.rows.codes));
    for (const code of Object.keys(en.rows.codes)) expect(Object.keys(known)).toContain(code);
  });

  it.each(['x', 'a@b@c', '@x.org', 'a@', 'a@b', 'a@b..de', 'a b@x.org', 'a@x,org', '"a"@x.org', 'a@1.2.3.4'])(
    'say in German what the service says of %s',
    (text) => {
      const row = {
        code: 'not_an_email',
        column: 'Mail',
        field: 'email',
        message: `Mail (email): ${emailFault(text)}`,
      };
      expect(wordsOfRow(de, row)).toMatchObject({ isOwn: true });
      expect(wordsOfRow(en, row)).toEqual({ isOwn: false, text: emailFault(text) });
    },
  );

  it('leave no sentence about an address in English', () => {
    for (const message of [oddLetters, emailFault(`${'a'.repeat(65)}@x.org`), emailFault('\u00b4@x.org')])
      expect(wordsOfRow(de, { code: 'not_an_email', column: null, field: 'email', message }).isOwn).toBe(
        true,
      );
  });

  it('keep one group for one code, whatever is wrong with each cell', () => {
    const csv = `Mail,${reasons}\r\n${refusedRow('x', 1)}${refusedRow('y@', 2).replace('No.', 'Nothing follows.')}`;
    const groups = groupsOf([], { ...rowsOf(csv), next: undefined }, undefined);
    expect(groups.map((group) => [titleOf(en, group.code), group.rows.length])).toEqual([
      ['Not an e-mail address', 2],
    ]);
  });

  it('have no names of settings and fields', () => {
    expect(plainWords(en, 'Leaves them out of the identities (`not_identities`). A row is refused.')).toBe(
      'Leaves them out of the identities. A row is refused.',
    );
    expect(plainWords(en, 'Its name means unique_id.')).toBe('Its name means “Customer id”.');
    expect(plainWords(de, 'Its name means has_children.')).toBe('Der Name bedeutet „Kinder“.');
    expect(plainWords(en, 'Keeps the column as extra data, and not as unique_id.')).toContain(
      '“Customer id”',
    );
  });
});

describe('the replacement that is offered', () => {
  it('is the slip of the most rows, and leaves the other rows alone', () => {
    const group = groupOf(['a (at) x.org', 'b(at)x.org', 'c@x,org', 'unbekannt']);
    const offer = suggestedFor(group, new Map());
    expect(offer).toMatchObject({ from: '(at)', to: '@' });
    expect(offer?.changes.map(({ text }) => text)).toEqual(['a@x.org', 'b@x.org']);
  });

  it('is none for one row, for rows that were changed, and where nothing becomes an address', () => {
    const group = groupOf(['a(at)x.org', 'b(at)x.org', 'c d', 'e f', 'a@x.org, b@y.org', 'c@x.org, d@y.org']);
    const offer = suggestedFor(group, new Map());
    expect(offer?.from).toBe('(at)');
    expect(suggestedFor(group, withEdits(new Map(), offer?.changes ?? []))).toBeUndefined();
    const own = (offer?.changes ?? []).map((change) => ({ ...change, text: 'z(at)x.org' }));
    expect(suggestedFor(group, withEdits(new Map(), own))).toBeUndefined();
    expect(suggestedFor(groupOf(['a(at)x.org']), new Map())).toBeUndefined();
  });
});

const sent = v.object({
  query: v.object({ cursor: v.optional(v.string()), limit: v.number() }),
  signal: v.instance(AbortSignal),
});

/** A service with so many refused rows. It notes how many requests were open at once. */
const serviceWith = (rows: number) => {
  const seen = { requests: 0, open: 0, most: 0 };
  const page = (from: number, limit: number): Response => {
    const to = Math.min(rows, from + limit);
    const lines = Array.from({ length: to - from }, (_, at) => refusedRow('x', from + at));
    const next = to < rows ? { link: `<https://x.example/?cursor=${to}&limit=${limit}>; rel="next"` } : {};
    return new Response(`Mail,${reasons}\r\n${lines.join('')}`, { headers: next });
  };
  const response = async (_: string, call: unknown): Promise<Response> => {
    const { query, signal } = v.parse(sent, call);
    await Promise.resolve();
    if (signal.aborted) throw new DOMException('aborted', 'AbortError');
    seen.requests += 1;
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    const answer = page(Number(query.cursor ?? 0), query.limit);
    await Promise.resolve();
    seen.open -= 1;
    return answer;
  };
  return { seen, api: { response } };
};

describe('the file of all refused rows', () => {
  it('has each row once, below one header, and counts them', async () => {
    const { api, seen } = serviceWith(2_500);
    const counts: number[] = [];
    const { signal } = new AbortController();
    const file = await reportFile(api, path, {
      report: 'listImportErrors',
      delimiter: 'comma',
      signal,
      onRows: (n) => counts.push(n),
    });
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2_501);
    expect(new Set(lines).size).toBe(2_501);
    expect(counts).toEqual([1_000, 2_000, 2_500]);
    expect(seen).toMatchObject({ requests: 3, most: 1 });
  });

  it('ends at its bound, however many rows there are', async () => {
    const { api, seen } = serviceWith(MOST_ROWS + 5_000);
    const { signal } = new AbortController();
    let last = 0;
    await reportFile(api, path, {
      report: 'listImportErrors',
      delimiter: 'comma',
      signal,
      onRows: (rows) => {
        last = rows;
      },
    });
    expect(last).toBe(MOST_ROWS);
    expect(seen).toMatchObject({ requests: MOST_ROWS / 1_000, most: 1 });
  });

  it('asks no more once the reader has left', async () => {
    const { api, seen } = serviceWith(50_000);
    const ends = new AbortController();
    const onRows = (): void => ends.abort();
    const file = reportFile(api, path, {
      report: 'listImportErrors',
      delimiter: 'comma',
      signal: ends.signal,
      onRows,
    });
    await expect(file).rejects.toThrow('aborted');
    expect(seen.requests).toBe(1);
  });
});

describe('a job of a million rows with 100,000 refused', () => {
  it('is grouped and mended without a copy for each row', () => {
    const group = groupOf(Array.from({ length: 100_000 }, (_, at) => `a${at}(at)x.org`));
    const changes = suggestedFor(group, new Map())?.changes ?? [];
    expect(rowsIn(changes)).toBe(100_000);
    // A copy of the edits for each of them would take minutes.
    expect(withEdits(new Map(), changes).size).toBe(100_000);
  });
});
