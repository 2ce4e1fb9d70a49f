import type { CommandRefusal, Outcome } from '../../auth/accounts.ts';
import { err, ok } from '../../runtime/result.ts';
import type { GrantedTier } from '../../profiles/types.ts';
import type { ImportRepository } from '../repository/repository.ts';

/** The tier that an operator grants to an import definition; `tier: null` revokes the grant. */
export interface Grant {
  readonly property: number;
  readonly import: number;
  readonly tier: GrantedTier | null;
}

/**
 * Grants the records of a definition a tier that clients cannot claim, or revokes the grant. The change applies to
 * batches and files that are accepted later. Earlier ones keep their tier.
 */
export const grantSource = async (
  imports: Pick<ImportRepository, 'grantTier'>,
  { property, import: id, tier }: Grant,
): Promise<Outcome<{ readonly import: number; readonly granted_tier: GrantedTier | null }>> =>
  (await imports.grantTier(property, id, tier)) ? ok({ import: id, granted_tier: tier }) : err(unknownImport);

const unknownImport: CommandRefusal = {
  code: 'unknown_import',
  message: 'This property has no such import definition.',
};
