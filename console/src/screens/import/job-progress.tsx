/** How far an import job is: a bar, rows a second, and the time left. */
import { useApp } from '../../app-context.ts';
import { expectedRows } from './expected-rows.ts';
import { useRate } from './use-rate.ts';

/** A job that runs, as a list or its own address shows it. */
export interface RunningJob {
  readonly id: number;
  readonly name: string;
  readonly phase: keyof ReturnType<typeof useApp>['texts']['import']['phase'];
  readonly counts: { readonly ingested: number; readonly processing: number };
}

/** The rows of a job that have a result, and all its rows as far as they are known. */
const rowsOf = ({ id, counts: { ingested, processing } }: RunningJob) => ({
  done: ingested - processing,
  all: Math.max(ingested, expectedRows(id)),
});

/** The bar of a job with a line below: rows, rows a second, time left. While rows are still being found, there is no time. */
export const JobProgress = ({ job }: { readonly job: RunningJob }) => {
  const { texts, format } = useApp();
  const words = texts.import.job;
  const { done, all } = rowsOf(job);
  const rate = useRate(done);
  const isKnown = job.phase === 'importing' || job.phase === 'settling' || expectedRows(job.id) > 0;
  const left = rate !== undefined && rate > 0 && isKnown ? (all - done) / rate : undefined;
  const facts = [
    texts.import.phase[job.phase],
    ...(all > 0 ? [words.rowsOf(format.number(done), format.number(all))] : []),
    ...(rate !== undefined && rate >= 1 ? [words.rate(format.number(Math.round(rate)))] : []),
    ...(left !== undefined && left > 0 ? [words.left(format.span(left))] : []),
  ];
  return (
    <>
      {isKnown && all > 0 ? (
        <progress value={done} max={all} aria-label={words.progress(job.name)} />
      ) : (
        <progress aria-label={words.progress(job.name)} />
      )}
      <p class="small muted">{facts.join(' · ')}</p>
    </>
  );
};
