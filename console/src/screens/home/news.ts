/** What Home shows as news. */

/** Something that has failed is news for a week. */
const NEWS_MS = 7 * 86_400_000;

/** Whether what happened at a time is still news. */
export const isNews = (time: string, now: number): boolean => now - Date.parse(time) < NEWS_MS;

interface Job {
  readonly import_definition: number;
  readonly phase: string;
  readonly finished: string | null;
}

interface Definition {
  readonly id: number;
  readonly webhook_url: string | null;
  readonly notification_email: string | null;
}

/**
 * Of each definition that tells somebody how its imports end, the newest job that has ended. `jobs` has the newest first.
 * The end of a cancelled job is told to nobody.
 */
export const newestAnnounced = <J extends Job, D extends Definition>(
  jobs: readonly J[],
  definitions: readonly D[],
  now: number,
): readonly { readonly job: J; readonly definition: D }[] =>
  definitions
    .filter(({ webhook_url, notification_email }) => webhook_url !== null || notification_email !== null)
    .flatMap((definition) => {
      const job = jobs.find(
        ({ import_definition, finished, phase }) =>
          import_definition === definition.id && finished !== null && phase !== 'cancelled',
      );
      return job?.finished && isNews(job.finished, now) ? [{ job, definition }] : [];
    });
