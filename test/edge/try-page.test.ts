import { createContext, Script } from 'node:vm';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { tryPage } from '../../functions/edge/try-page/page.ts';
import { script } from '../../functions/edge/try-page/script.ts';

const options = v.looseObject({
  persistAuthorization: v.boolean(),
  validatorUrl: v.null(),
  spec: v.looseObject({
    servers: v.array(v.unknown()),
    paths: v.record(
      v.string(),
      v.record(v.string(), v.looseObject({ responses: v.record(v.string(), v.unknown()) })),
    ),
    components: v.looseObject({ parameters: v.looseObject({ property_id: v.unknown() }) }),
  }),
});

/** An element as the script uses it: whatever it is told, and its listeners by event. */
const elementOf = (content?: string) => {
  const listeners = new Map<string, (event: object) => void>();
  return {
    ...{ hidden: false, textContent: '', content },
    children: new Array<unknown>(),
    addEventListener: (event: string, listener: (event: object) => void) => listeners.set(event, listener),
    append(...added: readonly unknown[]) {
      this.children.push(...added);
    },
    reset: () => undefined,
    querySelector: () => elementOf(),
    press: (event: string) => listeners.get(event)?.({ preventDefault: () => undefined }),
  };
};
type Element = ReturnType<typeof elementOf>;

interface Call {
  readonly address: string;
  readonly body: unknown;
}

const account = { account: 'Demo account', client_id: 'the-client', username: 'demo', password: 'a-secret' };

const answers: Readonly<Record<string, unknown>> = {
  '/openapi.json': openapi,
  '/oauth/token': { access_token: 'the-token' },
  '/v1/me': { account: { name: 'Harbour' }, properties: [{ id: 1002 }] },
  '/oauth/revoke': {},
};

/** A browser that keeps a property and has the page's elements, with what the script gives to Swagger UI and calls. */
const browserOf = (property: string | null, answered = answers) => {
  const given: v.InferOutput<typeof options>[] = [];
  const calls: Call[] = [];
  const tokens: unknown[] = [];
  const elements = new Map<string, Element>();
  const find = (name: string): Element => {
    const element = elements.get(name) ?? elementOf(name.startsWith('meta') ? JSON.stringify([account]) : '');
    elements.set(name, element);
    return element;
  };
  const browser = {
    matchMedia: () => ({ matches: true, addEventListener: () => undefined }),
    document: {
      documentElement: { classList: { toggle: () => true } },
      getElementById: find,
      querySelector: find,
      createElement: () => elementOf(),
    },
    localStorage: { getItem: () => property },
    location: { origin: 'http://localhost:8080' },
    FormData: Map,
    fetch: (address: string, { body = 'null' }: { readonly body?: string } = {}) => {
      calls.push({ address, body: JSON.parse(body) });
      const answer = answered[address];
      return Promise.resolve(answer instanceof Response ? answer.clone() : Response.json(answer));
    },
    SwaggerUIBundle: (settings: { readonly onComplete: () => void }) => {
      given.push(v.parse(options, JSON.parse(JSON.stringify(settings))));
      queueMicrotask(settings.onComplete);
      return {
        preauthorizeApiKey: (_: string, token: string) => tokens.push(token),
        authActions: { logout: () => tokens.push(undefined) },
      };
    },
    addEventListener: (_: string, listener: () => void) => {
      listener();
    },
  };
  new Script(script).runInContext(createContext(browser));
  return { given, calls, tokens, find };
};

/** What the script hands to Swagger UI in a browser that keeps a property. */
const givenBy = async (property: string | null) => {
  const { given } = browserOf(property);
  await expect.poll(() => given).toHaveLength(1);
  return given[0] ?? expect.unreachable();
};

it('the script gives Swagger UI the document with this host, and keeps no token', async () => {
  const { spec, persistAuthorization } = await givenBy(null);
  expect(persistAuthorization).toBe(false);
  expect(spec.servers).toEqual([{ url: 'http://localhost:8080' }]);
  expect(Object.keys(spec.paths)).toEqual(Object.keys(openapi.paths));
  const statuses = Object.values(spec.paths).flatMap((path) =>
    Object.values(path).flatMap(({ responses }) => Object.keys(responses)),
  );
  expect(new Set(statuses)).toEqual(new Set(['200', '201', '202', '303']));
});

it('the form has the property that the reader gave to the reference page', async () => {
  const parameter = async (kept: string | null) =>
    (await givenBy(kept)).spec.components.parameters.property_id;
  expect(await parameter('1001')).toMatchObject({ example: 1001 });
  expect(await parameter('the shop')).not.toHaveProperty('example');
});

/** A browser in which the reader pressed the button of the demo account. */
const signedIn = async (answered = answers) => {
  const browser = browserOf('1001', answered);
  const { find } = browser;
  await expect.poll(() => browser.given).toHaveLength(1);
  const button = find('demo').children.find((child) => typeof child === 'object');
  v.parse(v.looseObject({ press: v.function() }), button).press('click');
  return browser;
};

it('a demo account signs in with one click: its token authorizes calls, and its property is in the forms', async () => {
  const { given, calls, tokens, find } = await signedIn();
  await expect.poll(() => given).toHaveLength(2);
  expect(calls.find(({ address }) => address === '/oauth/token')?.body).toEqual({
    ...{ grant_type: 'password', client_id: 'the-client', username: 'demo', password: 'a-secret' },
    expires_in: 28_800,
  });
  expect(tokens).toEqual(['the-token']);
  expect(given[1]?.spec.components.parameters.property_id).toMatchObject({ example: 1002 });
  expect(find('who').textContent).toBe('demo, Harbour');
  expect(find('sign-in').hidden).toBe(true);
});

it('two presses of a button at once sign in once: the page would forget one of two tokens', async () => {
  const browser = browserOf('1001');
  await expect.poll(() => browser.given).toHaveLength(1);
  const button = browser.find('demo').children.find((child) => typeof child === 'object');
  const { press } = v.parse(v.looseObject({ press: v.function() }), button);
  press('click');
  press('click');
  await expect.poll(() => browser.given).toHaveLength(2);
  expect(browser.calls.filter(({ address }) => address === '/oauth/token')).toHaveLength(1);
});

it('signing out ends the token at the service, and no address had it', async () => {
  const { calls, tokens, find, given } = await signedIn();
  await expect.poll(() => given).toHaveLength(2);
  find('#signed-in button').press('click');
  await expect.poll(() => find('sign-in').hidden).toBe(false);
  expect(calls.at(-1)).toEqual({ address: '/oauth/revoke', body: { token: 'the-token' } });
  expect(tokens).toEqual(['the-token', undefined]);
  expect(calls.map(({ address }) => address).join(' ')).not.toContain('the-token');
});

it('a sign-in that is refused says why, in the words of the service', async () => {
  const refusal = Response.json({ error: 'invalid_grant', error_description: 'Wrong.' }, { status: 400 });
  const { find, tokens } = await signedIn({ ...answers, '/oauth/token': refusal });
  await expect.poll(() => find('says').textContent).toBe('Wrong.');
  expect(tokens).toEqual([]);
});

it('a page without demo accounts names none, and the names of others are only text', () => {
  expect(tryPage('[]')).not.toContain('<meta name="demo-accounts"');
  expect(tryPage('["\\"><script>"]')).toContain('content="[&quot;\\&quot;&gt;&lt;script&gt;&quot;]"');
});
