/** Notice addresses: which addresses the imports and exports of a property name, which get mail, and how one gets none. */
import { addressMark, type Mailboxes } from '../email/mailboxes.ts';
import type { UseCase } from '../http/api-types.ts';
import type { ListQuery } from '../http/list-schemas.ts';
import { answerList, type ListDeps, type Page } from '../http/listing.ts';
import { isoTime } from '../runtime/clock.ts';
import type { Listed } from '../runtime/pages.ts';
import { ok } from '../runtime/result.ts';
import type { AddressQuery } from './address-schemas.ts';

/** A definition that may name an address. */
export interface NoticeDefinition {
  readonly kind: 'import' | 'export';
  readonly id: number;
  readonly name: string | null;
  readonly notification_email: string | null;
  /** Its position in the list of its kind. */
  readonly position: string;
}

/** A page of the definitions of one kind. */
export type ReadDefinitions = (property: number, page: Page) => Promise<Listed<NoticeDefinition>>;

export interface AddressListDeps extends ListDeps {
  readonly mailboxes: Pick<Mailboxes, 'states'>;
  readonly imports: ReadDefinitions;
  readonly exports: ReadDefinitions;
}

/** Positions in the list: imports are before exports. */
const places = { import: 'I', export: 'X' } as const;

/**
 * `GET notification-emails`: each import and export that names an address, with the state of the address. So it shows
 * whom the property mails, also addresses that were confirmed long ago; not a confirmed address that nothing names.
 */
export const listNotificationEmails: UseCase<AddressListDeps, ListQuery> = async (deps, request) => {
  const { id } = request.property;
  return answerList(deps, request, 'notification_emails', {
    path: `/v1/${id}/notification-emails`,
    read: (page) => readBoth(deps, id, page),
    keep: ({ notification_email }) => notification_email !== null,
    positionOf: ({ kind, position }) => `${places[kind]}${position}`,
    views: (definitions) => addressViews(deps, id, definitions),
  });
};

/** A view of each definition, which names an address, with the state of the address. */
const addressViews = async (
  { mailboxes }: Pick<AddressListDeps, 'mailboxes'>,
  property: number,
  definitions: readonly NoticeDefinition[],
) => {
  const named = definitions.map(({ notification_email }) => notification_email ?? '');
  const states = await mailboxes.states(property, named);
  return definitions.map(({ kind, id, name }, index) => {
    const confirmed = states[index]?.confirmed ?? null;
    return {
      notification_email: named[index],
      status: states[index]?.status,
      confirmed: confirmed === null ? null : isoTime(confirmed),
      import_id: kind === 'import' ? id : null,
      export_id: kind === 'export' ? String(id) : null,
      name,
    };
  });
};

/** A page of the imports; behind the last of them, of the exports. */
const readBoth = async (
  deps: Pick<AddressListDeps, 'imports' | 'exports'>,
  property: number,
  page: Page,
): Promise<Listed<NoticeDefinition>> => {
  const [place, after] = [page.after?.slice(0, 1) ?? places.import, page.after?.slice(1)];
  const kind = place === places.import ? 'import' : 'export';
  const behind = after === undefined || after === '' ? undefined : after;
  const { items, next } = await deps[`${kind}s`](property, { ...page, after: behind });
  if (next !== undefined) return { items, next: `${places[kind]}${next}` };
  return kind === 'import' ? { items, next: places.export } : { items };
};

/**
 * `DELETE notification-emails`: the property mails the address no more, not even a question, until a user names it anew.
 * An address that nobody has confirmed is barred, too. So the answer is the same for every address.
 */
export const withdrawAddress: UseCase<
  { readonly mailboxes: Pick<Mailboxes, 'withdraw'> },
  AddressQuery
> = async ({ mailboxes }, { property, query: { notification_email }, now }) => {
  await mailboxes.withdraw(property.id, notification_email, now);
  return ok({
    status: 200,
    body: { notification_email, status: 'withdrawn' },
    audited: { address: addressMark(notification_email) },
  });
};
