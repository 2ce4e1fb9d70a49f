/** What comes next by itself: moments of timelines, and exports. */
import { useApp } from '../../app-context.ts';
import { exportLink, exportName, placeOf, type ExportWithJob } from '../../exports/exports.ts';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import type { Overview } from './use-overview.ts';

const SHOWN = 8;

/** The next runs in the order of their times; nothing if there are none. */
export const NextRuns = (props: {
  readonly timelines: NonNullable<Overview['timelines']['data']>;
  readonly exports: readonly ExportWithJob[];
}) => {
  const { texts, format } = useApp();
  const words = texts.home.next;
  const moments = props.timelines.map(({ id, name, next_run, reference_tile }) => ({
    id: `moment ${id}`,
    at: next_run,
    name,
    kind: words.moment,
    href: linkTo('segments', [reference_tile]),
  }));
  const lists = props.exports.map(({ definition }) => ({
    id: `export ${definition.id}`,
    at: definition.next_run,
    name: exportName(texts, definition),
    kind: placeOf(definition) ?? texts.home.files.export,
    href: exportLink(definition),
  }));
  const runs = [...moments, ...lists]
    .flatMap(({ at, ...run }) => (at === null ? [] : [{ ...run, at }]))
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  if (runs.length === 0) return null;
  const part =
    runs.length > SHOWN ? { aside: texts.parts.shown(format.number(SHOWN), format.number(runs.length)) } : {};
  return (
    <Panel title={words.title} {...part}>
      <table>
        <thead class="unseen">
          <tr>
            <th scope="col">{words.run}</th>
            <th scope="col">{words.when}</th>
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, SHOWN).map(({ id, at, name, kind, href }) => (
            <tr key={id}>
              <th scope="row">
                {href === undefined ? (
                  <bdi>{name}</bdi>
                ) : (
                  <a href={href}>
                    <bdi>{name}</bdi>
                  </a>
                )}
                <span class="second">
                  <bdi>{kind}</bdi>
                </span>
              </th>
              <td class="number small">{format.when(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
