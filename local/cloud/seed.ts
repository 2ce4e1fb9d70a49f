import * as v from 'valibot';
import { sendBrandFile, shippedBrands, type Ask } from '../../shared/brands/send-file.ts';
import type { Outcome } from '../services/lambda/outcome.ts';
import type { AccountAccess } from './endpoints.ts';

type Invoke = (name: string, payload: unknown) => Promise<Outcome>;

/** The demo account, and a second account to try isolation. */
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

const Seeded = v.object({ property: v.number() });

/**
 * Creates both accounts, or finds them in the data folder. Their names and passwords are fixed and no secret, because
 * the service listens on loopback only. No deployed stage has this function.
 */
export const seedAccounts = async (invoke: Invoke): Promise<SeededAccounts> => {
  const demo = await seedAccount(invoke, 'demo');
  const other = await seedAccount(invoke, 'other');
  return { ...demo, other };
};

const seedAccount = async (invoke: Invoke, name: string): Promise<AccountAccess> => {
  const access = {
    client_id: `tidemark-${name}-client`,
    username: name,
    password: `tidemark-${name}-password`,
  };
  const account = `${name.charAt(0).toUpperCase()}${name.slice(1)} account`;
  const outcome = await invoke('seed', { account, property: 'Main', ...access });
  if (!outcome.ok) throw new Error(`the account ${name} was not created: ${outcome.failure.errorMessage}`);
  return { property_id: v.parse(Seeded, JSON.parse(outcome.payload)).property, ...access };
};
