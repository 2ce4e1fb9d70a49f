import * as v from 'valibot';
import { expect, it } from 'vitest';
import { authenticator, type Authenticator } from '../../shared/auth/authenticator.ts';
import { limits } from '../../shared/config/limits.ts';
import { permit } from '../../shared/http/permit.ts';
import { allPermissions, allRoles } from '../../shared/http/permissions.ts';
import { sha256 } from '../../shared/runtime/hash.ts';
import { pick, seeded, type Choose } from '../ingest/interleave.ts';
import { jsonOf } from '../support/answers.ts';
import { casesOf } from '../support/scale.ts';
import { callerRoutes } from './caller-routes.ts';
import {
  authHarness,
  beginDeletion,
  credentials,
  makeAccount,
  must,
  PASSWORD,
  type AuthHarness,
} from './harness.ts';
import { PermissionModel, userOf, type Asked, type Might, type ModelToken } from './permission-model.ts';

const HISTORIES = casesOf('TOKEN_HISTORIES', { full: 600, sample: 50 });
const STEPS = 60;

const steps = [
  ...['sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'sign-in', 'role', 'role', 'time', 'time'],
  ...['enabling', 'enabling', 'new user', 'new user', 'new property', 'end of a property'],
  ...['password', 'revocation', 'disabling', 'deletion', 'end of a token'],
] as const;

const answer = v.union([
  v.object({ access_token: v.string(), scope: v.string() }),
  v.object({ error: v.string() }),
]);

const markOf = ({ secret }: ModelToken): string => sha256(secret).slice(0, 8);

/** Two accounts, three users, two warm processes, and the model beside them. */
class Story {
  readonly harness: AuthHarness = authHarness();
  readonly model = new PermissionModel(limits.auth.tokenCacheSeconds * 1_000);
  /** The steps so far. */
  readonly taken: string[] = [];
  readonly #choose: Choose;
  readonly #processes: Authenticator[];
  #accounts: { account: number; property: number; client_id: string }[] = [];
  #addresses = 0;

  constructor(seed: number) {
    this.#choose = seeded(seed);
    this.#processes = [this.#process(), this.#process()];
  }

  #process(): Authenticator {
    return authenticator({ credentials: this.harness.credentials, clock: this.#now });
  }

  readonly #now = (): number => this.harness.time.now;

  async begin(): Promise<void> {
    for (const username of ['ada', 'eve']) {
      const { account, property, client_id } = await makeAccount(this.harness, username);
      this.#accounts.push({ account, property, client_id });
      this.model.properties.set(property, account);
      this.model.users.set(username, userOf(account, PASSWORD));
    }
    await this.#createUser('bob');
    this.model.note(this.#now());
  }

  /** A step of somebody, by chance. */
  async step(): Promise<void> {
    const username = pick(['ada', 'ada', 'bob', 'eve'], this.#choose);
    const step = pick(steps, this.#choose);
    this.taken.push(step);
    await this.#steps[step](username);
    this.model.note(this.#now());
  }

  readonly #steps: Readonly<Record<(typeof steps)[number], (username: string) => Promise<unknown>>> = {
    'sign-in': (username) => this.#signIn(username),
    role: (username) => {
      const role = pick(allRoles, this.#choose);
      return this.#change('user.role', username, { role }, (user) => (user.role = role));
    },
    password: (username) => {
      const password = `a passphrase of ${this.#choose(1_000)}`;
      return this.#change('user.password', username, { password }, (user) => {
        user.password = password;
        user.epoch += 1;
      });
    },
    revocation: (username) => this.#change('token.revoke', username, {}, (user) => (user.epoch += 1)),
    disabling: (username) =>
      this.#change('user.disable', username, {}, (user) => {
        user.isDisabled = true;
        user.epoch += 1;
      }),
    enabling: (username) => this.#change('user.enable', username, {}, (user) => (user.isDisabled = false)),
    deletion: async (username) => {
      if (!(await this.harness.run({ command: 'user.delete', username })).ok) return;
      expect(this.model.users.delete(username)).toBe(true);
    },
    'new user': async (username) => {
      if (!this.model.users.has(username)) await this.#createUser(username);
    },
    'end of a token': () => this.#end(),
    'new property': async () => {
      const { account } = pick(this.#accounts, this.#choose);
      const made = must(await this.harness.run({ command: 'property.create', account, name: 'More' }));
      this.model.properties.set(Number(made['property']), account);
    },
    'end of a property': async () => {
      const [property, account] = pick([...this.model.properties], this.#choose);
      if (this.model.properties.size < 3) return;
      await beginDeletion(this.harness, { account, property, client_id: '', username: '' });
      this.model.properties.delete(property);
    },
    time: () => {
      this.harness.time.now += pick(
        [1, 1_000, 10_000, 24_999, 25_000, 3_600_000, 2_592_000_000],
        this.#choose,
      );
      return Promise.resolve();
    },
  };

  async #createUser(username: string): Promise<void> {
    const { account } = username === 'eve' ? this.#accountAt(1) : this.#accountAt(0);
    const person = { email: 'x@example.com', first_name: 'X', last_name: 'Y', password: PASSWORD };
    must(await this.harness.run({ command: 'user.create', account, username, ...person }));
    this.model.users.set(username, userOf(account, PASSWORD));
  }

  #accountAt(at: number) {
    const found = this.#accounts[at];
    if (!found) throw new Error('no such account');
    return found;
  }

  async #change(
    command: string,
    username: string,
    more: object,
    change: (user: NonNullable<ReturnType<PermissionModel['users']['get']>>) => unknown,
  ): Promise<void> {
    const user = this.model.users.get(username);
    const outcome = await this.harness.run({ command, username, ...more });
    expect(outcome.ok).toBe(user !== undefined);
    if (user) change(user);
  }

  async #signIn(username: string): Promise<void> {
    const choose = this.#choose;
    const word = () => pick(allPermissions, choose);
    const scopes = [null, word(), `${word()} ${word()}`, allPermissions.join(' ')] as const;
    const [scope, id] = [pick(scopes, choose), pick(this.model.everyProperty, choose)];
    const name = choose(3) === 0 ? 'Key' : undefined;
    const asked: Asked = {
      ...(scope !== null && { scope }),
      ...(choose(3) === 0 && { property_ids: [id] }),
      ...(name !== undefined && { name }),
      ...(choose(3) === 0 && { expires_in: pick([1, 30, 3_600, 2_592_000], choose) }),
    };
    const password = this.model.users.get(username)?.password ?? PASSWORD;
    const { client_id } = username === 'eve' ? this.#accountAt(1) : this.#accountAt(0);
    this.#addresses += 1;
    const sent = await this.harness.send({
      body: { ...credentials({ client_id, username }, password), ...asked },
      sourceIp: `10.0.${Math.floor(this.#addresses / 200)}.${this.#addresses % 200}`,
    });
    const told = v.parse(answer, jsonOf(sent));
    const expected = this.model.answerTo(username, password, asked, this.#now());
    expect('error' in told ? { error: told.error } : told.scope).toEqual(expected);
    if ('error' in told) return;
    this.model.made(username, told.access_token, told.scope, asked, this.#now());
  }

  /** A token ends: by the hand of an operator, by another token of the user, or by whoever holds it. */
  async #end(): Promise<void> {
    const good = this.model.inForce(this.#now());
    if (good.length === 0) return;
    const token = pick(good, this.#choose);
    const by = pick(
      good.filter(({ user }) => user === token.user),
      this.#choose,
    );
    const routes = callerRoutes(this.harness);
    const way = this.#choose(3);
    const isEnded = way !== 1 || this.model.isWithin(token, by, this.#now());
    if (way === 0) must(await this.harness.run({ command: 'token.revoke', token: token.secret }));
    else if (way === 1)
      expect((await routes.end(by.secret, markOf(token))).statusCode).toBe(isEnded ? 200 : 404);
    else expect((await routes.revoke({ body: { token: token.secret } })).statusCode).toBe(200);
    token.ended = isEnded;
  }

  /** What a process lets a token do. */
  async #seen(process: Authenticator, { secret }: ModelToken): Promise<Might | null> {
    const caller = await process.caller(`Bearer ${secret}`, undefined);
    if (!caller.ok) return null;
    const reached = [];
    for (const id of this.model.everyProperty)
      if ((await process.property(caller.value, String(id))).ok) reached.push(id);
    const permissions = allPermissions.filter((one) => permit(caller.value, one).ok);
    return { permissions, properties: reached };
  }

  /** Compares what processes let tokens do with the model. */
  async check(): Promise<void> {
    const now = this.#now();
    for (const token of this.model.tokens) {
      expect(await this.#seen(this.#process(), token)).toEqual(this.model.might(token, now));
      if (this.#choose(2) === 0) continue;
      const seen = await this.#seen(pick(this.#processes, this.#choose), token);
      expect(this.model.rightsLately(token, now)).toContainEqual(seen?.permissions ?? null);
      for (const id of seen ? this.model.everyProperty : [])
        expect(this.model.reachLately(token, id, now)).toContain(seen?.properties.includes(id));
    }
    await this.#checkList(now);
  }

  /** Compares the list of a token's user with the model. */
  async #checkList(now: number): Promise<void> {
    const good = this.model.inForce(now);
    if (good.length === 0) return;
    const acting = pick(good, this.#choose);
    const { secret, user } = acting;
    const listed = await callerRoutes(this.harness).tokens(secret);
    const expected = good
      .filter((token) => token.user === user && this.model.isWithin(token, acting, now))
      .map((token) => ({
        ...{ id: markOf(token), name: token.name, properties: token.properties },
        permissions: this.model.might(token, now)?.permissions,
        expires: new Date(token.expires).toISOString(),
      }));
    const byId = (one: { id: string }, two: { id: string }) => (one.id < two.id ? -1 : 1);
    const shown = listed.map(({ id, name, properties, permissions, expires }) => ({
      ...{ id, name, properties, permissions, expires },
    }));
    expect(shown.toSorted(byId)).toEqual(expected.toSorted(byId));
  }
}

/** Plays a history. Returns the story at its end. */
const played = async (seed: number): Promise<Story> => {
  const story = new Story(seed);
  try {
    await story.begin();
    for (let at = 0; at < STEPS; at += 1) {
      await story.step();
      await story.check();
    }
  } catch (error) {
    throw new Error(`history ${seed}: ${story.taken.join(', ')}`, { cause: error });
  }
  return story;
};

it('a token never exceeds its user, whatever happens to either', async () => {
  const taken = new Set<string>();
  let tokens = 0;
  for (let seed = 0; seed < HISTORIES; seed += 1) {
    const story = await played(seed);
    for (const step of story.taken) taken.add(step);
    tokens += story.model.tokens.length;
  }
  expect(taken).toEqual(new Set(steps));
  expect(tokens).toBeGreaterThan(5 * HISTORIES);
});
