import { allPermissions, type Permission, type Role } from '../../shared/http/permissions.ts';
import { mayDo } from '../edge/needed-permissions.ts';

/** What a token may do at a moment; null when it is refused. */
export interface Might {
  readonly permissions: readonly Permission[];
  readonly properties: readonly number[];
}

/** A user of the model. */
interface ModelUser {
  readonly account: number;
  role: Role;
  isDisabled: boolean;
  password: string;
  /** Counts what revokes all tokens. */
  epoch: number;
}

/** A token of the model, in force unless `ended`. */
export interface ModelToken {
  readonly secret: string;
  readonly user: ModelUser;
  readonly epoch: number;
  readonly scope: readonly string[];
  /** Null for all of the account. */
  readonly properties: readonly number[] | null;
  readonly name: string | null;
  readonly expires: number;
  ended: boolean;
}

/** What a request for a token asks for. */
export interface Asked {
  readonly scope?: string;
  readonly property_ids?: readonly number[];
  readonly name?: string;
  readonly expires_in?: number;
}

const THIRTY_DAYS = 2_592_000;
const KEYS = 20;

/** The values of a fact, each from a time on. */
class Past<T> {
  readonly #values: { readonly since: number; readonly value: T }[] = [];

  note(since: number, value: T): void {
    this.#values.push({ since, value });
  }

  /** The values since a time, with the one before it. */
  after(time: number): readonly T[] {
    const isOver = (at: number): boolean => (this.#values[at + 1]?.since ?? Infinity) <= time;
    return this.#values.flatMap(({ value }, at) => (isOver(at) ? [] : [value]));
  }
}

/** Users, properties and tokens as plain facts, and what each token might have done lately. */
export class PermissionModel {
  readonly users = new Map<string, ModelUser>();
  /** The account of each property that is there. */
  readonly properties = new Map<number, number>();
  readonly tokens: ModelToken[] = [];
  /** What each token may do, by secret; null when it is refused. */
  readonly #rights = new Map<string, Past<readonly Permission[] | null>>();
  /** The account of each property that there ever was; `undefined` once it is gone. */
  readonly #owners = new Map<number, Past<number | undefined>>();
  readonly #trust: number;

  /** `trust`: milliseconds for which a process may go by what it has read. */
  constructor(trust: number) {
    this.#trust = trust;
  }

  /** The tokens that work at a time, the oldest first. */
  inForce(now: number): readonly ModelToken[] {
    return this.tokens.filter((token) => this.might(token, now) !== null);
  }

  /** What a token may do at a time by the facts of now. */
  might({ user, epoch, scope, properties, expires, ended }: ModelToken, now: number): Might | null {
    const isThere = [...this.users.values()].includes(user);
    if (ended || !isThere || user.epoch !== epoch || now >= expires) return null;
    const role = mayDo[user.role].split(' ');
    const own = [...this.properties].filter(([, account]) => account === user.account).map(([id]) => id);
    return {
      permissions: allPermissions.filter((one) => scope.includes(one) && role.includes(one)),
      properties: own.filter((id) => properties === null || properties.includes(id)),
    };
  }

  /** Whether a token may neither do nor reach anything that another one may not. */
  isWithin(token: ModelToken, other: ModelToken, now: number): boolean {
    const may: readonly string[] = this.might(other, now)?.permissions ?? [];
    const { properties: reach } = other;
    return (
      (this.might(token, now)?.permissions ?? []).every((one) => may.includes(one)) &&
      (reach === null || (token.properties !== null && token.properties.every((id) => reach.includes(id))))
    );
  }

  /** Notes what is so from a time on. Call it after each step. */
  note(now: number): void {
    for (const token of this.tokens)
      pastOf(this.#rights, token.secret).note(now, this.might(token, now)?.permissions ?? null);
    for (const id of new Set([...this.properties.keys(), ...this.#owners.keys()]))
      pastOf(this.#owners, id).note(now, this.properties.get(id));
  }

  /** Each property that there ever was. */
  get everyProperty(): readonly number[] {
    return [...this.#owners.keys()];
  }

  /** All that a token might do at some moment of the time for which a process trusts what it has read; null: nothing. */
  rightsLately({ secret, expires }: ModelToken, now: number): readonly (readonly Permission[] | null)[] {
    // The end of a token by the clock comes at once.
    return now >= expires ? [null] : pastOf(this.#rights, secret).after(now - this.#trust);
  }

  /** Whether a token might have reached a property at such moments. */
  reachLately({ user, properties }: ModelToken, id: number, now: number): readonly boolean[] {
    const isNamed = properties === null || properties.includes(id);
    return pastOf(this.#owners, id)
      .after(now - this.#trust)
      .map((owner) => isNamed && owner === user.account);
  }

  /** The answer to a request for a token: its scope, or the error. */
  answerTo(username: string, password: string, asked: Asked, now: number): string | { error: string } {
    const user = this.users.get(username);
    if (!user || user.isDisabled || user.password !== password) return { error: 'invalid_grant' };
    const role: readonly string[] = mayDo[user.role].split(' ');
    const words = asked.scope?.split(' ');
    if (words?.some((word) => !role.includes(word))) return { error: 'invalid_scope' };
    if (asked.property_ids?.some((id) => this.properties.get(id) !== user.account))
      return { error: 'invalid_request' };
    const keys = this.inForce(now).filter((token) => token.user === user && token.name !== null);
    if (asked.name !== undefined && keys.length >= KEYS) return { error: 'invalid_request' };
    return role.filter((word) => words === undefined || words.includes(word)).join(' ');
  }

  /** A token was made. */
  made(username: string, secret: string, scope: string, asked: Asked, now: number): void {
    const user = this.users.get(username);
    if (!user) throw new Error('nobody has this name');
    this.tokens.push({
      ...{ secret, user, epoch: user.epoch, scope: scope.split(' '), name: asked.name ?? null },
      properties: asked.property_ids ?? null,
      expires: now + (asked.expires_in ?? THIRTY_DAYS) * 1_000,
      ended: false,
    });
  }
}

const pastOf = <Key, T>(pasts: Map<Key, Past<T>>, key: Key): Past<T> => {
  const past = pasts.get(key) ?? new Past<T>();
  pasts.set(key, past);
  return past;
};

/** A new user of the model. */
export const userOf = (account: number, password: string): ModelUser => ({
  ...{ account, password, role: 'owner', isDisabled: false, epoch: 0 },
});
