import { auditTrail } from '../../shared/audit/audit-trail.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { textLike } from '../support/answers.ts';

/** A partition of the audit log of an account. */
export const inLogOf = (account: number): unknown => textLike(new RegExp(`^AUDIT#${account}#\\d+$`));

/** An audit trail whose table takes no entries. */
export const trailThatIsDown = (deps: Omit<Parameters<typeof auditTrail>[0], 'entries'>) =>
  auditTrail({ ...deps, entries: new MemoryTable(() => Promise.reject(new UnavailableError('down'))) });
