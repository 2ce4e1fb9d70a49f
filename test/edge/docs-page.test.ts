import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { docsPage } from '../../shared/edge/docs-page.ts';
import { operationsOf } from '../../shared/edge/openapi.ts';

/** The visible text of a page: a line for each paragraph, heading, list entry and table row. */
const shown = (page: string): readonly string[] =>
  page
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<\/(?:td|th)>/g, ' ; ')
    .replaceAll(/<\/(?:p|h\d|tr|li)>/g, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const routes = [
  {
    name: 'makeThing',
    summary: 'Make a <thing>',
    paths: ['/v1/{property_id}/things', '/{property_id}/things', '/things'],
    trigger: {
      method: 'POST',
      auth: 'token',
      query: v.strictObject({ dry: v.optional(v.picklist(['yes', 'no'])) }),
      body: v.strictObject({
        name: v.pipe(v.string(), v.minLength(1), v.maxLength(20)),
        kind: v.literal('a'),
        tags: v.optional(v.array(v.string())),
        amount: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(9))),
        inner: v.array(v.strictObject({ count: v.optional(v.number(), 5) })),
        any: v.unknown(),
      }),
      answer: v.object({ id: v.string() }),
      statuses: [201, 202],
    },
  },
  {
    name: 'ping',
    summary: 'Tell that it lives',
    paths: ['/ping'],
    trigger: { method: 'GET', auth: 'none', internal: true, statuses: [200, 204] },
  },
] as const;
const pageOf = (): string => docsPage(operationsOf(routes), 'https://api.example.org');

describe('the API reference page', () => {
  it('the page links to every route', () => {
    const page = pageOf();
    const lines = shown(page);
    expect(lines).toContain('POST /v1/{property_id}/things');
    expect(lines).toContain('GET /ping internal');
    expect(page).toContain('<a href="#makeThing"><b class="post">POST</b>');
    expect(page).toContain('<section id="makeThing">');
  });

  it('the page shows all of a route: aliases, parameters, body, answer and errors', () => {
    const lines = shown(pageOf());
    const at = lines.indexOf('Make a &lt;thing&gt;. Also at /{property_id}/things, /things.');
    expect(lines.slice(at + 1, at + 19)).toEqual([
      'Parameters',
      'Name ; In ; Type ;  ;',
      'property_id ; path ; integer, ≥ 1 ; required ;',
      'dry ; query ; &quot;yes&quot; | &quot;no&quot; ;  ;',
      'Idempotency-Key ; header ; string ;  ;',
      'Body',
      'Field ; Type ;  ;',
      'name ; string, at least 1 characters, at most 20 characters ; required ;',
      'kind ; &quot;a&quot; ; required ;',
      'tags ; string[] ;  ;',
      'amount ; number, ≥ 0, ≤ 9 | null ; required ;',
      'inner ; object[] ; required ;',
      'inner[].count ; number, default 5 ;  ;',
      'any ; any ; required ;',
      'Answer 201, 202',
      'Field ; Type ;  ;',
      'id ; string ; required ;',
      'Errors: 400, 401, 404, 409, 413, 415, 422, 429, 500, 503.',
    ]);
  });

  it('the page shows only notes and statuses of a route without a body', () => {
    const lines = shown(pageOf());
    const at = lines.indexOf('Tell that it lives. No token needed. Internal.');
    expect(lines.slice(at, at + 4)).toEqual([
      'Tell that it lives. No token needed. Internal.',
      'Answers 200, 204.',
      'Errors: 400, 429, 500, 503.',
      'Errors',
    ]);
  });

  it('the page explains each error', () => {
    const page = pageOf();
    const lines = shown(page);
    const errors = lines.slice(lines.indexOf('Status ; When ;') + 1);
    expect(errors).toContain('503 ; Our fault; try again ;');
    expect(page).toContain('<a href="#errors">503</a>');
    expect(errors).toHaveLength(11);
  });
});
