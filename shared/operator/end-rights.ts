/**
 * End of rights: takes back what was given in a user's name and would outlive the user: confirmed addresses, locations of
 * files and links to charts; and, of a deleted user, the names in what the user made. Each step may be repeated. A call
 * ends between two properties when its time is over, and the next call goes on behind the last of them.
 */
import { listProperties, type AccountDeps } from '../auth/accounts.ts';
import type { User } from '../auth/credential-items.ts';
import { thingsMadeBy } from '../auth/made-things.ts';
import { usersOf } from '../auth/users.ts';
import { limits } from '../config/limits.ts';
import { isSameMailbox, mailboxes } from '../email/mailboxes.ts';
import { closeLocation } from '../exports/delivery/withdraw-location.ts';
import type { ExportJob, JobRef } from '../exports/model/items.ts';
import { exportRepository, type ExportRepository } from '../exports/model/repository.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { mapLimited } from '../runtime/pool.ts';
import { forSeconds } from '../runtime/time-budget.ts';
import { closeChartLinks } from '../timelines/chart-links.ts';
import { eraseNames } from './erase-names.ts';
import { pagesOf } from '../runtime/pages.ts';
import { jobsSince } from '../exports/disclosures/recent-jobs.ts';

export type EndDeps = Pick<AccountDeps, 'table' | 'credentials' | 'clock' | 'pause'>;

/** A user whose rights end; the user may be gone. */
export type EndedUser = Pick<User, 'id' | 'account' | 'email'>;

/** What to take back. */
export interface EndOptions {
  /** Leave locations of files and links to charts open. */
  readonly keep_links?: boolean | undefined;
  /** The last property that the call before has done. */
  readonly after?: number | undefined;
  /** Whether the user is about to be deleted: then the names in what the user made go, too. */
  readonly forGood: boolean;
}

/** What was taken back. `next` goes into `after`; null once everything is done. */
export interface EndedRights {
  /** Confirmations withdrawn, one for each property. */
  readonly addresses: number;
  /** Jobs whose locations were closed, and timelines whose links were. */
  readonly links: number;
  /** Things of the user that have lost the names. */
  readonly names: number;
  readonly next: number | null;
}

/** Exports that are read together, and whose jobs are looked at at once. */
const [EXPORTS, EXPORTS_AT_ONCE] = [50, 10];

/** Takes back the rights of a user who can no longer sign in. */
export const endRights = async (
  deps: EndDeps,
  user: EndedUser,
  { keep_links, after = 0, forGood }: EndOptions,
): Promise<EndedRights> => {
  const { credentials, table, clock } = deps;
  const hasTime = forSeconds(clock, limits.operator.endSeconds);
  const properties = (await listProperties(credentials, user.account)).map(({ id }) => id);
  const address = (await isShared(deps, user)) ? undefined : user.email;
  const left = properties.filter((id) => id > after).toSorted((a, b) => a - b);
  let [addresses, links, names] = [0, 0, 0];
  for (const property of left) {
    if (address !== undefined) {
      const { status } = await mailboxes(table).withdraw(property, address, clock());
      addresses += status === 'confirmed' ? 1 : 0;
    }
    if (keep_links !== true) links += await closeLinks(deps, { property, user: user.id, address });
    if (forGood) names += await eraseNames(deps, property, user.id);
    if (property !== left.at(-1) && !hasTime()) return { addresses, links, names, next: property };
  }
  return { addresses, links, names, next: null };
};

/** Whether another user of the account, who can sign in, has the address, too. */
const isShared = async ({ credentials }: EndDeps, { id, account, email }: EndedUser): Promise<boolean> =>
  (await usersOf(credentials, account)).some(
    (other) => other.id !== id && !other.disabled && isSameMailbox(other.email, email),
  );

interface Leaver {
  readonly property: number;
  readonly user: number;
  /** The address that mails with locations went to; `undefined` if it stays. */
  readonly address: string | undefined;
}

const closeLinks = async (deps: EndDeps, leaver: Leaver): Promise<number> => {
  const { property, user } = leaver;
  const made = await thingsMadeBy(deps.table, property, user);
  const timelines = new Set(made.flatMap((thing) => (thing.kind === 'chart' ? [thing.timeline] : [])));
  let closed = 0;
  for (const timeline of timelines) closed += (await closeChartLinks(deps, property, timeline)) ? 1 : 0;
  const started = made.flatMap((thing) =>
    thing.kind === 'job' ? [{ property, export: thing.export, job: thing.job }] : [],
  );
  return closed + (await closeFiles(deps, leaver, started));
};

/** Closes the locations of the jobs that the user started, and of those whose notices named the address. */
const closeFiles = async (
  deps: EndDeps,
  { property, address }: Leaver,
  started: readonly JobRef[],
): Promise<number> => {
  const exports = exportRepository(deps.table);
  const now = deps.clock();
  const own = (await exports.jobsOf(started)).filter((job) => job !== undefined);
  const told = address === undefined ? [] : await toldJobs(exports, { property, address, now });
  const open = [...own, ...told].filter(({ file }) => file !== null && file.expires > now);
  const refs = new Map(open.map((job) => [job.job, job]));
  for (const ref of refs.values()) await closeLocation({ ...deps, exports }, ref);
  return refs.size;
};

/** The jobs with a file whose notices go to an address, by the definitions that the jobs have worked by. */
const toldJobs = async (
  exports: ExportRepository,
  { property, address, now }: { readonly property: number; readonly address: string; readonly now: number },
): Promise<readonly ExportJob[]> => {
  const told: ExportJob[] = [];
  // Files are kept for so long.
  const since = now - limits.exports.retentionDays * DAY_MS;
  const read = (after: string | undefined) => exports.definitions(property, { limit: EXPORTS, after });
  for await (const page of pagesOf(read)) {
    await mapLimited(page, EXPORTS_AT_ONCE, async ({ export: id }) => {
      for await (const { recent } of jobsSince(exports, { property, id }, since)) {
        for (const job of recent.filter(({ file }) => file !== null && file.expires > now)) {
          const to = (await exports.frozenDefinition(job))?.notification_email ?? null;
          if (to !== null && isSameMailbox(to, address)) told.push(job);
        }
      }
    });
  }
  return told;
};
