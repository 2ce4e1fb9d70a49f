import { textLike } from '../support/answers.ts';

/** A partition of the audit log of an account. */
export const inLogOf = (account: number): unknown => textLike(new RegExp(`^AUDIT#${account}#\\d$`));
