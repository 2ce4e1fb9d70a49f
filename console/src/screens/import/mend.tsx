/** The refused rows of a job: corrected in the table and sent again until none is left. */
import { TidemarkProblem } from '../../../../client/src/problem.ts';
import { useMemo } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useLoad, type Loaded } from '../../load.ts';
import { Notice, Problem } from '../../parts/notice.tsx';
import { Loading } from '../../parts/panel.tsx';
import { groupsOf } from './mend-facts.ts';
import { MendGroup } from './mend-group.tsx';
import type { Stored } from './read-file.ts';
import type { ReportedRows } from './report-rows.ts';
import type { Reason } from './row-words.ts';
import type { Mending } from './use-mending.ts';
import type { ImportJob } from './use-trial.ts';

/** The definition of a job; `undefined` before it came, and if somebody has deleted it. */
const useDefinition = (importId: number): Stored | undefined => {
  const { api } = useApp();
  const { data } = useLoad(`definition ${importId}`, async (): Promise<Stored | undefined> => {
    try {
      return await api.getImport({ path: { import_id: importId } });
    } catch (error) {
      if (error instanceof TidemarkProblem && error.status === 404) return undefined;
      throw error;
    }
  });
  return data;
};

/** The button that sends the mended rows. */
export const SendMended = ({ mending }: { readonly mending: Mending }) => {
  const { texts, format, can } = useApp();
  const words = texts.import.job;
  const ready = mending.edits.size;
  if (!can('people.write') || !can('people.read')) return null;
  return (
    <button
      type="button"
      class="button main"
      aria-disabled={ready === 0 || mending.running}
      onClick={mending.send}
    >
      {ready === 0 ? words.sendNone : words.send(format.number(ready), ready)}
    </button>
  );
};

/** The tables of the rows that were read, one for each reason, and a button that reads more. */
export const RowGroups = (props: {
  readonly job: ImportJob;
  readonly reasons: readonly Reason[];
  readonly loaded: Loaded<ReportedRows>;
  readonly mending: Mending | undefined;
  readonly readMore: () => void;
}) => {
  const { texts, format } = useApp();
  const { job, reasons, loaded, mending, readMore } = props;
  const words = texts.import.mend;
  const definition = useDefinition(job.import_definition);
  const read = loaded.data;
  // Not anew with each letter that the reader writes.
  const groups = useMemo(
    () => (read === undefined ? [] : groupsOf(reasons, read, definition)),
    [reasons, read, definition],
  );
  return (
    <Loading from={loaded} texts={texts}>
      {(rows) => (
        <>
          {groups.map((group, index) => (
            <MendGroup
              key={group.key}
              group={group}
              header={rows.header}
              definition={definition}
              mending={mending}
              isOpen={index === 0}
            />
          ))}
          {mending && groups.length > 0 && (
            <p class="row">
              <SendMended mending={mending} />
            </p>
          )}
          {rows.next !== undefined && (
            <p class="row small muted">
              {words.partly(format.number(rows.rows.length))}
              <button type="button" class="button small" onClick={readMore}>
                {words.readMore}
              </button>
            </p>
          )}
        </>
      )}
    </Loading>
  );
};

/** The refused rows, to correct and to send again. */
export const Mend = (props: { readonly job: ImportJob; readonly mending: Mending }) => {
  const { texts, format } = useApp();
  const { job, mending } = props;
  const words = texts.import.mend;
  const { outcome } = mending;
  const again = outcome?.refused ?? 0;
  return (
    <>
      <Problem error={mending.problem} texts={texts} />
      {again > 0 && (
        <Notice kind="warn">{words.again(format.number(again), format.number(outcome?.sent ?? 0))}</Notice>
      )}
      <RowGroups
        job={job}
        reasons={job.refused_by}
        loaded={mending.loaded}
        mending={mending}
        readMore={mending.readMore}
      />
    </>
  );
};
