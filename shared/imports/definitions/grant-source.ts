import type { CommandRefusal } from '../../auth/accounts.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { GrantedTier } from '../../profiles/types.ts';
import type { ImportRepository } from '../model/repository.ts';

/** What an operator grants to an import definition; `tier: null` takes it back. */
export interface Grant {
  readonly property: number;
  readonly import: number;
  readonly tier: GrantedTier | null;
}

/**
 * Gives the records of a definition a trust that clients cannot claim, or takes it back. It holds for what is accepted
 * from then on: batches and files accepted before keep the trust they came with.
 */
export const grantSource = async (
  imports: Pick<ImportRepository, 'grantTier'>,
  { property, import: id, tier }: Grant,
): Promise<Result<{ readonly import: number; readonly granted_tier: GrantedTier | null }, CommandRefusal>> =>
  (await imports.grantTier(property, id, tier)) ? ok({ import: id, granted_tier: tier }) : err(unknownImport);

const unknownImport: CommandRefusal = {
  code: 'unknown_import',
  message: 'This property has no such import definition.',
};
