/** Corrections of refused rows, and what sends them. */
import { useState } from 'preact/hooks';
import { csvPieces } from '../../../../client/src/csv-rows.ts';
import { useApp } from '../../app-context.ts';
import { useAction, useLoad, type Loaded } from '../../load.ts';
import {
  correctedCsv,
  readReport,
  rowsIn,
  withEdits,
  type Edit,
  type Edits,
  type JobPath,
  type ReportedRows,
} from './report-rows.ts';
import type { ImportJob } from './use-trial.ts';

/** Bounds of one request, as on the command line. */
const PIECE = { rows: 5_000, bytes: 2_800_000 };

/** The rows of the job that were read, the corrections, and what sends them. */
export interface Mending {
  readonly rows: ReportedRows | undefined;
  readonly edits: Edits;
  /** Writes texts into cells. */
  readonly edit: (changes: readonly Edit[]) => void;
  readonly send: () => void;
  /** What became of the rows that were sent last, once the job has ended again. */
  readonly outcome: { readonly sent: number; readonly refused: number } | undefined;
  readonly readMore: () => void;
  readonly running: boolean;
  readonly problem: unknown;
  readonly loaded: Loaded<ReportedRows>;
}

/** Corrections of the refused rows of a job that has ended. `onSent` follows the job again. */
export const useMending = (path: JobPath, job: ImportJob | undefined, onSent: () => void): Mending => {
  const { api, can } = useApp();
  const [edits, setEdits] = useState<Edits>(new Map());
  const [sentLast, setSentLast] = useState<{ readonly rows: number; readonly left: number } | undefined>(
    undefined,
  );
  const [more, setMore] = useState<ReportedRows | undefined>(undefined);
  const isOver = job !== undefined && job.finished !== null && job.undo === null;
  const refused = job === undefined ? 0 : job.counts.unserializable + job.counts.failed;
  const isRead = isOver && !job.dry_run && refused > 0 && can('people.read');
  const key = isRead ? `${job.finished} ${refused} ${more?.rows.length ?? 0}` : undefined;
  const loaded = useLoad(key, () => readReport(api, path, 'listImportErrors', more));
  const rows = loaded.data;
  const sending = useAction(async () => {
    if (rows === undefined) return;
    let sent = 0;
    let sentRows = 0;
    try {
      for (const body of csvPieces(correctedCsv(rows, edits), PIECE)) {
        await api.retryImportJob({ path, body, contentType: 'text/csv' });
        // What has arrived is not sent again, although a later piece fails: the service would refuse both.
        const keys = new Set(rowsIn(body).rows.map((row) => row.key));
        sentRows += keys.size;
        setEdits((last) => new Map([...last].filter(([row]) => !keys.has(row))));
        sent += 1;
      }
    } finally {
      if (sent > 0) {
        setMore(undefined);
        setSentLast({ rows: sentRows, left: refused - sentRows });
        onSent();
      }
    }
  });
  return {
    rows,
    outcome:
      isOver && sentLast !== undefined
        ? { sent: sentLast.rows, refused: refused - sentLast.left }
        : undefined,
    edits,
    edit: (changes) => {
      setEdits((last) => withEdits(last, changes));
    },
    send: () => {
      sending.run();
    },
    readMore: () => {
      setMore(rows);
    },
    running: sending.running,
    problem: sending.problem,
    loaded,
  };
};
