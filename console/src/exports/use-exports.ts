/** Loads exports with their newest jobs, and follows those at work. */
import { useRef } from 'preact/hooks';
import type { Tidemark } from '../../../client/src/tidemark.ts';
import { useApp } from '../app-context.ts';
import { BUSY_MS, IDLE_MS, useLoad, type Loaded } from '../load.ts';
import { isAtWork, isLasting, type ExportDefinition, type ExportWithJob } from './exports.ts';

/** The exports of a screen. */
export interface Exports {
  readonly exports: readonly ExportWithJob[];
  /** Whether there are more lasting exports: these are the newest. */
  readonly isPart: boolean;
}

/** Which exports a screen shows. */
interface Wish {
  /** Exports that are looked through, the newest first. */
  readonly listed: number;
  /** At most so many exports that are only downloaded. */
  readonly downloads: number;
  /** Only exports of this segment. */
  readonly of?: number;
  /** How often to ask while nothing is at work; never without it. */
  readonly slowMs?: number;
}

/** Lasting exports that are shown at most. Each takes a request. */
const LASTING = 30;

const withJob = async (api: Tidemark, definition: ExportDefinition): Promise<ExportWithJob> => {
  if (definition.status === 'scheduled') return { definition, job: undefined };
  const path = { export_id: definition.id };
  const { jobs } = await api.listExportJobs({ path, query: { order: 'newest', limit: 1 } });
  return { definition, job: jobs[0] };
};

const lookAtAll = async (api: Tidemark, { listed, downloads, of }: Wish): Promise<Exports> => {
  const answer = await api.listExports({ query: { order: 'newest', limit: listed } });
  const all = answer.exports.filter(({ segment }) => of === undefined || segment.includes(of));
  const lasting = all.filter(isLasting);
  const rest = all.filter((one) => !isLasting(one)).slice(0, downloads);
  const shown = [...lasting.slice(0, LASTING), ...rest];
  return {
    exports: await Promise.all(shown.map((one) => withJob(api, one))),
    isPart: lasting.length > LASTING || answer.paging.next_page !== null,
  };
};

/** The same exports, with new jobs of those at work. */
const lookAtWork = async (api: Tidemark, { exports, isPart }: Exports): Promise<Exports> => ({
  exports: await Promise.all(
    exports.map(async (one) => (isAtWork(one) ? await withJob(api, one.definition) : one)),
  ),
  isPart,
});

/** Loads the exports of a part of a screen, whose `key` stays. While some are at work, most looks ask only for their jobs. */
export const useExports = (key: string, wish: Wish): Loaded<Exports> => {
  const { api } = useApp();
  const last = useRef<{ readonly time: number; readonly seen: Exports } | undefined>(undefined);
  const loaded = useLoad(
    key,
    async (signal) => {
      const before = last.current;
      const isFresh = before !== undefined && Date.now() - before.time < IDLE_MS;
      const isFollowed = isFresh && before.seen.exports.some(isAtWork);
      // Somebody may have deleted one of those at work.
      const seen = isFollowed
        ? await lookAtWork(api, before.seen).catch(() => lookAtAll(api, wish))
        : await lookAtAll(api, wish);
      if (!signal.aborted) last.current = { time: isFollowed ? before.time : Date.now(), seen };
      return seen;
    },
    ({ exports }) => (exports.some(isAtWork) ? BUSY_MS : wish.slowMs),
  );
  return {
    ...loaded,
    reload: () => {
      last.current = undefined;
      loaded.reload();
    },
  };
};

/** Addresses that are looked at. */
const ADDRESSES = 1_000;

/** Why mails of exports do not go out, by the ids of the exports: the codes that deliveries have for it, too. */
export const useMailBars = (isAsked: boolean): ReadonlyMap<string, string> => {
  const { api } = useApp();
  const { data = [] } = useLoad(
    isAsked ? 'addresses' : undefined,
    async () => (await api.listNotificationEmails({ query: { limit: ADDRESSES } })).notification_emails,
    () => IDLE_MS,
  );
  return new Map(
    data.flatMap(({ status, export_id }) =>
      status === 'confirmed' || export_id === null ? [] : [[export_id, `${status}_address`]],
    ),
  );
};
