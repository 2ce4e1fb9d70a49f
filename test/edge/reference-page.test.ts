import { runInNewContext, Script } from 'node:vm';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { referencePage } from '../../functions/edge/page/page.ts';
import { searchScript, synonyms } from '../../functions/edge/page/search.ts';

/** The visible text of a part of the page, a line for each paragraph, heading and list entry. */
const shown = (page: string): readonly string[] =>
  page
    .replaceAll(/<\/(?:p|h\d|dt|dd|li|pre|button|summary|figcaption)>/g, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const section = (page: string, id: string): string =>
  new RegExp(`<section id="${id}">[^]*?</section>`).exec(page)?.[0] ?? '';

const thing = {
  type: 'object',
  description: 'A <thing>.',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20, description: 'The name, as `text`.' },
    schedule: {
      anyOf: [
        { type: 'object', properties: { hour: { type: 'integer', minimum: 0, maximum: 23 } } },
        { type: 'null' },
      ],
      description: 'When to run. Null: never.',
    },
    parts: { type: 'array', maxItems: 5, items: { $ref: '#/components/schemas/Part' } },
  },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Harbour', description: 'Rules.\n\n1. **One**\n2. `two`' },
  servers: [{ url: 'https://api.example.org' }],
  tags: [{ name: 'Things', description: 'Make things.' }],
  paths: {
    '/v1/{property_id}/things/{thing_id}': {
      post: {
        operationId: 'makeThing',
        summary: 'Make a <thing>; nothing else',
        description: 'Make a <thing>; nothing else.',
        tags: ['Things'],
        'x-also-at': ['/things'],
        parameters: [
          { $ref: '#/components/parameters/property_id' },
          { name: 'thing_id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'parts', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'dry', in: 'query', schema: { type: 'boolean' }, description: 'Only try.', example: true },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ThingInput' },
              example: { name: "Ada's", open: true, none: null },
            },
          },
        },
        responses: {
          '201': {
            description: 'Made.',
            headers: { Link: { description: 'The next page.' } },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Part' }, example: { id: 7 } },
            },
          },
          '400': { $ref: '#/components/responses/Bad' },
        },
        'x-error-codes': ['bad_request'],
        'x-example': { path: { thing_id: 12 }, query: { parts: ['a&b', 'c'] } },
      },
    },
  },
  webhooks: {
    'thing.made': {
      post: {
        summary: 'A thing was made',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Part' } } } },
        responses: { '200': { description: 'You have it.' } },
      },
    },
  },
  components: {
    parameters: {
      property_id: {
        name: 'property_id',
        in: 'path',
        required: true,
        schema: { type: 'integer' },
        example: 1001,
      },
    },
    responses: { Bad: { description: 'Malformed.' } },
    schemas: {
      ThingInput: thing,
      Part: { type: 'object', properties: { id: { type: 'integer', description: 'Its id.' } } },
      ProblemCode: {
        type: 'string',
        enum: ['bad_request'],
        'x-enum-descriptions': ['The request is malformed.'],
      },
    },
  },
};

const page = referencePage(document);
const makeThing = section(page, 'makeThing');

