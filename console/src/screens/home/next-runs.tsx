/** What runs next by itself: exports and timelines with a schedule. */
import { useApp } from '../../app-context.ts';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { exportName, placeOf } from './export-words.ts';
import type { Overview } from './use-overview.ts';

const SHOWN = 6;

/** The next runs in the order of their times; nothing if nothing has a schedule. */
export const NextRuns = ({ exports, timelines }: Pick<Overview, 'exports' | 'timelines'>) => {
  const { texts, format } = useApp();
  const words = texts.home.next;
  const runs = [
    ...(exports.data ?? []).map((one) => ({
      key: `export ${one.definition.id}`,
      at: one.definition.next_run,
      name: exportName(texts, one),
      place: placeOf(one),
      href: undefined,
      kind: words.export,
    })),
    ...(timelines.data ?? []).map(({ id, name, next_run, reference_tile }) => ({
      key: `timeline ${id}`,
      at: next_run,
      name,
      place: undefined,
      href: linkTo('segments', [reference_tile]),
      kind: words.timeline,
    })),
  ]
    .flatMap(({ at, ...run }) => (at === null ? [] : [{ ...run, at }]))
    .toSorted((one, other) => one.at.localeCompare(other.at));
  if (runs.length === 0) return null;
  return (
    <Panel title={words.title}>
      <table>
        <thead class="unseen">
          <tr>
            <th scope="col">{words.run}</th>
            <th scope="col">{words.when}</th>
          </tr>
        </thead>
        <tbody>
          {runs.slice(0, SHOWN).map(({ key, at, name, place, href, kind }) => (
            <tr key={key}>
              <th scope="row">
                {href === undefined ? (
                  <bdi>{name}</bdi>
                ) : (
                  <a href={href}>
                    <bdi>{name}</bdi>
                  </a>
                )}
                <span class="second">{place === undefined ? kind : words.to(place)}</span>
              </th>
              <td class="number small">{format.when(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
