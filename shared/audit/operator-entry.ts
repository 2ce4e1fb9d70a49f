/** What the audit log says of operator commands: they concern the account that a command or its answer names. */
import * as v from 'valibot';
import { ownerOf } from '../auth/accounts.ts';
import { readUser } from '../auth/read-user.ts';
import type { Table } from '../table/table.ts';

const named = v.object({
  account: v.optional(v.number()),
  property: v.optional(v.number()),
  username: v.optional(v.string()),
});

/** Ids of what an operator command was about. */
export interface Subject {
  readonly account?: number | undefined;
  readonly property?: number | undefined;
  readonly user?: number | undefined;
}

/** The subject of a command or of its answer, by the ids and the user name in it. Nothing for what names none. */
export const subjectOf = async (credentials: Pick<Table, 'get'>, told: unknown): Promise<Subject> => {
  const parsed = v.safeParse(named, told);
  if (!parsed.success) return {};
  const { account, property, username } = parsed.output;
  const user = username === undefined ? undefined : await readUser(credentials, username);
  const owner = property === undefined ? undefined : await ownerOf(credentials, property);
  return { account: account ?? owner ?? user?.account, property, user: user?.id };
};