describe('the reference page', () => {
  it('the contents list each operation by title in the group of its tag, and can be searched by path', () => {
    const contents = /<nav[^]*?<\/nav>/.exec(page)?.[0] ?? '';
    expect(shown(contents)).toContain('POST Make a &lt;thing&gt;');
    expect(contents).toContain('<summary>Things</summary>');
    expect(contents).toMatch(/data-find="[^"]*\/v1\/\{property_id\}\/things[^"]*makething"/);
  });

  it('an operation shows its fields with types, bounds and sentences, and opens nullable objects', () => {
    const lines = shown(makeThing);
    expect(lines).toContain('name string, 1 to 20 characters required');
    expect(makeThing).toContain('<p>The name, as <code>text</code>.</p>');
    expect(lines).toContain('schedule object or null');
    expect(lines).toContain('hour integer, 0 to 23');
    expect(lines).toContain('dry boolean in the query');
    expect(makeThing).toContain('list of <a href="#Part">Part</a>, at most 5 items');
    expect(lines).toContain('Also at /things.');
  });

  it('a description that repeats the summary is shown once', () => {
    expect(shown(makeThing).filter((line) => line.includes('nothing else'))).toHaveLength(1);
  });

  it('the fields of an operation and of a model are in a part that is open without the script', () => {
    const opened = '<details class="part" open><summary>';
    expect(makeThing).toContain(`${opened}Fields, answer and errors</summary>`);
    expect(section(page, 'Part')).toContain(`${opened}Fields</summary><dl>`);
    expect(section(page, 'ProblemCode')).toContain(`${opened}Values</summary><dl>`);
  });

  it('an operation links to its form on the page that sends it, and a webhook does not', () => {
    expect(makeThing).toContain('href="/docs/try#/Things/makeThing"');
    expect(section(page, 'webhook-thing.made')).not.toContain('/docs/try');
  });

  it('an operation links its error codes to their meanings', () => {
    expect(makeThing).toContain('<a href="#ProblemCode.bad_request">');
    expect(page).toMatch(/<dt id="ProblemCode\.bad_request">[^]*?The request is malformed\./);
  });

  it('an operation shows its example as curl, JavaScript and Python, and the answer', () => {
    const address = 'https://api.example.org/v1/<var>1001</var>/things/12?parts=a%26b,c&amp;dry=true';
    expect(makeThing.split(address)).toHaveLength(3);
    expect(makeThing).toContain(String.raw`Ada'\''s`);
    expect(makeThing).toContain('&quot;open&quot;: True');
    expect(makeThing).toContain('&quot;none&quot;: None');
    expect(shown(makeThing)).toContain('Example answer, 201');
    expect(makeThing).toContain('&quot;id&quot;: 7');
  });

  it('an operation without an example gets a sample with all required fields', () => {
    const post = document.paths['/v1/{property_id}/things/{thing_id}'].post;
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/ThingInput' } } };
    const bare = { ...document, paths: { '/things': { post: { ...post, requestBody: { content } } } } };
    expect(section(referencePage(bare), 'makeThing')).toContain('&quot;name&quot;: &quot;…&quot;');
  });

  it('the page shows webhooks, and the lists and words of the description', () => {
    expect(shown(section(page, 'webhook-thing.made'))).toContain('A thing was made');
    expect(page).toContain('<ol><li><strong>One</strong></li><li><code>two</code></li></ol>');
  });

  it('the JavaScript samples of all operations are JavaScript', () => {
    const real = referencePage(openapi);
    const samples = [...real.matchAll(/<pre class="javascript"[^>]*>([^]*?)<\/pre>/g)].map(([, text = '']) =>
      text
        .replaceAll(/<\/?var>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&gt;', '>')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&'),
    );
    expect(samples.length).toBeGreaterThan(70);
    for (const text of samples)
      expect(
        () =>
          new Script(`async () => {${text}
}`),
        text,
      ).not.toThrow();
  });

  it('begins with a first call in three lines, and folds the rules', () => {
    const first = section(page, 'first-call');
    const [, text = ''] = /<pre[^>]*>([^]*?)<\/pre>/.exec(first) ?? [];
    expect(text.split('\n\n')).toHaveLength(3);
    for (const language of ['curl', 'tidemark', 'javascript', 'python'])
      expect(first).toContain(`<pre class="${language}"`);
    expect(first).not.toContain('endpoints.json');
    const local = referencePage({ ...document, servers: [{ url: 'http://127.0.0.1:8080' }] });
    expect(section(local, 'first-call')).toContain('endpoints.json');
    expect(text).toContain('https://api.example.org/v1/<var>1001</var>/profiles');
    expect(page).toContain('<details><summary>The rules that all operations share</summary><p>Rules.</p>');
  });

  it('offers to show all of an example that its box cuts, and of no other', () => {
    const example = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`member${at}`, at]));
    const post = document.paths['/v1/{property_id}/things/{thing_id}'].post;
    const responses = { '200': { description: 'Long.', content: { 'application/json': { example } } } };
    const long = { ...document, paths: { '/things': { post: { ...post, responses } } } };
    expect(makeThing).not.toContain('class="more');
    expect(section(referencePage(long), 'makeThing')).toMatch(/<\/pre><button[^>]*>Show all 32 lines</);
  });

  it('every link of the page leads somewhere', () => {
    const real = referencePage(openapi);
    const ids = new Set([...real.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const dead = [...real.matchAll(/href="#([^"]+)"/g)].filter(([, to]) => !ids.has(to));
    expect(dead.map(([, to]) => to)).toEqual([]);
  });
});

const entries = [
  {
    id: 'forgetProfile',
    name: 'forget a person /v1/{property_id}/profile forgetprofile',
    text: 'erases the person.',
  },
  { id: 'undoImportJob', name: 'undo an import job undoimportjob', text: 'takes values back. delete.' },
  {
    id: 'createExport',
    name: 'create an export createexport',
    text: 'a person with consent. notification_email',
  },
  { id: 'issueToken', name: 'sign in issuetoken', text: 'gives a token. client_id' },
];

/** The ids that a query finds, the best first. */
const found = (query: string): readonly string[] => {
  const call = `${searchScript} find(${JSON.stringify(query)}, ${JSON.stringify(entries)}).map(({ id }) => id)`;
  const result: unknown = runInNewContext(call);
  return v.parse(v.array(v.string()), JSON.parse(JSON.stringify(result)));
};

describe('the search of the reference page', () => {
  it.each([
    ['Forget', ['forgetProfile']],
    ['client_id', ['issueToken']],
    ['notification_email', ['createExport']],
    ['a person', ['forgetProfile', 'createExport']],
    ['takes values', ['undoImportJob']],
    ['', []],
    ['the', []],
    ['nothing of the kind', []],
  ])('finds %j in names, sentences and fields', (query, ids) => {
    expect(found(query)).toEqual(ids);
  });

  it.each([
    ['take back', 'undoImportJob'],
    ['Delete a person', 'forgetProfile'],
    ['delete pers', 'forgetProfile'],
    ['gdpr', 'forgetProfile'],
    ['newsletter', 'createExport'],
    ['login', 'issueToken'],
    ['passwords', 'issueToken'],
  ])('knows other words for operations: %j', (query, id) => {
    expect(found(query)[0]).toBe(id);
  });

  it('takes no synonym from inside a word', () => {
    expect(found('unsubscribe')).not.toContain('createExport');
  });

  it('has synonyms for operations that there are', () => {
    const named = JSON.stringify(openapi).matchAll(/"operationId":"([^"]+)"/g);
    const ids = new Set([...named].map(([, id]) => id));
    expect(synonyms.flatMap(([, operations]) => operations).filter((id) => !ids.has(id))).toEqual([]);
  });
});
