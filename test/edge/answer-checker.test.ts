import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../local/http-api/server.ts';
import { answerChecker } from '../support/answer-checker.ts';

const headers = [['content-type', 'application/json']] as const;
const collection = {
  id: 1001000000001,
  name: 'Regulars',
  segments: [1001000000002],
  created: '2026-11-22T09:00:00.000Z',
  created_by: { id: 1, email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' },
};
const problem = {
  type: 'urn:tidemark:problem:not_found',
  title: 'Not Found',
  status: 404,
  code: 'not_found',
  detail: 'There is no collection.',
  request_id: 'r',
};

/** The differences that one exchange shows: a read of a collection, with some parts replaced. */
const differencesOf = (
  answer: Partial<Omit<Exchange['answer'], 'body'>> & { readonly body: unknown },
  request: Partial<Omit<Exchange, 'answer'>> = {},
): readonly string[] => {
  const checker = answerChecker();
  checker.onExchange({
    route: 'GET /v1/{property_id}/collections/{collection_id}',
    method: 'GET',
    target: '/v1/1001/collections/1001000000001',
    contentType: undefined,
    sent: Buffer.alloc(0),
    ...request,
    answer: { status: 200, headers, ...answer, body: Buffer.from(JSON.stringify(answer.body)) },
  });
  return checker.differences();
};

const refused = { status: 404, headers: [['content-type', 'application/problem+json']] } as const;

describe('the comparison of answers with the API document', () => {
  it('finds nothing in an answer that the document describes', () => {
    expect(differencesOf({ body: collection })).toEqual([]);
    expect(differencesOf({ ...refused, body: problem })).toEqual([]);
  });

  it.each([
    ['an undocumented field', { body: { ...collection, colour: 'blue' } }, 'additionalProperty'],
    ['a missing field', { body: { id: 1 } }, 'required'],
    ['an undocumented status', { status: 418, body: collection }, 'the status'],
    ['an undocumented header', { headers: [...headers, ['x-new', '1']], body: collection }, 'x-new'],
    ['an undocumented media type', { headers: [['content-type', 'text/html']], body: '' }, 'text/html'],
    ['a code of another route', { ...refused, body: { ...problem, code: 'in_use' } }, 'in_use'],
    ['a code of no registry', { ...refused, body: { ...problem, code: 'oops' } }, 'oops'],
  ] as const)('finds %s', (_, answer, name) => {
    expect(differencesOf(answer).join('\n')).toContain(name);
  });

  it('finds an accepted parameter and an accepted body that the document does not describe', () => {
    expect(differencesOf({ body: collection }, { target: '/v1/1001/collections/1?colour=blue' })).toEqual([
      expect.stringContaining('colour'),
    ]);
    const made = { route: 'POST /v1/{property_id}/collections', method: 'POST' } as const;
    const sent = Buffer.from(JSON.stringify({ name: 'Regulars', segments: [1], colour: 'blue' }));
    const differences = differencesOf(
      { status: 201, body: collection },
      { ...made, contentType: 'application/json', sent },
    );
    expect(differences).toEqual([expect.stringContaining('the accepted body')]);
  });

  it('finds a route that the document does not have', () => {
    expect(differencesOf({ body: {} }, { route: 'GET /v1/{property_id}/colours' })).toEqual([
      expect.stringContaining('is not in the document'),
    ]);
  });
});
