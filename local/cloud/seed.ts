import type { Outcome } from '../services/lambda/outcome.ts';
import type { AccountAccess } from './endpoints.ts';

type Invoke = (name: string, payload: unknown) => Promise<Outcome>;

/** The demo account and a second one, to try isolation with. */
export interface SeededAccounts extends AccountAccess {
  readonly other: AccountAccess;
}

/** Makes both accounts through the operator function. */
export const seedAccounts = (invoke: Invoke, dataDir: string | undefined): Promise<SeededAccounts> => {
  throw new Error(`no operator yet ${String(invoke)} ${String(dataDir)}`);
};
