import * as v from 'valibot';
import { sendBrandFile, shippedBrands, type Ask } from '../../shared/brands/send-file.ts';
import type { Outcome } from '../services/lambda/outcome.ts';
import type { AccountAccess } from './endpoints.ts';

type Invoke = (name: string, payload: unknown) => Promise<Outcome>;

/** An account, and a second account to try isolation. */
export interface SeededAccounts extends AccountAccess {
  readonly other: AccountAccess;
}

const Facts = v.variant('ok', [
  v.looseObject({ ok: v.literal(true) }),
  v.object({ ok: v.literal(false), error: v.looseObject({ message: v.string() }) }),
]);

/**
 * Loads the brand catalogue of the project, unless one is loaded. Before the first account exists, the catalogue takes
 * effect at once.
 */
export const seedBrands = async (invoke: Invoke): Promise<void> => {
  const ask: Ask = async (command) => {
    const outcome = await invoke('operator', command);
    if (!outcome.ok) throw new Error(`the brands were not loaded: ${outcome.failure.errorMessage}`);
    const answer = v.parse(Facts, JSON.parse(outcome.payload));
    if (!answer.ok) throw new Error(`the brands were refused: ${answer.error.message}`);
    return answer;
  };
  const { current, next } = await ask({ command: 'brands.show' });
  if (current !== 'none' || next !== 'none') return;
  const loaded = await sendBrandFile(ask, await shippedBrands());
  if (!loaded.ok) throw new Error('the brand catalogue of the project is invalid');
};

const Seeded = v.array(v.object({ property: v.number() }));

/** User names of an account and of the account to try isolation. */
type SeededNames = readonly [one: string, other: string];

/**
 * Creates both accounts, or finds them in the data folder; by default the demo accounts. Their names and passwords are
 * fixed and no secret, because the service listens on loopback only. No deployed stage has this function.
 */
export const seedAccounts = async (
  invoke: Invoke,
  names: SeededNames = ['demo', 'other'],
): Promise<SeededAccounts> => {
  const [one, another] = names;
  const accounts = [accessOf(one), accessOf(another)].map((access) => ({
    account: `${access.username.charAt(0).toUpperCase()}${access.username.slice(1)} account`,
    property: 'Main',
    ...access,
  }));
  const outcome = await invoke('seed', { accounts });
  if (!outcome.ok) throw new Error(`the accounts were not created: ${outcome.failure.errorMessage}`);
  const [first, second] = v.parse(Seeded, JSON.parse(outcome.payload));
  if (!first || !second) throw new Error('the seed created fewer accounts than it was given');
  return {
    property_id: first.property,
    ...accessOf(one),
    other: { property_id: second.property, ...accessOf(another) },
  };
};

const accessOf = (name: string): Omit<AccountAccess, 'property_id'> => ({
  client_id: `tidemark-${name}-client`,
  username: name,
  password: `tidemark-${name}-password`,
});
