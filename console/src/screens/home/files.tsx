/** Files that came in and went out, the newest first. */
import { useApp } from '../../app-context.ts';
import { placeOf, sizeOf, type ExportJob, type ExportWithJob } from '../../exports/exports.ts';
import { ExportState } from '../../exports/state.tsx';
import { ExportName } from '../../exports/table.tsx';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { FilesTable, JobRow, type ListedJob } from '../import/import-jobs.tsx';

const SHOWN = 8;

/** The newest files of imports and exports. */
export const Files = (props: {
  readonly imports: readonly ListedJob[];
  readonly exports: readonly ExportWithJob[];
}) => {
  const { texts } = useApp();
  const words = texts.home.files;
  const rows = [
    ...props.imports.map((job) => ({
      created: job.created,
      row: <JobRow key={job.id} job={job} kind={`${words.import} `} />,
    })),
    ...props.exports.flatMap((one) =>
      one.job === undefined
        ? []
        : [{ created: one.job.created, row: <ExportRow key={`x${one.job.id}`} of={one} job={one.job} /> }],
    ),
  ].toSorted((one, other) => other.created.localeCompare(one.created));
  if (rows.length === 0) return null;
  return (
    <Panel title={words.title} aside={<a href={linkTo('import')}>{words.all}</a>}>
      <FilesTable>{rows.slice(0, SHOWN).map(({ row }) => row)}</FilesTable>
    </Panel>
  );
};

const ExportRow = ({ of, job }: { readonly of: ExportWithJob; readonly job: ExportJob }) => {
  const { texts, format } = useApp();
  const words = texts.home.files;
  const place = placeOf(of.definition);
  return (
    <tr>
      <th scope="row">
        <ExportName of={of.definition} />
        <span class="second">
          {place === undefined ? (
            words.export
          ) : (
            <>
              {words.exportTo} <bdi>{place}</bdi>
            </>
          )}
        </span>
      </th>
      <td class="whole">
        <ExportState of={of} />
        <span class="second">{sizeOf(texts, format, of)}</span>
      </td>
      <td class="number small muted">{format.when(job.created)}</td>
    </tr>
  );
};
