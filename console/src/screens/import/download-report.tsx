/** The refused or warned rows of a job as a file: how many are read so far, and an end to it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useAction } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/notice.tsx';
import { saveFile } from '../../save-file.ts';
import { MOST_ROWS, reportFile } from './report-file.ts';
import type { JobPath, Report } from './report-rows.ts';

/** The button. While it reads, it counts and stops; it ends with the page that shows it. */
export const DownloadReport = (props: {
  readonly report: Report;
  readonly path: JobPath;
  /** The name of the job, which is that of its file. */
  readonly name: string;
  readonly all: number;
}) => {
  const { api, texts, format } = useApp();
  const { report, path, name, all } = props;
  const words = texts.import.job;
  const ends = useRef<AbortController | undefined>(undefined);
  const [rows, setRows] = useState(0);
  const stop = (): void => ends.current?.abort();
  useEffect(() => stop, []);
  const download = useAction(async () => {
    const own = new AbortController();
    ends.current = own;
    setRows(0);
    try {
      const delimiter = texts.parts.excelDelimiter();
      const file = await reportFile(api, path, { report, delimiter, signal: own.signal, onRows: setRows });
      const kind = report === 'listImportErrors' ? 'rejects' : 'warnings';
      saveFile(`${name.replace(/(?:\.csv)?(?:\.gz)?$/i, '')}.${kind}.csv`, file);
    } catch (error) {
      if (!own.signal.aborted) throw error;
    }
  });
  const most = format.number(Math.min(all, MOST_ROWS));
  const label = (): string => {
    if (download.running) return words.downloading(format.number(rows), most);
    return all > MOST_ROWS ? words.downloadFirst(most) : words.download;
  };
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => {
          if (download.running) stop();
          else download.run();
        }}
      >
        <Icon name={download.running ? 'cross' : 'download'} small />
        {label()}
      </button>
      <Problem error={download.problem} texts={texts} />
    </>
  );
};
