/** The next moments of timelines. Exports show their next runs themselves. */
import { useApp } from '../../app-context.ts';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import type { Overview } from './use-overview.ts';

const SHOWN = 6;

/** The next runs in the order of their times; nothing if there are none. */
export const NextRuns = ({ timelines }: Pick<Overview, 'timelines'>) => {
  const { texts, format } = useApp();
  const words = texts.home.next;
  const runs = (timelines.data ?? [])
    .map(({ id, name, next_run, reference_tile }) => ({
      id,
      at: next_run,
      name,
      href: linkTo('segments', [reference_tile]),
    }))
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
          {runs.slice(0, SHOWN).map(({ id, at, name, href }) => (
            <tr key={id}>
              <th scope="row">
                <a href={href}>
                  <bdi>{name}</bdi>
                </a>
              </th>
              <td class="number small">{format.when(at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
